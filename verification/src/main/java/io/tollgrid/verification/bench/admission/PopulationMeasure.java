package io.tollgrid.verification.bench.admission;

import io.tollgrid.verification.bench.Figure;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * P8: the cycle over many accounts over the cycle over few, drawn by Zipf and uniformly; beside it
 * what a bare walk over memory does.
 */
final class PopulationMeasure implements Measure {
  private static final double ZIPF_GOAL = 3.5;
  private static final double UNIFORM_GOAL = 8;

  private final Scale scale;
  private final Growth zipf = new Growth(Draws.ZIPF);
  private final Growth uniform = new Growth(Draws.UNIFORM);

  PopulationMeasure(Scale scale) {
    this.scale = scale;
  }

  /** One way to draw: nanoseconds over few accounts and over many. */
  private final class Growth {
    private final Draws draws;
    private final Samples few = new Samples();
    private final Samples many = new Samples();
    private final Series ratios = new Series();
    private final Series walkRatios = new Series();

    Growth(Draws draws) {
      this.draws = draws;
    }

    void round(Forks forks) {
      few.add(run(forks, PopulationBenchmark.class, "cycle", scale.fewAccounts()));
      many.add(run(forks, PopulationBenchmark.class, "cycle", scale.accounts()));
      ratios.add(many.last() / few.last());
      walkRatios.add(
          run(forks, WalkBenchmark.class, "walk", scale.accounts()).score()
              / run(forks, WalkBenchmark.class, "walk", scale.fewAccounts()).score());
    }

    private Sample run(Forks forks, Class<?> benchmark, String method, int accounts) {
      return forks.run(
          benchmark,
          method,
          Map.of("accounts", accounts, "draws", draws),
          accounts == scale.fewAccounts() ? Scale.HEAP_MEGABYTES : scale.largeHeapMegabytes());
    }

    Figure figure(double goal) {
      final Map<String, Object> detail = new LinkedHashMap<>();
      detail.put("draws", draws.name().toLowerCase(Locale.ROOT));
      detail.put("ratios", ratios.summary());
      detail.put("accounts", scale.accounts());
      detail.put("many", many.perOperation());
      detail.put("fewAccounts", scale.fewAccounts());
      detail.put("few", few.perOperation());
      detail.put("bareWalkRatios", walkRatios.summary());
      final double value = ratios.median();
      return new Figure(value, goal, value <= goal, detail);
    }
  }

  @Override
  public String round(Forks forks) {
    zipf.round(forks);
    uniform.round(forks);
    return String.format(
        Locale.ROOT,
        "%d accounts over %d: Zipf %.0f/%.0f ns, ratio %.2f, uniform %.0f/%.0f ns, ratio %.2f",
        scale.accounts(),
        scale.fewAccounts(),
        zipf.many.last(),
        zipf.few.last(),
        zipf.ratios.last(),
        uniform.many.last(),
        uniform.few.last(),
        uniform.ratios.last());
  }

  @Override
  public Map<String, Figure> figures() {
    final Map<String, Figure> figures = new LinkedHashMap<>();
    figures.put("P8", zipf.figure(ZIPF_GOAL));
    figures.put("P8-uniform", uniform.figure(UNIFORM_GOAL));
    return figures;
  }
}
