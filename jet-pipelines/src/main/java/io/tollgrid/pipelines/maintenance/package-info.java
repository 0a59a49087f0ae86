/**
 * What PostgreSQL needs done before it is needed, and what it must be watched for: months ahead,
 * usage nobody paid for, and reconciliation of books with rows. All but the months is read-only.
 *
 * <p>Each part is called pass by pass by one thread and may be asked by any.
 */
@NullMarked
package io.tollgrid.pipelines.maintenance;

import org.jspecify.annotations.NullMarked;
