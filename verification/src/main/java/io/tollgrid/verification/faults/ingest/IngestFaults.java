package io.tollgrid.verification.faults.ingest;

import io.tollgrid.verification.faults.run.Progress;
import io.tollgrid.verification.faults.run.RunDirectories;
import io.tollgrid.verification.faults.run.RunResult;
import java.util.List;

/** Usage under faults, event by event. */
public final class IngestFaults {
  /**
   * What to run.
   *
   * @param seed what events and faults are drawn from
   * @param events how many
   * @param keep whether to leave logs and data behind
   */
  public record Options(long seed, int events, boolean keep) {}

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
    return List.of(new RunDirectories(options.keep(), progress).work(IngestLane.NAME, lane::run));
  }
}
