package io.tollgrid.verification.faults.sweep;

import io.tollgrid.verification.faults.fleet.StalledHolderLane;
import io.tollgrid.verification.faults.run.Progress;
import io.tollgrid.verification.faults.run.RunDirectories;
import io.tollgrid.verification.faults.run.RunResult;
import java.util.ArrayList;
import java.util.List;

/** The sweeps at their sizes: one lane after the other, each with a server of its own. */
public final class SweepFaults {
  /**
   * What to run.
   *
   * @param seed what accounts and their past are drawn from
   * @param accounts due at one midnight, 0 to leave their lane out
   * @param leases that have expired, 0 to leave their lane out
   * @param planAccounts not due while pages are explained, 0 to leave their lane out
   * @param holder whether a holder stands still past its leases
   * @param keep whether to leave logs and data behind
   */
  public record Options(
      long seed, int accounts, int leases, int planAccounts, boolean holder, boolean keep) {}

  private final Options options;
  private final Progress progress;

  /** A harness that says on {@code progress} what it does. */
  public SweepFaults(Options options, Progress progress) {
    this.options = options;
    this.progress = progress;
  }

  /** Runs everything. */
  public List<RunResult> run() {
    final RunDirectories directories = new RunDirectories(options.keep(), progress);
    final List<RunResult> results = new ArrayList<>();
    if (options.planAccounts() > 0) {
      final PlanLane lane = new PlanLane(options.planAccounts(), options.seed(), progress);
      results.add(directories.work(PlanLane.NAME, lane::run));
    }
    if (options.accounts() > 0) {
      final RolloverLane lane = new RolloverLane(options.accounts(), options.seed(), progress);
      results.add(directories.work(RolloverLane.NAME, lane::run));
    }
    if (options.leases() > 0) {
      final ReclaimLane lane = new ReclaimLane(options.leases(), options.seed(), progress);
      results.add(directories.work(ReclaimLane.NAME, lane::run));
    }
    if (options.holder()) {
      final StalledHolderLane lane = new StalledHolderLane(options.seed(), progress);
      results.add(directories.work(StalledHolderLane.NAME, lane::run));
    }
    return results;
  }
}
