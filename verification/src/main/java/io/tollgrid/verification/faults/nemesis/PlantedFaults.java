package io.tollgrid.verification.faults.nemesis;

import io.tollgrid.verification.faults.plan.PlantedDefect;
import io.tollgrid.verification.faults.run.Progress;
import io.tollgrid.verification.faults.run.RunDirectories;
import io.tollgrid.verification.faults.run.RunResult;
import java.util.List;
import java.util.Map;

/**
 * Plants a bug into every member and lets runs that are aimed at it go on until one finds it, or as
 * many as are allowed bit and did not.
 */
public final class PlantedFaults {
  private static final int MEMBERS = 3;
  private static final int MOST_VOID_RUNS = 5;

  private final long seed;
  private final int mostRuns;
  private final List<PlantedDefect> planted;
  private final RunDirectories directories;
  private final Progress progress;

  /**
   * A harness that says on {@code progress} what it does.
   *
   * @param mostRuns runs that may bite without finding a bug
   */
  public PlantedFaults(
      long seed, int mostRuns, List<PlantedDefect> planted, boolean keep, Progress progress) {
    this.seed = seed;
    this.mostRuns = mostRuns;
    this.planted = List.copyOf(planted);
    this.directories = new RunDirectories(keep, progress);
    this.progress = progress;
  }

  /** Looks for each of them. */
  public List<RunResult> run() {
    return planted.stream().map(this::lookFor).toList();
  }

  private RunResult lookFor(PlantedDefect defect) {
    boolean found = false;
    long bit = 0;
    long idle = 0;
    for (int run = 0; !found && bit < mostRuns && idle < MOST_VOID_RUNS; run++) {
      if (isAimed(defect, run)) {
        final NemesisCluster cluster = new NemesisCluster(MEMBERS, seed, run, 1, defect, progress);
        // A run that breaks has found nothing.
        found = !directories.work(cluster.name(), cluster::run).violations().isEmpty();
        if (cluster.records().stream().anyMatch(RunRecord::bit)) {
          bit++;
        } else {
          idle++;
        }
      }
    }
    final Map<String, Long> counts = Map.of("bit", bit, "void", idle);
    progress.say(defect.spelling() + (found ? " was found " : " WAS NOT FOUND ") + counts);
    return new RunResult(
        defect.spelling(), counts, List.of(), List.of(), Map.of(defect.spelling(), found));
  }

  private boolean isAimed(PlantedDefect defect, int run) {
    return defect.isAimedAtBy(NemesisCluster.schedule(seed, run, MEMBERS));
  }
}
