package io.tollgrid.client;

import java.util.Set;

/**
 * Whether an instance can admit requests, and the counts that made the answer (R39). Immutable.
 *
 * @param reasons why not; none means ready
 * @param tracked principals that were looked at
 * @param fresh those of them whose snapshot is fresh
 * @param admissible those of the fresh that every account of theirs could fund
 */
public record Readiness(Set<Reason> reasons, int tracked, int fresh, int admissible) {
  /** Why an instance is not ready. */
  public enum Reason {
    /** The thread that refills leases and ships usage has died. */
    TASK_DEAD,
    /** The ledger called something impossible that this instance did (R36). */
    INTEGRITY_FAULT,
    /** What it is to serve has not been read from the authority yet. */
    POLICIES_UNREAD,
    /** It is shutting down. */
    SHUTTING_DOWN,
    /** Everybody that is tracked is stale or without funds, or one of a fixed set is. */
    NOT_ADMISSIBLE
  }

  /** Keeps a copy. */
  public Readiness {
    reasons = Set.copyOf(reasons);
  }

  /** Whether requests are admitted now. Tracking nobody is ready. */
  public boolean isReady() {
    return reasons.isEmpty();
  }
}
