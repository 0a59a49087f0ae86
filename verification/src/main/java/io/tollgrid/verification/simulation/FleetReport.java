package io.tollgrid.verification.simulation;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * What the simulation of the fleet plane came to.
 *
 * @param runs seeds run
 * @param events events checked, over all seeds
 * @param coverage how often each cell of its coverage table was reached, in the table's order
 * @param traces one paragraph per broken rule: the rule, its shrunk trace, and how to see it again
 */
public record FleetReport(int runs, long events, Map<String, Long> coverage, List<String> traces) {
  /** Cells of the coverage table that were not reached. */
  public Set<String> emptyCells() {
    final Set<String> empty = new TreeSet<>(coverage.keySet());
    empty.removeIf(cell -> coverage.getOrDefault(cell, 0L) > 0);
    return empty;
  }
}
