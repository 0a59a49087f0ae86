package io.tollgrid.verification.faults.run;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The fault harness of the ledger: every run and lane that was asked for, one after the other, each
 * with a server, a cluster and accounts of its own.
 */
public final class LedgerFaults {
  /**
   * What to run.
   *
   * @param client runs with load in Hazelcast clients
   * @param embedded runs with load inside the members
   * @param sizes members of the clusters
   * @param seed what everything is drawn from
   * @param duration of one schedule of faults
   * @param quick one short run that shows every kind of fault at least once, and no lanes
   * @param lanes whether to run the lanes: losses that a schedule cannot mix with others
   * @param keep whether to leave logs, histories and data behind
   */
  public record Options(
      boolean client,
      boolean embedded,
      List<Integer> sizes,
      long seed,
      Duration duration,
      boolean quick,
      boolean lanes,
      boolean keep) {
    /** Copies the list. */
    public Options {
      sizes = List.copyOf(sizes);
    }

    /** One short run of three members, loaded through clients. */
    public static Options quick(long seed, boolean keep) {
      return new Options(true, false, List.of(3), seed, QUICK_SCHEDULE, true, false, keep);
    }
  }

  /** Long enough for every kind of fault once, whatever the seed. */
  private static final Duration QUICK_SCHEDULE = Duration.ofSeconds(45);

  private final Options options;
  private final Progress progress;
  private final RunDirectories directories;

  /** A harness that says on {@code progress} what it does. */
  public LedgerFaults(Options options, Progress progress) {
    this.options = options;
    this.progress = progress;
    this.directories = new RunDirectories(options.keep(), progress);
  }

  /** Runs everything. */
  public List<RunResult> run() {
    final List<RunResult> results = new ArrayList<>();
    for (final int size : options.sizes()) {
      if (options.client()) {
        results.add(chaos(Rig.Mode.CLIENT, size));
      }
      if (options.embedded()) {
        results.add(chaos(Rig.Mode.EMBEDDED, size));
      }
    }
    if (options.lanes() && !options.quick()) {
      results.add(directories.work("cold-start", new ColdStartLane(options.seed(), progress)::run));
      results.add(directories.work("cp-loss", new CpLossLane(options.seed(), progress)::run));
      results.add(
          directories.work("postgres-away", new PostgresAwayLane(options.seed(), progress)::run));
    }
    return results;
  }

  private RunResult chaos(Rig.Mode mode, int size) {
    final ChaosRun run =
        new ChaosRun(
            mode,
            size,
            options.seed(),
            options.duration(),
            options.quick() ? Thresholds.quick() : Thresholds.full(),
            progress);
    return directories.work(run.name(), run::run);
  }
}
