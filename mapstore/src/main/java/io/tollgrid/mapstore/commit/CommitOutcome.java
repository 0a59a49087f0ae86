package io.tollgrid.mapstore.commit;

import io.tollgrid.ledger.LedgerCode;
import io.tollgrid.ledger.store.Verdict;
import org.jspecify.annotations.Nullable;

/** What became of one transition. */
public sealed interface CommitOutcome {
  /**
   * The store judged it under its locks, and did what the verdict says: {@link Verdict#COMMIT} is
   * durable.
   *
   * @param verdict the verdict
   */
  record Judged(Verdict verdict) implements CommitOutcome {}

  /**
   * Nothing of it was written, for a reason outside the rules.
   *
   * @param code {@link LedgerCode#CORRUPT} or {@link LedgerCode#UNAVAILABLE}
   * @param reason for a person
   * @param cause what led to it, if anything was thrown
   */
  record Failed(LedgerCode code, String reason, @Nullable Throwable cause)
      implements CommitOutcome {}

  /**
   * It may or may not be durable, now or a little later.
   *
   * @param cause what the commit answered instead of success
   */
  record Unknown(Throwable cause) implements CommitOutcome {}
}
