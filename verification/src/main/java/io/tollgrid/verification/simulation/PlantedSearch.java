package io.tollgrid.verification.simulation;

/**
 * Looks for one planted bug.
 *
 * <p>Runs are short at first and grow: what a short run shows needs less shrinking, and a bug that
 * needs a long history gets it in the end.
 */
final class PlantedSearch {
  private static final int FIRST_STEPS = 400;
  private static final int MAX_STEPS = 6_400;
  private static final int SEEDS_PER_LENGTH = 24;

  private PlantedSearch() {}

  static PlantedReport search(PlantedBug bug) {
    int seeds = 0;
    long steps = 0;
    for (int length = FIRST_STEPS; length <= MAX_STEPS; length *= 2) {
      for (int i = 0; i < SEEDS_PER_LENGTH; i++) {
        seeds++;
        final Simulation.Run run = Simulation.draw(seeds, length, bug.defects());
        steps += run.steps();
        final Violation violation = run.violation();
        if (violation != null) {
          return new PlantedReport(
              bug, seeds, steps, Finding.of(seeds, length, run, violation, bug.defects()));
        }
      }
    }
    return new PlantedReport(bug, seeds, steps, null);
  }
}
