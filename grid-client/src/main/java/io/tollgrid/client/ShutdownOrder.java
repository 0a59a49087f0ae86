package io.tollgrid.client;

/**
 * The one order in which an instance is shut down, and what share of the time each step may take
 * (R41). It waits for nothing: whoever shuts the instance down comes back until it is over. Not
 * thread-safe.
 */
final class ShutdownOrder {
  private enum Step {
    /** Running requests are waited for, and usage is recorded. */
    DRAINING,
    /** What ran for too long was ended as abandoned; its usage is recorded too. */
    DRAINING_THE_REST,
    RELEASING,
    OVER
  }

  /** The share of the time that running requests are given before they are ended as abandoned. */
  private static final int REQUESTS_SHARE = 2;

  /** The share of the time that is kept for releasing leases. */
  private static final int RELEASE_SHARE = 4;

  /** The share of the time that is kept for whatever follows, as the way out of the grid. */
  private static final int LEAVE_SHARE = 10;

  private final Instance instance;
  private final long deadlineNanos;
  private final long totalNanos;
  private Step step = Step.DRAINING;
  private long abandonedRequests;

  /**
   * Admits nothing any more, acquires nothing any more, and is to be over in {@code totalNanos}.
   */
  ShutdownOrder(final Instance instance, final long deadlineNanos, final long totalNanos) {
    this.instance = instance;
    this.deadlineNanos = deadlineNanos;
    this.totalNanos = totalNanos;
    instance.pause();
  }

  /** Takes every step whose turn has come at {@code nowNanos}. Returns whether it is over. */
  boolean advance(final long nowNanos) {
    if (abandonsAt(nowNanos)) {
      abandonedRequests = instance.admission().sweepAbandoned();
      step = Step.DRAINING_THE_REST;
    }
    if (step.compareTo(Step.RELEASING) < 0
        && (instance.isDrained() || nowNanos >= deadlineNanos - totalNanos / RELEASE_SHARE)) {
      instance.release();
      step = Step.RELEASING;
    }
    if (step == Step.RELEASING
        && (instance.isReleased() || nowNanos >= deadlineNanos - totalNanos / LEAVE_SHARE)) {
      step = Step.OVER;
    }
    return step == Step.OVER;
  }

  /** Whether requests that still run are ended at {@code nowNanos}, if it is advanced then. */
  boolean abandonsAt(final long nowNanos) {
    return step == Step.DRAINING
        && !instance.isDrained()
        && nowNanos >= deadlineNanos - totalNanos / REQUESTS_SHARE;
  }

  /** What it left behind. For the thread that runs the instance, or after its last run. */
  ShutdownReport report() {
    return instance.report(abandonedRequests);
  }
}
