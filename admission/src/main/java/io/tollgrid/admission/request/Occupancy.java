package io.tollgrid.admission.request;

import io.tollgrid.admission.concurrency.ConcurrencyGauge;
import io.tollgrid.admission.concurrency.ExecutionCapacity;
import java.util.Arrays;
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
  private int capacityToken;

  /** Enters a gauge; false if it is full. */
  boolean tryEnter(final ConcurrencyGauge gauge, final int stripe) {
    final int token = gauge.tryEnter(stripe);
    if (token == ConcurrencyGauge.REFUSED) {
      return false;
    }
    gauges[entered] = gauge;
    tokens[entered] = token;
    entered++;
    return true;
  }

  /** Takes over execution capacity that was entered. */
  void occupy(final ExecutionCapacity held, final int token) {
    capacity = held;
    capacityToken = token;
  }

  /** Takes over all that {@code other} occupies. */
  void takeOver(final Occupancy other) {
    entered = other.entered;
    for (int i = 0; i < entered; i++) {
      gauges[i] = other.gauges[i];
      tokens[i] = other.tokens[i];
    }
    capacity = other.capacity;
    capacityToken = other.capacityToken;
    other.forget();
  }

  /** Leaves everything, the last entered first. */
  void leave() {
    if (capacity != null) {
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
    Arrays.fill(gauges, 0, entered, null);
    entered = 0;
    capacity = null;
  }
}
