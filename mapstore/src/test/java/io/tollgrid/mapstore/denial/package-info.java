/** Denials against a real PostgreSQL. */
@NullMarked
package io.tollgrid.mapstore.denial;

import org.jspecify.annotations.NullMarked;
