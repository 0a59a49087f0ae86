package io.tollgrid.verification.bench.ledger;

import io.tollgrid.grid.SystemClock;
import io.tollgrid.ledger.port.LedgerClock;

/** Elapsed time of one measurement. Immutable and safe to share. */
final class Stopwatch {
  private static final double NANOS_PER_SECOND = 1e9;

  private final LedgerClock clock;
  private final long startedNanos;

  private Stopwatch(LedgerClock clock) {
    this.clock = clock;
    this.startedNanos = clock.nowNanos();
  }

  static Stopwatch start() {
    return new Stopwatch(new SystemClock());
  }

  long elapsedNanos() {
    return clock.nowNanos() - startedNanos;
  }

  double elapsedSeconds() {
    return elapsedNanos() / NANOS_PER_SECOND;
  }
}
