package io.tollgrid.ledger.store;

import io.tollgrid.ledger.LedgerCode;
import org.jspecify.annotations.Nullable;

/** What becomes of one transition of a batch. */
public enum Verdict {
  /** Write it. */
  COMMIT(null),
  /** A check that holds: nothing to write, the answer may leave. */
  CONFIRMED(null),
  /** Another member owns the partition. */
  FENCED(LedgerCode.FENCED),
  /** Decided on an older version, or on a row that reads otherwise. */
  STALE(LedgerCode.STALE),
  /** A row it would create, or says is absent, exists. */
  REPLAY(LedgerCode.REPLAY),
  /** Its ledger time is ahead of the store's clock (R57). */
  CLOCK_AHEAD(LedgerCode.CLOCK_AHEAD),
  /** It would be written after its {@code not_after} (R16). */
  TOO_LATE(LedgerCode.TOO_LATE),
  /** The store is behind the memory it was decided on. */
  AUTHORITY_REGRESSED(LedgerCode.AUTHORITY_REGRESSED);

  private final @Nullable LedgerCode code;

  Verdict(@Nullable LedgerCode code) {
    this.code = code;
  }

  /** Whether the answer may leave the owner. */
  public boolean stands() {
    return code == null;
  }

  /** The code for the caller; null if the transition stands. */
  public @Nullable LedgerCode code() {
    return code;
  }
}
