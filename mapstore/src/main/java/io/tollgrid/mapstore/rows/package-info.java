/**
 * The stored rows of a ledger as Java values, and how to read those that an answer rests on. The
 * committer, the loader and {@link io.tollgrid.ledger.port.LedgerRows} read through the same
 * statements, so that a row compares equal to itself.
 */
@NullMarked
package io.tollgrid.mapstore.rows;

import org.jspecify.annotations.NullMarked;
