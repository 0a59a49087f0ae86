/** What files and streams are read through: bounded in memory, whatever they hold. */
@NullMarked
package io.tollgrid.node.input;

import org.jspecify.annotations.NullMarked;
