package io.tollgrid.admission.request;

import org.jspecify.annotations.Nullable;

/**
 * The request that an {@link AdmissionRequest} has open, kept apart from it: when nobody can reach
 * the object any more, this is what still tells that something was left open (R21).
 */
final class OpenRequest implements Runnable {
  private final Admission admission;
  private @Nullable UsageSlot slot;
  private long use;

  OpenRequest(final Admission admission) {
    this.admission = admission;
  }

  void set(final UsageSlot held, final long opened) {
    slot = held;
    use = opened;
  }

  @Nullable UsageSlot slot() {
    return slot;
  }

  long use() {
    return use;
  }

  void clear() {
    slot = null;
  }

  /** The request object is gone. */
  @Override
  public void run() {
    final UsageSlot left = slot;
    if (left != null) {
      admission.abandon(left, use);
    }
  }
}
