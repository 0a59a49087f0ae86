package io.tollgrid.grid;

import io.tollgrid.ledger.LedgerCode;
import io.tollgrid.ledger.Outcome;
import io.tollgrid.ledger.Recall;
import org.jspecify.annotations.Nullable;

/**
 * What the processor says about one attempt; it reaches the client only if the store let it.
 *
 * @param code why there is no outcome, or null
 * @param outcome the outcome, or null if {@code code} says why there is none
 * @param version the ledger's version afterwards
 * @param ledgerTimeNanos when it was decided
 * @param recall who needs units held elsewhere, or null
 */
record LedgerReply(
    @Nullable LedgerCode code,
    @Nullable Outcome outcome,
    long version,
    long ledgerTimeNanos,
    @Nullable Recall recall) {

  static LedgerReply of(LedgerCode code) {
    return new LedgerReply(code, null, 0, 0, null);
  }
}
