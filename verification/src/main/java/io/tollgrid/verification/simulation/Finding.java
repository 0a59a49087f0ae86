package io.tollgrid.verification.simulation;

import java.util.ArrayList;
import java.util.List;

/**
 * A broken rule with the shortest list of events found that breaks it.
 *
 * @param seed the seed that led to it
 * @param steps the steps of a run of that seed, which a replay must repeat
 * @param violation what was broken, by the shrunk list
 * @param events the shrunk list
 * @param atRest whether it breaks only once the fleet is brought to rest afterwards
 * @param defects the bug that was planted, if any
 */
record Finding(
    long seed,
    int steps,
    Violation violation,
    List<Event> events,
    boolean atRest,
    Defects defects) {

  /** Lists one shrinking may try. */
  private static final int SHRINK_BUDGET = 6_000;

  /** Shrinks what a run of {@code seed} broke. */
  static Finding of(long seed, int steps, Simulation.Run run, Violation found, Defects defects) {
    final List<Event> shrunk =
        new Shrinker(SHRINK_BUDGET)
            .shrink(
                run.events(),
                events -> {
                  final Violation again = Simulation.replay(events, run.atRest(), defects, null);
                  return again != null && again.sameFinding(found);
                });
    final Violation smallest = Simulation.replay(shrunk, run.atRest(), defects, null);
    return new Finding(
        seed, steps, smallest == null ? found : smallest, shrunk, run.atRest(), defects);
  }

  /** The shrunk list, event by event, with what each led to. */
  List<String> narrated() {
    final List<String> lines = new ArrayList<>();
    final Violation unused = Simulation.replay(events, false, defects, lines::add);
    return lines;
  }
}
