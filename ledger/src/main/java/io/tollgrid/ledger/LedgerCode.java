package io.tollgrid.ledger;

/**
 * How one attempt to run a command on the grid ended, where it did not end with an {@link Outcome}.
 *
 * <p>All but {@link #UNKNOWN} are definite about the execution that raised them: it wrote nothing.
 * The grid may have executed the same attempt before.
 */
public enum LedgerCode {
  /**
   * Memory was older than the authority, or was read under another ownership fence: evict and
   * retry.
   */
  STALE,
  /** The member holds no ownership fence for the partition yet: it has asked for one; retry. */
  NO_FENCE,
  /** Another member owns the partition now. */
  FENCED,
  /**
   * A row the attempt would have created exists already: fetch it and ask again with it attached.
   */
  REPLAY,
  /** The member's clock is ahead of the authority's by more than the allowed skew (R57). */
  CLOCK_AHEAD,
  /** The attempt reached the store after its {@code not_after}. */
  TOO_LATE,
  /** The account's stored numbers contradict each other; a person must look. */
  CORRUPT,
  /**
   * The authority is behind memory: a stale replica or a restored backup. Grants stop, an alarm is
   * raised.
   */
  AUTHORITY_REGRESSED,
  /** The authority cannot be reached, or too much is waiting for it. */
  UNAVAILABLE,
  /** The account does not exist; the answer was checked. */
  UNKNOWN_ACCOUNT,
  /** The attempt may or may not have taken effect: retry with the same id. */
  UNKNOWN
}
