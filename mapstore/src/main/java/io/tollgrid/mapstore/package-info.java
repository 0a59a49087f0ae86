/**
 * PostgreSQL, the authority: the schema and its migrations, the group committer, fences at rest and
 * the map stores that the grid writes through.
 */
@NullMarked
package io.tollgrid.mapstore;

import org.jspecify.annotations.NullMarked;
