package io.tollgrid.pipelines.maintenance;

import io.tollgrid.ledger.port.LedgerClock;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Knows whether PostgreSQL was lately found to be older than what this member had already stored in
 * it: a stale replica, or a restored backup.
 *
 * <p>One thread makes the passes; what they saw may be asked by any.
 */
public final class RegressionWatch {
  private static final long NEVER = Long.MIN_VALUE;

  private final LongSupplier regressions;
  private final LedgerClock clock;
  private final Duration lately;
  private long counted;
  private volatile long lastNanos = NEVER;

  /**
   * A watch that has not looked yet.
   *
   * @param regressions how often that was found so far
   * @param lately how long it is remembered
   */
  public RegressionWatch(LongSupplier regressions, LedgerClock clock, Duration lately) {
    this.regressions = regressions;
    this.clock = clock;
    this.lately = lately;
  }

  /** Looks. */
  public void pass() {
    final long now = regressions.getAsLong();
    if (now != counted) {
      counted = now;
      lastNanos = clock.nowNanos();
    }
  }

  /** Whether it was found lately. */
  public boolean isRecent() {
    final long last = lastNanos;
    return last != NEVER && clock.nowNanos() - last < lately.toNanos();
  }
}
