/**
 * The exact model of an account: what a command does to a ledger, and nothing else.
 *
 * <p>The package owns every rule that moves a unit. {@link io.tollgrid.ledger.Ledger#apply} takes
 * the ledger before, a request and the time, and answers with the ledger after, the outcome and the
 * effects a store must make durable. It performs no I/O and reads no clock, so the grid, the
 * simulation and the replay of a journal run the very same code.
 *
 * <p>Every type is an immutable value and safe to share, except {@code LedgerDraft}, which lives
 * inside one call.
 */
@NullMarked
package io.tollgrid.ledger;

import org.jspecify.annotations.NullMarked;
