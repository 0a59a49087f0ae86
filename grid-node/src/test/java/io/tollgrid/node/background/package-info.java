/** Tests of background tasks. */
@NullMarked
package io.tollgrid.node.background;

import org.jspecify.annotations.NullMarked;
