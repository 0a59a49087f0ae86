package io.tollgrid.node.cli;

import io.tollgrid.ledger.port.LedgerClock;
import java.io.PrintWriter;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Says how far something long has come: a plain line every two seconds, nothing before the first
 * two. Not thread-safe.
 */
final class Progress {
  private static final long EVERY_NANOS = TimeUnit.SECONDS.toNanos(2);

  private final PrintWriter err;
  private final LedgerClock clock;
  private long nextNanos;

  Progress(PrintWriter err, LedgerClock clock) {
    this.err = err;
    this.clock = clock;
    this.nextNanos = clock.nowNanos() + EVERY_NANOS;
  }

  void say(Supplier<String> how) {
    final long nowNanos = clock.nowNanos();
    if (nowNanos >= nextNanos) {
      nextNanos = nowNanos + EVERY_NANOS;
      err.println("tollgrid: " + how.get());
      err.flush();
    }
  }
}
