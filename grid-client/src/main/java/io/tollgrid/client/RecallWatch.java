package io.tollgrid.client;

import io.tollgrid.ledger.Recall;
import org.jspecify.annotations.Nullable;

/**
 * What an instance knows about recalls of one account: whether someone else needs units it may
 * hold. Confined to the instance's thread.
 */
final class RecallWatch {
  /*
   * Who needs what others hold and use never gets it while they take turns. So a recall that has stood for a while
   * presses: for a window of time everyone gives up what is in use too, and demands that are no larger wait until it is
   * met. All count from when the ledger first noted it, so their windows meet, as they must. A recall that nobody can meet,
   * for the missing units are under running work, costs other demands no more than a window in each lifetime of a lease.
   *
   * Holders hear of a recall by word. Looks are for those whom it does not reach: often after a grant, which may be what
   * another one lacked, then ever more rarely, but often enough to be in time for the window.
   */
  private static final int PATIENCE_SHARE = 4;
  private static final int WINDOW_SHARE = 8;

  /** How often word is sent of a recall that is still not met. */
  private static final long QUIET_NANOS = 1_000_000_000L;

  /** Pauses between looks double no more often than this, however long a lease lasts. */
  private static final int MAX_DOUBLINGS = 30;

  /** Word that was sent of our own recall. */
  private record Word(long units, long quietUntilNanos) {}

  private final InstanceContext context;
  private @Nullable Recall foreign;
  private @Nullable Word sent;
  private boolean looking;
  private long lookedAtNanos;

  /** How often the pause between looks has doubled since the last grant. */
  private int doublings;

  /**
   * A watch for an instance; within the time that a lease lasts by its settings a recall is to be
   * answered.
   */
  RecallWatch(final InstanceContext context) {
    this.context = context;
  }

  private boolean isOurs(final Recall recall) {
    return recall.holder().equals(context.holder());
  }

  private long ttlNanos() {
    return context.settings().leases().ttlNanos();
  }

  private long firstLookNanos() {
    return context.settings().leases().recallPollNanos();
  }

  /** Takes note of what an answer, or a look, said. Our own recall is none (R2). */
  void seen(final @Nullable Recall recall, final long nowNanos) {
    lookedAtNanos = nowNanos;
    foreign = recall == null || isOurs(recall) ? null : recall;
  }

  /** Takes note of word that arrived; it is no look at the ledger. */
  void heard(final Recall recall) {
    if (!isOurs(recall)) {
      foreign = recall;
    }
  }

  /**
   * Whether word of a recall should be sent: it is our own, and larger or much later than the last
   * of which word was sent.
   */
  boolean isNews(final @Nullable Recall recall, final long nowNanos) {
    if (recall == null
        || !isOurs(recall)
        || (sent != null && nowNanos < sent.quietUntilNanos() && recall.units() <= sent.units())) {
      return false;
    }
    sent = new Word(recall.units(), nowNanos + QUIET_NANOS);
    return true;
  }

  /** Whether another holder needs units now. */
  boolean isForeign(final long nowNanos) {
    return standing(nowNanos) != null;
  }

  /** When the recall that stands ends by itself; never if none stands. */
  long standsUntilNanos(final long nowNanos) {
    final Recall recall = standing(nowNanos);
    return recall == null ? Duty.NEVER : recall.expiresAtNanos();
  }

  private @Nullable Recall standing(final long nowNanos) {
    return foreign != null && nowNanos < foreign.expiresAtNanos() ? foreign : null;
  }

  /** Whether a recall has stood for so long that leases in use answer it too, now. */
  boolean isPressing(final long nowNanos) {
    final Recall recall = standing(nowNanos);
    if (recall == null) {
      return false;
    }
    final long pressingNanos = nowNanos - firstPressesAtNanos(recall);
    return pressingNanos >= 0 && pressingNanos % ttlNanos() < ttlNanos() / WINDOW_SHARE;
  }

  /** Whether a demand of so many units waits now, because one that is no smaller presses. */
  boolean goesBefore(final long units, final long nowNanos) {
    return foreign != null && units <= foreign.units() && isPressing(nowNanos);
  }

  /**
   * Whether a lease that nobody has asked for is not to be had now. One that could not be met once
   * it has pressed is in nobody's way any more, but for its windows.
   */
  boolean goesBeforeWishes(final long nowNanos) {
    final Recall recall = standing(nowNanos);
    return recall != null && (nowNanos < firstPressesAtNanos(recall) || isPressing(nowNanos));
  }

  /** When the recall that stands will press, if it still stands then. */
  long pressesAtNanos(final long nowNanos) {
    final Recall recall = standing(nowNanos);
    if (recall == null) {
      return Duty.NEVER;
    }
    final long firstNanos = firstPressesAtNanos(recall);
    final long pressingNanos = nowNanos - firstNanos;
    return pressingNanos < 0 ? firstNanos : nowNanos + ttlNanos() - pressingNanos % ttlNanos();
  }

  private long firstPressesAtNanos(final Recall recall) {
    return recall.sinceNanos() + ttlNanos() / PATIENCE_SHARE;
  }

  /** Units were granted: others may soon need them. */
  void granted() {
    doublings = 0;
  }

  /** When to look again at the latest; half-way to its end, if a recall stands. */
  long nextLookNanos(final long nowNanos) {
    if (isPressing(nowNanos)) {
      return lookedAtNanos + firstLookNanos();
    }
    final Recall recall = standing(nowNanos);
    return lookedAtNanos
        + (recall == null
            ? quietPauseNanos()
            : Math.max(firstLookNanos(), (recall.expiresAtNanos() - nowNanos) / 2));
  }

  /** The pause between looks while no recall stands. */
  private long quietPauseNanos() {
    final long firstNanos = firstLookNanos();
    final long longestNanos = Math.max(firstNanos, ttlNanos() / WINDOW_SHARE);
    return doublings < Long.numberOfLeadingZeros(firstNanos) - 1
        ? Math.min(firstNanos << doublings, longestNanos)
        : longestNanos;
  }

  /** A look at the ledger begins. */
  void look() {
    looking = true;
  }

  /** A look has ended. */
  void looked(final @Nullable Recall recall, final long nowNanos) {
    looking = false;
    doublings = Math.min(doublings + 1, MAX_DOUBLINGS);
    seen(recall, nowNanos);
  }

  boolean isLooking() {
    return looking;
  }
}
