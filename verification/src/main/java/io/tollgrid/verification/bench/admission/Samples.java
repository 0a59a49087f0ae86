package io.tollgrid.verification.bench.admission;

import java.util.LinkedHashMap;
import java.util.Map;

/** One benchmark over the rounds of a run. */
final class Samples {
  /** What JMH's own threads and the profiler leave per operation; the smallest object has 16. */
  private static final double NOISE_BYTES = 0.1;

  private final Series scores = new Series();
  private final Series bytes = new Series();

  void add(Sample sample) {
    scores.add(sample.score());
    bytes.add(sample.bytesPerOperation());
  }

  Series scores() {
    return scores;
  }

  double median() {
    return scores.median();
  }

  double last() {
    return scores.last();
  }

  /** Whether an operation allocates nothing. */
  boolean allocateNothing() {
    return bytes.median() < NOISE_BYTES;
  }

  /** Time and bytes per operation. */
  Map<String, Object> perOperation() {
    final Map<String, Object> summary = new LinkedHashMap<>();
    summary.put("nanos", scores.summary());
    summary.put("bytes", bytes.summary());
    return summary;
  }
}
