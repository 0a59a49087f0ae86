package io.tollgrid.verification.faults.run;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What a run must have met for its silence to mean anything: a count and its least value. */
final class Thresholds {
  private final Map<String, Long> least;

  private Thresholds(Map<String, Long> least) {
    this.least = new TreeMap<>(least);
  }

  /** What a full run must show. */
  static Thresholds full() {
    return of(20_000, 20, 10);
  }

  /** What a quick one must show: every kind of fault at least once. */
  static Thresholds quick() {
    return of(2_000, 1, 3);
  }

  private static Thresholds of(long acknowledged, long each, long takeovers) {
    return new Thresholds(
        Map.of(
            "acknowledged", acknowledged,
            "stale", each,
            "no_fence", each,
            "fenced", each,
            "unknown", each,
            "replay", each,
            "takeovers", takeovers,
            "kills", 1L,
            "freezes", 1L,
            "confirmations_lost", each));
  }

  /** What is missing, one line each. */
  List<String> missing(Map<String, Long> counts) {
    final List<String> missing = new ArrayList<>();
    least.forEach(
        (what, count) -> {
          final long found = counts.getOrDefault(what, 0L);
          if (found < count) {
            missing.add(what + " " + found + " of " + count);
          }
        });
    return missing;
  }
}
