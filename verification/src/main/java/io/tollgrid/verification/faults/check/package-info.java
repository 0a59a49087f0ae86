/**
 * The checker: judges, from the recorded history and from what PostgreSQL holds, whether the ledger
 * was exact.
 *
 * <p>Everything but {@link io.tollgrid.verification.faults.check.PostgresEvidence} is a pure
 * function over {@link io.tollgrid.verification.faults.check.FleetEvidence}. The yardstick is a
 * serial replay of each account's journal through the shipped {@link io.tollgrid.ledger.Ledger};
 * rows, books, acknowledgements and refusals must all agree with it.
 */
@NullMarked
package io.tollgrid.verification.faults.check;

import org.jspecify.annotations.NullMarked;
