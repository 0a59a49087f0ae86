/**
 * What PostgreSQL needs done before it is needed.
 *
 * <p>Each part is called pass by pass by one thread and may be asked by any.
 */
@NullMarked
package io.tollgrid.pipelines.maintenance;

import org.jspecify.annotations.NullMarked;
