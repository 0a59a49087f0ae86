package io.tollgrid.node.replay;

import io.tollgrid.admission.denial.Denial;
import java.util.EnumMap;
import java.util.Map;

/** The sum of a replay's results. Confined to the thread that collects them. */
final class ReplayTotals {
  private final Map<Denial, Long> denied = new EnumMap<>(Denial.class);
  private long requests;
  private long admitted;
  private long billedUnits;
  private long unfundedUnits;

  void add(RowResult result) {
    requests++;
    if (result.denial() == null) {
      admitted++;
      billedUnits = Math.addExact(billedUnits, result.billedUnits());
      unfundedUnits = Math.addExact(unfundedUnits, result.unfundedUnits());
    } else {
      denied.merge(result.denial(), 1L, Long::sum);
    }
  }

  long requests() {
    return requests;
  }

  long admitted() {
    return admitted;
  }

  Map<Denial, Long> denied() {
    return Map.copyOf(denied);
  }

  long billedUnits() {
    return billedUnits;
  }

  long unfundedUnits() {
    return unfundedUnits;
  }
}
