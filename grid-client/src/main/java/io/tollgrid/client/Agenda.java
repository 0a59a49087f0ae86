package io.tollgrid.client;

import java.util.ArrayList;
import java.util.List;

/**
 * When each duty is due next. Confined to the instance's thread.
 *
 * <p>A duty is listed once; naming an earlier time moves it forward, naming a later one changes
 * nothing until it has been performed.
 */
final class Agenda {
  /** A binary heap by time, then by order; the duty of place {@code n} is at {@code n - 1}. */
  private final List<Duty> heap = new ArrayList<>();

  private long entries;

  /** Calls on a duty at {@code atNanos} at the latest. */
  void callOn(final Duty duty, final long atNanos) {
    final boolean listed = duty.place > 0;
    if (atNanos == Duty.NEVER || (listed && duty.dueNanos <= atNanos)) {
      return;
    }
    if (!listed) {
      heap.add(duty);
      duty.place = heap.size();
    }
    duty.dueNanos = atNanos;
    duty.order = entries++;
    rise(duty);
  }

  /**
   * Performs everything that is due, once each; what they add for now is left for the next call.
   */
  void perform(final long nowNanos) {
    final long before = entries;
    while (!heap.isEmpty()) {
      final Duty first = heap.get(0);
      if (first.dueNanos > nowNanos || first.order >= before) {
        return;
      }
      removeFirst();
      callOn(first, first.perform(nowNanos));
    }
  }

  /** When the next duty is due. */
  long nextNanos() {
    return heap.isEmpty() ? Duty.NEVER : heap.get(0).dueNanos;
  }

  /** Calls on every duty at once: time has stepped back, and their times mean nothing any more. */
  void callOnAll(final long nowNanos) {
    List.copyOf(heap).forEach(duty -> callOn(duty, nowNanos));
  }

  private void removeFirst() {
    heap.get(0).place = 0;
    final Duty last = heap.remove(heap.size() - 1);
    if (!heap.isEmpty()) {
      put(last, 1);
      sink(last);
    }
  }

  private void rise(final Duty duty) {
    while (duty.place > 1 && comesBefore(duty, at(duty.place / 2))) {
      swap(duty, at(duty.place / 2));
    }
  }

  private void sink(final Duty duty) {
    while (2 * duty.place <= heap.size()) {
      final Duty left = at(2 * duty.place);
      final Duty right = 2 * duty.place < heap.size() ? at(2 * duty.place + 1) : left;
      final Duty sooner = comesBefore(right, left) ? right : left;
      if (!comesBefore(sooner, duty)) {
        return;
      }
      swap(duty, sooner);
    }
  }

  private void swap(final Duty one, final Duty other) {
    final int place = one.place;
    put(one, other.place);
    put(other, place);
  }

  private void put(final Duty duty, final int place) {
    heap.set(place - 1, duty);
    duty.place = place;
  }

  private Duty at(final int place) {
    return heap.get(place - 1);
  }

  private static boolean comesBefore(final Duty one, final Duty other) {
    return one.dueNanos != other.dueNanos ? one.dueNanos < other.dueNanos : one.order < other.order;
  }
}
