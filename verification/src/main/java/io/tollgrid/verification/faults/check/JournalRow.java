package io.tollgrid.verification.faults.check;

import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.LedgerRequest;
import io.tollgrid.ledger.Outcome;

/**
 * One row of the journal: a transition that was written.
 *
 * @param account the account
 * @param version the version it made
 * @param request what was asked
 * @param outcome what was answered
 * @param ledgerTimeNanos when it was decided
 * @param after the numbers afterwards
 * @param committedAtNanos when PostgreSQL committed it, epoch nanoseconds; {@link Long#MAX_VALUE}
 *     if the server did not keep that
 */
public record JournalRow(
    Id128 account,
    long version,
    LedgerRequest request,
    Outcome outcome,
    long ledgerTimeNanos,
    AccountNumbers after,
    long committedAtNanos) {}
