package io.tollgrid.verification.faults.fleet;

import io.tollgrid.verification.faults.run.Progress;
import io.tollgrid.verification.faults.run.RunDirectories;
import io.tollgrid.verification.faults.run.RunResult;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** The fault harness of the fleet: schedules of a whole fleet, and the lanes beside them. */
public final class FleetFaults {
  /**
   * What to run.
   *
   * @param seed of the first schedule; the others follow it
   * @param schedules how many, 0 for none
   * @param connections how instances reach the grid, a run for each
   * @param lanes which lanes to run
   * @param keep whether to leave logs, histories and data behind
   */
  public record Options(
      long seed, int schedules, List<String> connections, List<String> lanes, boolean keep) {
    /** Keeps copies. */
    public Options {
      connections = List.copyOf(connections);
      lanes = List.copyOf(lanes);
    }
  }

  /** The lanes, by name. */
  public static final List<String> LANES =
      List.of(FleetLanes.NAME, TakeoverLane.NAME, RestartLane.NAME);

  private final Options options;
  private final Progress progress;

  /** A harness that says on {@code progress} what it does. */
  public FleetFaults(Options options, Progress progress) {
    this.options = options;
    this.progress = progress;
  }

  private RunDirectories.Work lane(String name) {
    return switch (name) {
      case FleetLanes.NAME -> new FleetLanes(options.seed(), progress)::run;
      case TakeoverLane.NAME -> new TakeoverLane(options.seed(), progress)::run;
      case RestartLane.NAME -> new RestartLane(options.seed(), progress)::run;
      default -> throw new IllegalArgumentException("there is no lane \"" + name + "\"");
    };
  }

  /** Runs everything. */
  public List<RunResult> run() {
    final RunDirectories directories = new RunDirectories(options.keep(), progress);
    final List<RunResult> results = new ArrayList<>();
    for (final String lane : options.lanes()) {
      results.add(directories.work(lane, lane(lane)));
    }
    // The schedules are shared out: each is run once.
    final int runs = options.connections().size();
    for (int i = 0; i < runs && options.schedules() > i; i++) {
      final int first = i;
      final FleetRun run =
          new FleetRun(
              IntStream.range(0, options.schedules())
                  .filter(number -> number % runs == first)
                  .mapToObj(number -> FleetSchedule.draw(options.seed() + number))
                  .toList(),
              options.connections().get(i),
              progress);
      results.add(directories.work(run.name(), run::run));
    }
    return results;
  }
}
