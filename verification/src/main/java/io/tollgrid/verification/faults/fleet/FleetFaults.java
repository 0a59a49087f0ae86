package io.tollgrid.verification.faults.fleet;

import io.tollgrid.verification.faults.run.Connections;
import io.tollgrid.verification.faults.run.Progress;
import io.tollgrid.verification.faults.run.RunDirectories;
import io.tollgrid.verification.faults.run.RunResult;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;

/** The fault harness of the fleet: schedules of a whole fleet, and the lanes beside them. */
public final class FleetFaults {
  /**
   * What to run.
   *
   * @param seed of the first schedule; the others follow it
   * @param schedules how many, 0 for none
   * @param lanes whether to run the lanes
   * @param keep whether to leave logs, histories and data behind
   */
  public record Options(long seed, int schedules, boolean lanes, boolean keep) {}

  private final Options options;
  private final Progress progress;

  /** A harness that says on {@code progress} what it does. */
  public FleetFaults(Options options, Progress progress) {
    this.options = options;
    this.progress = progress;
  }

  /** Runs everything. */
  public List<RunResult> run() {
    final RunDirectories directories = new RunDirectories(options.keep(), progress);
    final List<RunResult> results = new ArrayList<>();
    if (options.lanes()) {
      results.add(directories.work("fleet-lanes", new FleetLanes(options.seed(), progress)::run));
    }
    if (options.schedules() > 0) {
      final FleetRun run =
          new FleetRun(
              LongStream.range(options.seed(), options.seed() + options.schedules())
                  .mapToObj(FleetSchedule::draw)
                  .toList(),
              Connections.CLIENT,
              progress);
      results.add(directories.work(run.name(), run::run));
    }
    return results;
  }
}
