package io.tollgrid.verification.bench.ledger;

import io.tollgrid.grid.SystemClock;
import io.tollgrid.ledger.port.LedgerClock;

/** Elapsed time of one measurement. Immutable and safe to share. */
public final class Stopwatch {
  private static final double NANOS_PER_SECOND = 1e9;

  private final LedgerClock clock;
  private final long startedNanos;

  private Stopwatch(LedgerClock clock) {
    this.clock = clock;
    this.startedNanos = clock.nowNanos();
  }

  /** Starts one. */
  public static Stopwatch start() {
    return new Stopwatch(new SystemClock());
  }

  /** Since its start. */
  public long elapsedNanos() {
    return clock.nowNanos() - startedNanos;
  }

  /** Since its start. */
  public double elapsedSeconds() {
    return elapsedNanos() / NANOS_PER_SECOND;
  }
}
