package io.tollgrid.verification.bench.admission;

import io.tollgrid.verification.bench.Figure;
import java.util.Locale;
import java.util.Map;

/** P2: a debit and its refund, nanoseconds. */
final class LeaseMeasure implements Measure {
  private static final double GOAL_NANOS = 15;

  private final Samples lease = new Samples();

  @Override
  public String round(Forks forks) {
    lease.add(forks.run(LeaseBenchmark.class, "debitAndRefund", Map.of(), Scale.HEAP_MEGABYTES));
    return String.format(Locale.ROOT, "lease debit and refund %.1f ns", lease.last());
  }

  @Override
  public Map<String, Figure> figures() {
    final double value = lease.median();
    return Map.of(
        "P2",
        new Figure(
            value,
            GOAL_NANOS,
            value <= GOAL_NANOS && lease.allocateNothing(),
            lease.perOperation()));
  }
}
