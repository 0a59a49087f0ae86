/** Tests of ownership fences. */
@NullMarked
package io.tollgrid.node.fence;

import org.jspecify.annotations.NullMarked;
