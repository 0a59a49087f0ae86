/** Denials at rest, as instances report them. Blocks on PostgreSQL; thread-safe. */
@NullMarked
package io.tollgrid.mapstore.denial;

import org.jspecify.annotations.NullMarked;
