package io.tollgrid.client;

import io.tollgrid.ledger.port.LedgerClock;

/** A clock that stands until a test moves it. */
final class ManualTime implements LedgerClock {
  static final long START_NANOS = 1_700_000_000_000_000_000L;
  private long nowNanos = START_NANOS;

  @Override
  public long nowNanos() {
    return nowNanos;
  }

  void advance(long nanos) {
    nowNanos = Math.addExact(nowNanos, nanos);
  }
}
