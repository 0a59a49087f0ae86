package io.tollgrid.mapstore.load;

import io.tollgrid.ledger.AccountLedger;
import io.tollgrid.ledger.LedgerCode;
import org.jspecify.annotations.Nullable;

/** What a load of one account found. */
public sealed interface LoadOutcome {
  /**
   * The account, its leases adding up to its books (R10).
   *
   * @param ledger the ledger
   */
  record Found(AccountLedger ledger) implements LoadOutcome {}

  /** There is no such account. */
  record Absent() implements LoadOutcome {}

  /**
   * No answer.
   *
   * @param code {@link LedgerCode#CORRUPT} or {@link LedgerCode#UNAVAILABLE}
   * @param reason for a person
   * @param cause what led to it, if anything was thrown
   */
  record Failed(LedgerCode code, String reason, @Nullable Throwable cause) implements LoadOutcome {}
}
