/** What reaches a member through its port. */
@NullMarked
package io.tollgrid.grid.wire;

import org.jspecify.annotations.NullMarked;
