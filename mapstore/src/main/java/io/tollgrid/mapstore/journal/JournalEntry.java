package io.tollgrid.mapstore.journal;

import io.tollgrid.ledger.Balances;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.LedgerRequest;
import io.tollgrid.ledger.Outcome;

/**
 * One transition of one account, as it was recorded.
 *
 * @param account the account
 * @param version the version it moved the account to
 * @param request what was asked, with the rows that were attached
 * @param outcome what was answered
 * @param ledgerTimeNanos when, by the processing member's clock (R57), epoch nanoseconds
 * @param recordedAtNanos when, by PostgreSQL's clock, epoch nanoseconds
 * @param books the numbers afterwards
 * @param nextFence the fence the next lease gets afterwards
 * @param policyGeneration the policy's generation afterwards
 * @param periodNumber the budget period afterwards
 */
public record JournalEntry(
    Id128 account,
    long version,
    LedgerRequest request,
    Outcome outcome,
    long ledgerTimeNanos,
    long recordedAtNanos,
    Balances books,
    long nextFence,
    long policyGeneration,
    long periodNumber) {}
