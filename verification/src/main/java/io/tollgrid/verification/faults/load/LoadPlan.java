package io.tollgrid.verification.faults.load;

import java.util.Map;
import java.util.TreeMap;

/**
 * What one process submits.
 *
 * @param seed the run's seed
 * @param accounts accounts of the run
 * @param callers callers of this process
 * @param number this process among those that load, from 1
 * @param history the file its history goes to
 * @param evictionsPerSecond accounts it evicts from the grid's memory
 * @param pauseMillis how long a caller pauses after each answer
 */
public record LoadPlan(
    long seed,
    int accounts,
    int callers,
    int number,
    String history,
    int evictionsPerSecond,
    int pauseMillis) {
  /** Reads {@link #fields}. */
  public static LoadPlan of(Map<String, String> fields) {
    return new LoadPlan(
        Long.parseLong(fields.getOrDefault("seed", "0")),
        Integer.parseInt(fields.getOrDefault("accounts", "0")),
        Integer.parseInt(fields.getOrDefault("callers", "0")),
        Integer.parseInt(fields.getOrDefault("number", "0")),
        fields.getOrDefault("history", ""),
        Integer.parseInt(fields.getOrDefault("evictions", "0")),
        Integer.parseInt(fields.getOrDefault("pause", "0")));
  }

  /** The values by name. */
  public Map<String, String> fields() {
    final Map<String, String> fields = new TreeMap<>();
    fields.put("seed", Long.toString(seed));
    fields.put("accounts", Integer.toString(accounts));
    fields.put("callers", Integer.toString(callers));
    fields.put("number", Integer.toString(number));
    fields.put("history", history);
    fields.put("evictions", Integer.toString(evictionsPerSecond));
    fields.put("pause", Integer.toString(pauseMillis));
    return fields;
  }
}
