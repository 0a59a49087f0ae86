package io.tollgrid.node;

import io.tollgrid.ledger.port.LedgerClock;
import java.time.Duration;

/** One deadline for a whole stop, fixed by the first request for it (R41). */
record ShutdownDeadline(LedgerClock clock, long atNanos) {
  static ShutdownDeadline after(LedgerClock clock, Duration timeout) {
    return new ShutdownDeadline(clock, Math.addExact(clock.nowNanos(), timeout.toNanos()));
  }

  /** What is left, and at least a second for a step that is reached late. */
  Duration left() {
    final Duration left = Duration.ofNanos(atNanos - clock.nowNanos());
    return left.compareTo(Duration.ofSeconds(1)) < 0 ? Duration.ofSeconds(1) : left;
  }
}
