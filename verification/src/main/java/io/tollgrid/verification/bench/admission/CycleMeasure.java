package io.tollgrid.verification.bench.admission;

import io.tollgrid.verification.bench.Figure;
import io.tollgrid.verification.bench.admission.CycleBenchmark.Consumer;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * P1: the whole cycle, its usage drained by another thread, over one call of Bucket4j's local
 * bucket. Beside it the cycle with parts left out, and the other peers.
 */
final class CycleMeasure implements Measure {
  private static final double GOAL = 2.0;
  private static final double PERCENT = 100;

  private final Samples cycle = new Samples();
  private final Samples bucket4j = new Samples();
  private final Samples guava = new Samples();
  private final Samples resilience4j = new Samples();
  private final Samples eagerConsumer = new Samples();
  private final Map<Limits, Samples> drainedHere = new LinkedHashMap<>();
  private final Series ratios = new Series();

  @Override
  public String round(Forks forks) {
    cycle.add(handedOver(forks, Consumer.LINGERING));
    bucket4j.add(peer(forks, "bucket4j"));
    guava.add(peer(forks, "guava"));
    resilience4j.add(peer(forks, "resilience4j"));
    eagerConsumer.add(handedOver(forks, Consumer.EAGER));
    for (final Limits limits : Limits.values()) {
      drainedHere.computeIfAbsent(limits, none -> new Samples()).add(drainedHere(forks, limits));
    }
    ratios.add(cycle.last() / bucket4j.last());
    return String.format(
        Locale.ROOT,
        "cycle %.1f ns, Bucket4j %.1f ns, ratio %.2f",
        cycle.last(),
        bucket4j.last(),
        ratios.last());
  }

  @Override
  public Map<String, Figure> figures() {
    final Map<String, Object> detail = new LinkedHashMap<>();
    detail.put("ratios", ratios.summary());
    detail.put("cycle", cycle.perOperation());
    detail.put("bucket4j", bucket4j.perOperation());
    detail.put("guava", guava.perOperation());
    detail.put("resilience4j", resilience4j.perOperation());
    detail.put("percentOfBucket4j", percentOf(bucket4j));
    detail.put("percentOfGuava", percentOf(guava));
    detail.put("percentOfResilience4j", percentOf(resilience4j));
    detail.put("cycleWithEagerConsumer", eagerConsumer.perOperation());
    final Map<String, Object> parts = new LinkedHashMap<>();
    drainedHere.forEach(
        (limits, samples) ->
            parts.put(limits.name().toLowerCase(Locale.ROOT), samples.perOperation()));
    detail.put("cycleDrainedBySameThreadByLimits", parts);
    final double value = ratios.median();
    return Map.of("P1", new Figure(value, GOAL, value <= GOAL && cycle.allocateNothing(), detail));
  }

  private double percentOf(Samples peer) {
    return Series.rounded(PERCENT * cycle.median() / peer.median());
  }

  private static Sample handedOver(Forks forks, Consumer consumer) {
    return forks.run(
        CycleBenchmark.class,
        "cycle",
        Map.of("limits", Limits.BOTH, "consumer", consumer),
        Scale.HEAP_MEGABYTES);
  }

  private static Sample drainedHere(Forks forks, Limits limits) {
    return forks.run(PartsBenchmark.class, "cycle", Map.of("limits", limits), Scale.HEAP_MEGABYTES);
  }

  private static Sample peer(Forks forks, String name) {
    return forks.run(PeerBenchmark.class, name, Map.of(), Scale.HEAP_MEGABYTES);
  }
}
