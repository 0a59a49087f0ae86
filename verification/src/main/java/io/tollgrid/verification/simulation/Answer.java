package io.tollgrid.verification.simulation;

import io.tollgrid.ledger.LedgerCode;
import io.tollgrid.ledger.Outcome;

/** What comes back from one attempt. */
sealed interface Answer {
  /**
   * The owner decided, and its store confirmed.
   *
   * @param outcome what was decided
   * @param ledgerTimeNanos when
   * @param receipt whether it took effect earlier
   */
  record Decided(Outcome outcome, long ledgerTimeNanos, boolean receipt) implements Answer {}

  /**
   * The owner's loader or store raised a code: nothing of this attempt was written.
   *
   * @param code the code
   */
  record Coded(LedgerCode code) implements Answer {}

  /** Anything else: the attempt may have taken effect. */
  record Unknown() implements Answer {}

  Answer UNKNOWN = new Unknown();
}
