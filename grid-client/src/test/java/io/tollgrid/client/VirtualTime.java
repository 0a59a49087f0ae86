package io.tollgrid.client;

import io.tollgrid.ledger.port.LedgerClock;
import java.util.Comparator;
import java.util.PriorityQueue;

/** A clock that moves only from one planned event to the next. */
final class VirtualTime implements LedgerClock {
  private record Event(long atNanos, long order, Runnable action) {}

  private final PriorityQueue<Event> events =
      new PriorityQueue<>(Comparator.comparingLong(Event::atNanos).thenComparingLong(Event::order));
  private long nowNanos;
  private long planned;

  VirtualTime(long startNanos) {
    this.nowNanos = startNanos;
  }

  @Override
  public long nowNanos() {
    return nowNanos;
  }

  void after(long nanos, Runnable action) {
    events.add(new Event(Math.addExact(nowNanos, nanos), planned++, action));
  }

  long nextNanos() {
    return events.isEmpty() ? Long.MAX_VALUE : events.peek().atNanos();
  }

  /** Moves to {@code nanos} and does what was planned for then. */
  void moveTo(long nanos) {
    nowNanos = Math.max(nowNanos, nanos);
    while (!events.isEmpty() && events.peek().atNanos() <= nowNanos) {
      events.remove().action().run();
    }
  }
}
