package io.tollgrid.verification.faults.run;

import io.tollgrid.verification.faults.check.Violation;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What one run or lane showed.
 *
 * @param name which
 * @param counts what was counted, by name
 * @param violations where the ledger was not exact
 * @param shortfalls what the run was to show and did not, in words: it proves too little
 * @param planted breaks that were planted into copies of its evidence, and whether each was found
 */
public record RunResult(
    String name,
    Map<String, Long> counts,
    List<Violation> violations,
    List<String> shortfalls,
    Map<String, Boolean> planted) {
  /** Copies the collections. */
  public RunResult {
    counts = new TreeMap<>(counts);
    violations = List.copyOf(violations);
    shortfalls = List.copyOf(shortfalls);
    planted = new TreeMap<>(planted);
  }

  /** Whether it showed everything it was to show, and nothing was wrong. */
  public boolean good() {
    return violations.isEmpty() && shortfalls.isEmpty() && !planted.containsValue(false);
  }

  /** A count, 0 if it was not counted. */
  public long count(String what) {
    return counts.getOrDefault(what, 0L);
  }
}
