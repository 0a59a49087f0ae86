package io.tollgrid.admission.request;

import io.tollgrid.admission.concurrency.ConcurrencyGauge;
import io.tollgrid.admission.concurrency.ExecutionCapacity;
import org.jspecify.annotations.Nullable;

/**
 * What a request occupies while it is open: a place in its principal's gauge, one in each
 * account's, and execution capacity once it runs. Owned like the slot it belongs to; leaving twice
 * is leaving once (R30).
 */
final class Occupancy {
  private static final int MAX_GAUGES = 1 + PhaseWord.MAX_LEGS;

  private final @Nullable ConcurrencyGauge[] gauges = new ConcurrencyGauge[MAX_GAUGES];
  private final int[] tokens = new int[MAX_GAUGES];
  private int entered;
  private @Nullable ExecutionCapacity capacity;
  private boolean running;
  private int capacityToken;

  /** Enters a gauge; false if it is full. */
  boolean tryEnter(final ConcurrencyGauge gauge, final int stripe) {
    final int token = gauge.tryEnter(stripe);
    if (token == ConcurrencyGauge.REFUSED) {
      return false;
    }
    put(gauge);
    tokens[entered] = token;
    entered++;
    return true;
  }

  /** Takes over execution capacity that was entered. */
  void occupy(final ExecutionCapacity held, final int token) {
    if (capacity != held) {
      capacity = held;
    }
    running = true;
    capacityToken = token;
  }

  /** Takes over all that {@code other} occupies. */
  void takeOver(final Occupancy other) {
    for (entered = 0; entered < other.entered; entered++) {
      put(other.gauges[entered]);
      tokens[entered] = other.tokens[entered];
    }
    if (capacity != other.capacity) {
      capacity = other.capacity;
    }
    running = other.running;
    capacityToken = other.capacityToken;
    other.forget();
  }

  /** Leaves everything, the last entered first. */
  void leave() {
    if (running && capacity != null) {
      capacity.leave(capacityToken);
    }
    for (int i = entered - 1; i >= 0; i--) {
      final ConcurrencyGauge gauge = gauges[i];
      if (gauge != null) {
        gauge.leave(tokens[i]);
      }
    }
    forget();
  }

  private void forget() {
    entered = 0;
    running = false;
  }

  private void put(final @Nullable ConcurrencyGauge gauge) {
    if (gauges[entered] != gauge) {
      gauges[entered] = gauge;
    }
  }
}
