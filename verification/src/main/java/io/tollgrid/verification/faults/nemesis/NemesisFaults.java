package io.tollgrid.verification.faults.nemesis;

import io.tollgrid.verification.faults.plan.PlantedDefect;
import io.tollgrid.verification.faults.run.Progress;
import io.tollgrid.verification.faults.run.RunDirectories;
import io.tollgrid.verification.faults.run.RunResult;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The runs of a nemesis: so many, shared out among clusters of each size. */
public final class NemesisFaults {
  private static final int MOST_RUNS_OF_A_CLUSTER = 5;

  /**
   * What to run.
   *
   * @param seed what everything is drawn from
   * @param firstRun the number of the first run of that seed, from 0
   * @param runs how many
   * @param sizes members of the clusters, which take turns
   * @param results the file that runs are added to, or null for none
   * @param keep whether to leave logs, histories and data behind
   */
  public record Options(
      long seed,
      int firstRun,
      int runs,
      List<Integer> sizes,
      @Nullable Path results,
      boolean keep) {
    /** Copies the list. */
    public Options {
      sizes = List.copyOf(sizes);
    }
  }

  private final Options options;
  private final Progress progress;

  /** A harness that says on {@code progress} what it does. */
  public NemesisFaults(Options options, Progress progress) {
    this.options = options;
    this.progress = progress;
  }

  /** Runs everything. */
  public List<RunResult> run() {
    final RunDirectories directories = new RunDirectories(options.keep(), progress);
    final List<RunResult> results = new ArrayList<>();
    int turn = 0;
    for (int done = 0; done < options.runs(); turn++) {
      final int now = Math.min(MOST_RUNS_OF_A_CLUSTER, options.runs() - done);
      final NemesisCluster cluster =
          new NemesisCluster(
              options.sizes().get(turn % options.sizes().size()),
              options.seed(),
              options.firstRun() + done,
              now,
              PlantedDefect.NONE,
              progress);
      results.add(directories.work(cluster.name(), cluster::run));
      if (options.results() != null) {
        new RunRecords(options.results()).add(cluster.records());
      }
      done += now;
    }
    return results;
  }

  /** What all runs of a file come to. */
  public static Map<String, Long> histogram(Path results) {
    return RunRecords.histogram(new RunRecords(results).all());
  }
}
