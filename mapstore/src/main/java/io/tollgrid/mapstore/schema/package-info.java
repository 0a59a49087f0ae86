/**
 * The schema: migrations, month partitions, and what a database must be set to before anything is
 * trusted to it (architecture §4).
 */
@NullMarked
package io.tollgrid.mapstore.schema;

import org.jspecify.annotations.NullMarked;
