package io.tollgrid.verification.bench.admission;

import io.tollgrid.verification.bench.Figure;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * P3: requests per second of two threads on one account over those of one thread. The figure is of
 * a lease in two shards and a principal for each thread; beside it one shard, and one principal.
 */
final class HotAccountMeasure implements Measure {
  private static final double GOAL = 1.7;
  private static final int THREADS = 2;

  /** An account and how it is used: requests per microsecond of one thread and of two. */
  private static final class Scaling {
    final int shards;
    final int principals;
    final Series alone = new Series();
    final Series together = new Series();
    final Series ratios = new Series();

    Scaling(int shards, int principals) {
      this.shards = shards;
      this.principals = principals;
    }

    void round(Forks forks) {
      alone.add(run(forks, 1));
      together.add(run(forks, THREADS));
      ratios.add(together.last() / alone.last());
    }

    private double run(Forks forks, int threads) {
      return forks
          .run(
              HotAccountBenchmark.class,
              "cycle",
              Map.of("shards", shards, "principals", principals),
              Scale.HEAP_MEGABYTES,
              threads)
          .score();
    }

    Map<String, Object> summary() {
      final Map<String, Object> summary = new LinkedHashMap<>();
      summary.put("shards", shards);
      summary.put("principals", principals);
      summary.put("oneThreadPerMicro", alone.summary());
      summary.put("twoThreadsPerMicro", together.summary());
      summary.put("ratios", ratios.summary());
      return summary;
    }
  }

  private final Scaling sharded = new Scaling(THREADS, THREADS);
  private final Scaling onePrincipal = new Scaling(THREADS, 1);
  private final Scaling unsharded = new Scaling(1, THREADS);

  @Override
  public String round(Forks forks) {
    sharded.round(forks);
    onePrincipal.round(forks);
    unsharded.round(forks);
    return String.format(
        Locale.ROOT,
        "two threads over one: sharded %.2f, of one principal %.2f, unsharded %.2f",
        sharded.ratios.last(),
        onePrincipal.ratios.last(),
        unsharded.ratios.last());
  }

  @Override
  public Map<String, Figure> figures() {
    final Map<String, Object> detail = new LinkedHashMap<>();
    detail.put("sharded", sharded.summary());
    detail.put("onePrincipal", onePrincipal.summary());
    detail.put("unsharded", unsharded.summary());
    final double value = sharded.ratios.median();
    return Map.of("P3", new Figure(value, GOAL, value >= GOAL, detail));
  }
}
