package io.tollgrid.node.demo;

import io.tollgrid.admission.denial.Denial;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** What the demo's workers saw. Safe for use from any thread; sums are of a moment ago. */
final class DemoTally {
  private final LongAdder served = new LongAdder();
  private final LongAdder billedUnits = new LongAdder();
  private final LongAdder unfundedUnits = new LongAdder();
  private final Map<Denial, LongAdder> denied = new ConcurrentHashMap<>();

  void served(long settledUnits, long unfunded) {
    served.increment();
    billedUnits.add(settledUnits - unfunded);
    unfundedUnits.add(unfunded);
  }

  void denied(Denial denial) {
    denied.computeIfAbsent(denial, first -> new LongAdder()).increment();
  }

  long servedRequests() {
    return served.sum();
  }

  long billedUnits() {
    return billedUnits.sum();
  }

  long unfundedUnits() {
    return unfundedUnits.sum();
  }

  Map<String, Long> deniedRequests() {
    final Map<String, Long> counts = new TreeMap<>();
    denied.forEach((denial, count) -> counts.merge(denial.label(), count.sum(), Long::sum));
    return counts;
  }
}
