package io.tollgrid.verification.bench.admission;

import io.tollgrid.verification.bench.Figure;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * P1, P2, P3 and P8: the request path without any grid, each measurement in a fork of its own.
 *
 * <p>A round measures everything once, peers included; a round's ratio is of that round alone, and
 * the figure is the median ratio.
 */
public final class AdmissionBench {
  private final Scale scale;
  private final PrintWriter progress;

  /** A bench of this scale. */
  public AdmissionBench(Scale scale, PrintWriter progress) {
    this.scale = scale;
    this.progress = progress;
  }

  /** Runs everything. */
  public Map<String, Figure> run() {
    final Forks forks = new Forks(scale.window(), scale.iterations(), scale.apart());
    final List<Measure> measures =
        List.of(
            new CycleMeasure(),
            new LeaseMeasure(),
            new HotAccountMeasure(),
            new PopulationMeasure(scale));
    for (int round = 1; round <= scale.rounds(); round++) {
      for (final Measure measure : measures) {
        progress.printf("bench: round %d: %s%n", round, measure.round(forks));
        progress.flush();
      }
    }
    final Map<String, Figure> figures = new LinkedHashMap<>();
    measures.forEach(measure -> figures.putAll(measure.figures()));
    return figures;
  }
}
