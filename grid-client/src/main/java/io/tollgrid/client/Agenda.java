package io.tollgrid.client;

import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.PriorityQueue;

/**
 * When each duty is due next. Confined to the instance's thread.
 *
 * <p>A duty has one entry; naming an earlier time moves it forward, naming a later one changes
 * nothing until it has been performed. Superseded entries are dropped when they surface.
 */
final class Agenda {
  private record Entry(Duty duty, long atNanos, long order) {}

  private final PriorityQueue<Entry> queue =
      new PriorityQueue<>(Comparator.comparingLong(Entry::atNanos).thenComparingLong(Entry::order));
  private final Map<Duty, Entry> current = new HashMap<>();
  private long entries;

  /** Calls on a duty at {@code atNanos} at the latest. */
  void callOn(final Duty duty, final long atNanos) {
    if (atNanos == Duty.NEVER) {
      return;
    }
    final Entry known = current.get(duty);
    if (known == null || atNanos < known.atNanos()) {
      final Entry entry = new Entry(duty, atNanos, entries++);
      current.put(duty, entry);
      queue.add(entry);
    }
  }

  /**
   * Performs everything that is due, once each; what they add for now is left for the next call.
   */
  void perform(final long nowNanos) {
    final long before = entries;
    for (Entry entry = queue.peek();
        entry != null && entry.atNanos() <= nowNanos && entry.order() < before;
        entry = queue.peek()) {
      queue.remove();
      if (current.remove(entry.duty(), entry)) {
        callOn(entry.duty(), entry.duty().perform(nowNanos));
      }
    }
  }

  /** When the next duty is due. */
  long nextNanos() {
    final Entry next = queue.peek();
    return next == null ? Duty.NEVER : next.atNanos();
  }

  /** Calls on every duty at once: time has stepped back, and their times mean nothing any more. */
  void callOnAll(final long nowNanos) {
    for (final Duty duty : current.keySet().toArray(new Duty[0])) {
      callOn(duty, nowNanos);
    }
  }
}
