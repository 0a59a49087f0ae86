package io.tollgrid.verification.house.sample.node;

import io.tollgrid.verification.house.sample.ledger.port.LedgerClock;

/** Reads time, as it may. */
final class ClockAdapter implements LedgerClock {
  @Override
  public long nowNanos() {
    return System.nanoTime();
  }
}
