package io.tollgrid.admission.request;

import io.tollgrid.admission.outcome.OutcomeCounters;
import org.jspecify.annotations.Nullable;

/**
 * The request that an {@link AdmissionRequest} has open, kept apart from it: when nobody can reach
 * the object any more, this is what still tells that something was left open (R21).
 *
 * <p>Here and in its neighbours a reference is written only where it changes: in a heap that has
 * been collected, the write barrier of a reference costs as much as a compare-and-set. What is not
 * needed any more is therefore left standing until the next request.
 */
final class OpenRequest implements Runnable {
  private final Admission admission;
  private final OutcomeCounters.Writer outcomes;
  private boolean open;
  private @Nullable UsageSlot slot;
  private long use;

  OpenRequest(final Admission admission, final OutcomeCounters.Writer outcomes) {
    this.admission = admission;
    this.outcomes = outcomes;
  }

  void set(final UsageSlot held, final long opened) {
    if (slot != held) {
      slot = held;
    }
    use = opened;
    open = true;
  }

  @Nullable UsageSlot slot() {
    return open ? slot : null;
  }

  long use() {
    return use;
  }

  void clear() {
    open = false;
  }

  /** The request object is gone. */
  @Override
  public void run() {
    final UsageSlot left = slot();
    if (left != null) {
      admission.abandon(left, use);
    }
    admission.counters().retire(outcomes);
  }
}
