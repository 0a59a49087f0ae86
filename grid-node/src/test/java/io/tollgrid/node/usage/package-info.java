/** Tests of usage that is loaded from lines. */
@NullMarked
package io.tollgrid.node.usage;

import org.jspecify.annotations.NullMarked;
