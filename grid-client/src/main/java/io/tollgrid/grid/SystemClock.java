package io.tollgrid.grid;

import io.tollgrid.ledger.port.LedgerClock;
import java.time.Instant;

/**
 * The machine's wall clock: the only place in a process where time is read. Safe for use by any
 * thread.
 */
public final class SystemClock implements LedgerClock {
  private static final long NANOS_PER_SECOND = 1_000_000_000L;

  @Override
  public long nowNanos() {
    final Instant now = Instant.now();
    return Math.addExact(Math.multiplyExact(now.getEpochSecond(), NANOS_PER_SECOND), now.getNano());
  }
}
