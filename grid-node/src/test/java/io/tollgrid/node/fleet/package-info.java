/** Whole instances on a real grid: what reaches them, and by which way. */
@NullMarked
package io.tollgrid.node.fleet;

import org.jspecify.annotations.NullMarked;
