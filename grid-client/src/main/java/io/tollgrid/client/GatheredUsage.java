package io.tollgrid.client;

import io.tollgrid.ledger.Id128;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Events that wait for a batch, gathered by account: a ledger writes what it is given of one
 * account at once, so the longer they wait the fewer commands they are. Not thread-safe.
 */
final class GatheredUsage<E> {
  private static final class OfAccount<E> {
    final long sinceNanos;
    final List<E> events = new ArrayList<>(2);

    OfAccount(final long sinceNanos) {
      this.sinceNanos = sinceNanos;
    }
  }

  private final int batchEvents;

  /** Accounts with less than a batch, the one in front whose event has waited longest. */
  private final Map<Id128, OfAccount<E>> accounts = new LinkedHashMap<>();

  private final Deque<List<E>> full = new ArrayDeque<>();
  private int size;

  /** For batches of up to so many events. */
  GatheredUsage(final int batchEvents) {
    this.batchEvents = batchEvents;
  }

  int size() {
    return size;
  }

  void add(final Id128 account, final E event, final long nowNanos) {
    final OfAccount<E> gathered =
        accounts.computeIfAbsent(account, id -> new OfAccount<>(nowNanos));
    gathered.events.add(event);
    size++;
    if (gathered.events.size() == batchEvents) {
      accounts.remove(account);
      full.add(gathered.events);
    }
  }

  /** Since when the event in front has waited; only if there is one. */
  long sinceNanos() {
    return full.isEmpty() ? accounts.values().iterator().next().sinceNanos : Long.MIN_VALUE;
  }

  /**
   * The next batch: of one account if there is one with so many events, or else of those that have
   * waited longest.
   */
  List<E> next() {
    final List<E> batch = full.isEmpty() ? oldest() : full.removeFirst();
    size -= batch.size();
    return batch;
  }

  private List<E> oldest() {
    final List<E> batch = new ArrayList<>(Math.min(size, batchEvents));
    final Iterator<OfAccount<E>> eldest = accounts.values().iterator();
    while (eldest.hasNext() && batch.size() < batchEvents) {
      final List<E> events = eldest.next().events;
      final List<E> taken = events.subList(0, Math.min(events.size(), batchEvents - batch.size()));
      batch.addAll(taken);
      taken.clear();
      if (events.isEmpty()) {
        eldest.remove();
      }
    }
    return batch;
  }
}
