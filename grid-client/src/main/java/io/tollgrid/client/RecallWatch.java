package io.tollgrid.client;

import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.Recall;
import org.jspecify.annotations.Nullable;

/**
 * What an instance knows about recalls of one account: whether someone else needs units it may
 * hold. Confined to the instance's thread.
 */
final class RecallWatch {
  /** How often word is sent of a recall that is still not met. */
  private static final long QUIET_NANOS = 1_000_000_000L;

  private final Id128 holder;
  private @Nullable Recall foreign;
  private boolean looking;
  private long lookedAtNanos;
  private long sentUnits;
  private long quietUntilNanos;

  RecallWatch(final Id128 holder) {
    this.holder = holder;
  }

  /** Takes note of what an answer, or a look, said. Our own recall is none (R2). */
  void seen(final @Nullable Recall recall, final long nowNanos) {
    lookedAtNanos = nowNanos;
    foreign = recall == null || recall.holder().equals(holder) ? null : recall;
  }

  /** Takes note of word that arrived; it is no look at the ledger. */
  void heard(final Recall recall) {
    if (!recall.holder().equals(holder)) {
      foreign = recall;
    }
  }

  /**
   * Whether word of a recall should be sent: it is our own, and larger or much later than the last
   * of which word was sent.
   */
  boolean isNews(final @Nullable Recall recall, final long nowNanos) {
    if (recall == null
        || !recall.holder().equals(holder)
        || (nowNanos < quietUntilNanos && recall.units() <= sentUnits)) {
      return false;
    }
    sentUnits = recall.units();
    quietUntilNanos = nowNanos + QUIET_NANOS;
    return true;
  }

  /** Whether another holder needs units now. */
  boolean isForeign(final long nowNanos) {
    return foreign != null && nowNanos < foreign.expiresAtNanos();
  }

  /** A look at the ledger begins. */
  void look() {
    looking = true;
  }

  /** A look has ended. */
  void looked(final @Nullable Recall recall, final long nowNanos) {
    looking = false;
    seen(recall, nowNanos);
  }

  boolean isLooking() {
    return looking;
  }

  long lookedAtNanos() {
    return lookedAtNanos;
  }
}
