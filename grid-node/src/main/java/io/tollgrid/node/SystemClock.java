package io.tollgrid.node;

import io.tollgrid.ledger.port.LedgerClock;
import java.time.Instant;

/** The machine's wall clock: the only place in a node where time is read. */
public final class SystemClock implements LedgerClock {
  private static final long NANOS_PER_SECOND = 1_000_000_000L;

  @Override
  public long nowNanos() {
    final Instant now = Instant.now();
    return Math.addExact(Math.multiplyExact(now.getEpochSecond(), NANOS_PER_SECOND), now.getNano());
  }
}
