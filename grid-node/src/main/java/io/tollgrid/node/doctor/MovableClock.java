package io.tollgrid.node.doctor;

import io.tollgrid.grid.SystemClock;
import io.tollgrid.ledger.port.LedgerClock;
import java.time.Duration;

/** The time, off by as much as one wants. Thread-safe. */
final class MovableClock implements LedgerClock {
  private final LedgerClock right = new SystemClock();
  private volatile long offNanos;

  /** From now on it is ahead by this much. */
  void isAheadBy(Duration off) {
    offNanos = off.toNanos();
  }

  @Override
  public long nowNanos() {
    return right.nowNanos() + offNanos;
  }
}
