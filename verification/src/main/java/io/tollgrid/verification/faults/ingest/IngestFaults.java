package io.tollgrid.verification.faults.ingest;

import io.tollgrid.verification.faults.fleet.UsageOutageLane;
import io.tollgrid.verification.faults.run.Progress;
import io.tollgrid.verification.faults.run.RunDirectories;
import io.tollgrid.verification.faults.run.RunResult;
import java.util.ArrayList;
import java.util.List;

/** Usage under faults, event by event. */
public final class IngestFaults {
  /**
   * What to run.
   *
   * @param seed what events and faults are drawn from
   * @param events how many; 0 leaves them out
   * @param lanes whether PostgreSQL is also taken away for a minute
   * @param keep whether to leave logs and data behind
   */
  public record Options(long seed, int events, boolean lanes, boolean keep) {}

  private final Options options;
  private final Progress progress;

  /** A harness that says on {@code progress} what it does. */
  public IngestFaults(Options options, Progress progress) {
    this.options = options;
    this.progress = progress;
  }

  /** Runs it. */
  public List<RunResult> run() {
    final IngestLane lane = new IngestLane(options.events(), options.seed(), progress);
    final UsageOutageLane outage = new UsageOutageLane(options.seed(), progress);
    final RunDirectories directories = new RunDirectories(options.keep(), progress);
    final List<RunResult> results = new ArrayList<>();
    if (options.events() > 0) {
      results.add(directories.work(IngestLane.NAME, lane::run));
    }
    if (options.lanes()) {
      results.add(directories.work(UsageOutageLane.NAME, outage::run));
    }
    return results;
  }
}
