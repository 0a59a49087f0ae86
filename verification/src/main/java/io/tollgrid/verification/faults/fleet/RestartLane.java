package io.tollgrid.verification.faults.fleet;

import io.tollgrid.client.InstanceRuntime;
import io.tollgrid.client.ShutdownReport;
import io.tollgrid.ledger.Id128;
import io.tollgrid.verification.faults.check.FleetEvidence;
import io.tollgrid.verification.faults.check.Violation;
import io.tollgrid.verification.faults.run.Lane;
import io.tollgrid.verification.faults.run.Progress;
import io.tollgrid.verification.faults.run.Rig;
import io.tollgrid.verification.faults.run.RunResult;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What an instance with funded accounts notices of restarts: nothing of a rolling one, however
 * often its leases end meanwhile; and of the whole cluster being down nothing while they last.
 */
final class RestartLane {
  /** Its name in results. */
  static final String NAME = "restarts";

  private static final int MEMBERS = 3;
  private static final int ACCOUNTS = 20;
  private static final long UNITS = 10_000_000;
  private static final long BEFORE_MILLIS = 5_000;
  private static final long LEAVE_SECONDS = 60;

  /** Less than a lease that was just renewed lasts. */
  private static final long DOWN_MILLIS = 3_000;

  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final Duration VISIBLE_WITHIN = Duration.ofSeconds(40);
  private static final Duration LIMIT = Duration.ofMinutes(10);

  private final long seed;
  private final Progress progress;
  private final Map<String, Long> facts = new TreeMap<>();

  /** A lane whose accounts are drawn from a seed. */
  RestartLane(long seed, Progress progress) {
    this.seed = seed;
    this.progress = progress;
  }

  /** Runs it. */
  RunResult run(Path directory) throws SQLException {
    try (Rig rig = Rig.prepare(Rig.Mode.CLIENT, MEMBERS, seed, 0, directory, LIMIT, progress)) {
      final Lane lane = new Lane(NAME, rig, progress);
      rig.startAll();
      if (!lane.expect(rig.awaitWhole(MEMBERS), MEMBERS + " members are ready")) {
        return lane.result(facts, List.of());
      }
      final long served;
      try (FleetOperator operator = FleetOperator.of(rig)) {
        final List<Id128> accounts = FleetPopulation.drawn(seed ^ 0x4E57, ACCOUNTS);
        operator.found(accounts, UNITS);
        for (final Id128 account : accounts) {
          operator.assign(account, account);
        }
        served = serve(rig, lane, accounts);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return lane.result(facts, List.of());
      }
      rig.cluster().killAll();
      final FleetEvidence evidence = rig.evidence();
      final List<Violation> violations = rig.check(VISIBLE_WITHIN).check(evidence);
      final FleetTotals totals = FleetTotals.of(evidence);
      totals.countInto(facts);
      lane.expect(
          totals.billed() == served && totals.unfunded() == 0,
          "all " + served + " units served are billed, seen " + totals.billed());
      return lane.result(facts, violations);
    }
  }

  /** Returns how many requests of one unit were served. */
  private long serve(Rig rig, Lane lane, List<Id128> accounts) throws InterruptedException {
    try (LocalInstances local = new LocalInstances(rig)) {
      final InstanceRuntime instance = local.start(FleetInstance.settings(), false);
      long served = 0;
      for (final Id128 account : accounts) {
        final boolean isServed =
            local.untilNanos(() -> local.serve(instance, account, 1), PATIENCE) >= 0;
        served += isServed ? 1 : 0;
      }
      lane.expect(served == ACCOUNTS, served + " of " + ACCOUNTS + " accounts are served");
      served += rolling(rig, lane, local, instance, accounts);
      served += allDown(rig, lane, local, instance, accounts);
      final ShutdownReport report = instance.shutdown(PATIENCE);
      facts.put("forfeited_units", report.forfeitedUnits());
      lane.expect(
          report.lostEvents() == 0
              && report.unresolvedEvents() == 0
              && report.uncertainCommands() == 0,
          "nothing acknowledged is lost, seen " + report);
      return served;
    }
  }

  private long rolling(
      Rig rig, Lane lane, LocalInstances local, InstanceRuntime instance, List<Id128> accounts) {
    try (Traffic traffic = new Traffic(local, instance, accounts, 1)) {
      rig.pass(BEFORE_MILLIS);
      final long fromNanos = System.nanoTime();
      for (int member = 0; member < MEMBERS; member++) {
        lane.expect(
            rig.cluster().leave(member, LEAVE_SECONDS), "member " + member + " leaves in order");
        rig.startMember(member);
        lane.expect(rig.awaitWhole(MEMBERS), "and comes back");
      }
      facts.put("rolling_millis", (System.nanoTime() - fromNanos) / 1_000_000);
      rig.pass(BEFORE_MILLIS);
      traffic.close();
      facts.put("rolling_served", traffic.served());
      facts.put("rolling_longest_refused_millis", traffic.longestGapMillis());
      lane.expect(
          traffic.denials().isEmpty(),
          "of "
              + traffic.served()
              + " requests during a rolling restart none is denied: "
              + traffic.denials());
      return traffic.served();
    }
  }

  private long allDown(
      Rig rig, Lane lane, LocalInstances local, InstanceRuntime instance, List<Id128> accounts) {
    long served = 0;
    try (Traffic traffic = new Traffic(local, instance, accounts, 1)) {
      rig.pass(BEFORE_MILLIS);
      rig.cluster().killAll();
      rig.pass(DOWN_MILLIS);
      traffic.close();
      served = traffic.served();
      facts.put("down_served", served);
      facts.put("down_longest_refused_millis", traffic.longestGapMillis());
      lane.expect(
          traffic.denials().isEmpty(),
          "while every member is down leases go on serving: " + traffic.denials());
    }
    final long fromNanos = System.nanoTime();
    rig.startAll();
    lane.expect(rig.awaitWhole(MEMBERS), "all members come back");
    facts.put("down_cluster_back_millis", (System.nanoTime() - fromNanos) / 1_000_000);
    for (final Id128 account : accounts) {
      final boolean isServed =
          local.untilNanos(() -> local.serve(instance, account, 1), PATIENCE) >= 0;
      served += isServed ? 1 : 0;
      if (!isServed) {
        lane.expect(false, "after the restart an account is served again");
      }
    }
    try (Traffic traffic = new Traffic(local, instance, accounts, 1)) {
      // Long enough for every lease to be another.
      rig.pass(FleetInstance.TTL.toMillis());
      traffic.close();
      served += traffic.served();
      lane.expect(
          traffic.denials().isEmpty() && traffic.served() > 0,
          "requests are served as before: " + traffic.served() + ", " + traffic.denials());
    }
    return served;
  }
}
