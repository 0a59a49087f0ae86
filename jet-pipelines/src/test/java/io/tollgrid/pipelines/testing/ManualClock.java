package io.tollgrid.pipelines.testing;

import io.tollgrid.ledger.port.LedgerClock;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** A clock that a test moves. */
public final class ManualClock implements LedgerClock {
  private final AtomicLong now = new AtomicLong(Duration.ofDays(20_000).toNanos());

  @Override
  public long nowNanos() {
    return now.get();
  }

  /** Lets time pass. */
  public void pass(Duration time) {
    now.addAndGet(time.toNanos());
  }
}
