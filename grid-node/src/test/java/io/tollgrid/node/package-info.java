/** Tests of whole nodes. */
@NullMarked
package io.tollgrid.node;

import org.jspecify.annotations.NullMarked;
