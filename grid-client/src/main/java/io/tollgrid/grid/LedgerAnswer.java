package io.tollgrid.grid;

import io.tollgrid.ledger.Outcome;
import io.tollgrid.ledger.Recall;
import org.jspecify.annotations.Nullable;

/**
 * A definite answer of a ledger: durable if it took effect, checked against the authority if it did
 * not.
 *
 * @param outcome what was decided
 * @param version the ledger's version afterwards, 0 if there is no such account
 * @param ledgerTimeNanos when it was decided, epoch nanoseconds of ledger time (R57)
 * @param recall who needs units held elsewhere, or null; a hint
 */
public record LedgerAnswer(
    Outcome outcome, long version, long ledgerTimeNanos, @Nullable Recall recall) {}
