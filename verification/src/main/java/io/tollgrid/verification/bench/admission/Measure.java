package io.tollgrid.verification.bench.admission;

import io.tollgrid.verification.bench.Figure;
import java.util.Map;

/** One or more figures that are measured together, a round at a time. */
interface Measure {
  /** Measures everything once, both sides of each ratio one after the other. Says what came out. */
  String round(Forks forks);

  /** The figures after the last round, by id. */
  Map<String, Figure> figures();
}
