package io.tollgrid.admission.request;

import io.tollgrid.admission.outcome.Outcome;

/**
 * Lets another thread than the request's own cancel it. Safe to share; good for the one request it
 * was split from, and refused when that is over.
 */
public final class CancelHandle {
  /** What became of an attempt to cancel. */
  public enum Cancellation {
    /** The request is cancelled and costs nothing. */
    CANCELLED,
    /** It had started: it is charged, and was told that someone wants it to stop. */
    TOO_LATE,
    /** It was over before. */
    OVER
  }

  private final Admission admission;
  private final UsageSlot slot;
  private final long use;
  private final long chargedUnits;

  CancelHandle(
      final Admission admission, final UsageSlot slot, final long use, final long chargedUnits) {
    this.admission = admission;
    this.slot = slot;
    this.use = use;
    this.chargedUnits = chargedUnits;
  }

  /** Cancels the request unless it has started; then it is asked to stop (R6). */
  public Cancellation cancel() {
    if (slot.tryRelease(use)) {
      admission.released(slot, Outcome.CANCELLED_BEFORE_START, 0);
      return Cancellation.CANCELLED;
    }
    final long seen = slot.requestStop(use);
    return PhaseWord.sameUse(seen, use) && PhaseWord.phase(seen) == PhaseWord.STARTED
        ? Cancellation.TOO_LATE
        : Cancellation.OVER;
  }

  /** What the request charged its home account when it started, if it did: its full quote. */
  public long chargedUnits() {
    return chargedUnits;
  }
}
