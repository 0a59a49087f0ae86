package io.tollgrid.verification.bench.admission;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The same number over the rounds of a run. */
final class Series {
  private final List<Double> values = new ArrayList<>();

  void add(double value) {
    values.add(value);
  }

  double last() {
    return values.get(values.size() - 1);
  }

  double median() {
    final List<Double> sorted = new ArrayList<>(values);
    Collections.sort(sorted);
    final int middle = sorted.size() / 2;
    return sorted.size() % 2 == 1
        ? sorted.get(middle)
        : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
  }

  /** Median, least and greatest, for a figure's detail. */
  Map<String, Object> summary() {
    final Map<String, Object> summary = new LinkedHashMap<>();
    summary.put("median", rounded(median()));
    summary.put("min", rounded(Collections.min(values)));
    summary.put("max", rounded(Collections.max(values)));
    return summary;
  }

  /** To a thousandth: no clock here is better. */
  static double rounded(double value) {
    return Math.round(value * 1_000) / 1_000.0;
  }
}
