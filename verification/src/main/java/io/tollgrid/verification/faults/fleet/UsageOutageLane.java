package io.tollgrid.verification.faults.fleet;

import io.tollgrid.admission.denial.Denial;
import io.tollgrid.client.InstanceRuntime;
import io.tollgrid.client.InstanceSettings;
import io.tollgrid.client.LeaseSettings;
import io.tollgrid.client.ShutdownReport;
import io.tollgrid.client.UsageSettings;
import io.tollgrid.grid.usage.RecorderSettings;
import io.tollgrid.ledger.Id128;
import io.tollgrid.pipelines.Alarm;
import io.tollgrid.verification.faults.check.FleetEvidence;
import io.tollgrid.verification.faults.check.Violation;
import io.tollgrid.verification.faults.run.Lane;
import io.tollgrid.verification.faults.run.Progress;
import io.tollgrid.verification.faults.run.Rig;
import io.tollgrid.verification.faults.run.RunResult;
import io.tollgrid.verification.faults.run.Words;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * PostgreSQL stands still for a minute while requests are served: their usage stays within its
 * bounds, the instance sheds once its slots are full, alarms fire, and afterwards everything is
 * recorded and the alarms clear.
 */
public final class UsageOutageLane {
  /** Its name in results. */
  public static final String NAME = "usage-outage";

  private static final int MEMBERS = 3;
  private static final int ACCOUNTS = 50;
  private static final long UNITS = 1_000_000;

  /** So that no lease is used up while nobody can be asked for another. */
  private static final int REQUESTS_A_LEASE = 20_000;

  private static final int LEASES = 4;
  private static final int SLOTS = 16_384;
  private static final int REQUESTS_PER_MILLI = 2;
  private static final long BEFORE_MILLIS = 10_000;
  private static final long AWAY_MILLIS = 60_000;
  private static final long SAMPLE_MILLIS = 250;
  private static final long HEAP_GROWTH_BYTES = 160L << 20;
  private static final Duration LIMIT = Duration.ofMinutes(8);
  private static final Duration CATCH_UP = Duration.ofMinutes(2);
  private static final long CLEAR_SECONDS = 120;
  private static final Duration VISIBLE_WITHIN = Duration.ofSeconds(100);

  private final long seed;
  private final Progress progress;

  /** A lane whose accounts are drawn from a seed. */
  public UsageOutageLane(long seed, Progress progress) {
    this.seed = seed;
    this.progress = progress;
  }

  /** Runs it. */
  public RunResult run(Path directory) throws SQLException {
    try (Rig rig = Rig.prepare(Rig.Mode.CLIENT, MEMBERS, seed, 0, directory, LIMIT, progress)) {
      final Lane lane = new Lane(NAME, rig, progress);
      final Map<String, Long> facts = new TreeMap<>();
      rig.startAll();
      if (!lane.expect(rig.awaitWhole(MEMBERS), MEMBERS + " members are ready")) {
        return lane.result(facts, List.of());
      }
      final long served;
      try (FleetOperator operator = FleetOperator.of(rig)) {
        final List<Id128> accounts = FleetPopulation.drawn(seed ^ 0x0A7A, ACCOUNTS);
        operator.found(accounts, UNITS);
        for (final Id128 account : accounts) {
          operator.assign(account, account);
        }
        served = serve(rig, lane, accounts, facts);
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
  private static long serve(Rig rig, Lane lane, List<Id128> accounts, Map<String, Long> facts)
      throws InterruptedException {
    final InstanceSettings settings =
        InstanceSettings.DEFAULTS
            .with(
                LeaseSettings.DEFAULTS
                    .lasting(Duration.ofMinutes(5), FleetInstance.MARGIN)
                    .granting(REQUESTS_A_LEASE, LEASES))
            .with(UsageSettings.DEFAULTS.queue(1, SLOTS));
    try (LocalInstances local = new LocalInstances(rig)) {
      final InstanceRuntime instance = local.start(settings, false);
      long served = 0;
      for (final Id128 account : accounts) {
        final boolean isServed =
            local.untilNanos(() -> local.serve(instance, account, 1), Duration.ofSeconds(30)) >= 0;
        served += isServed ? 1 : 0;
      }
      lane.expect(served == ACCOUNTS, served + " of " + ACCOUNTS + " accounts are served");
      try (Traffic traffic = new Traffic(local, instance, accounts, REQUESTS_PER_MILLI)) {
        rig.pass(BEFORE_MILLIS);
        facts.put("served_before_per_second", traffic.served() * 1_000 / BEFORE_MILLIS);
        lane.expect(
            traffic.denied(Denial.USAGE_QUEUE_FULL) == 0,
            "nothing is shed while usage is recorded");
        goAway(rig, lane, instance, traffic, facts);
        traffic.close();
        facts.put("requests_served", traffic.served());
        facts.put("requests_shed", traffic.denied(Denial.USAGE_QUEUE_FULL));
        lane.expect(
            traffic.denied(Denial.USAGE_QUEUE_FULL) > 0,
            traffic.denied(Denial.USAGE_QUEUE_FULL) + " requests are shed once slots are full");
        lane.expect(
            traffic.denials().keySet().equals(Set.of(Denial.USAGE_QUEUE_FULL)),
            "no request is denied otherwise: " + traffic.denials());
        served += traffic.served();
      }
      catchUp(rig, lane, local, instance, facts);
      final ShutdownReport report = instance.shutdown(Duration.ofSeconds(20));
      lane.expect(report.isClean(), "nothing acknowledged is lost, seen " + report);
      return served;
    }
  }

  private static void goAway(
      Rig rig, Lane lane, InstanceRuntime instance, Traffic traffic, Map<String, Long> facts) {
    final long heapBefore = rig.cluster().most(Words.HEAP_BYTES);
    final Set<Alarm> fired = EnumSet.noneOf(Alarm.class);
    long heap = 0;
    long taken = 0;
    long depth = 0;
    rig.postgres().freeze();
    for (long passed = 0; passed < AWAY_MILLIS; passed += SAMPLE_MILLIS) {
      rig.pass(SAMPLE_MILLIS);
      heap = Math.max(heap, rig.cluster().most(Words.HEAP_BYTES));
      taken = Math.max(taken, rig.cluster().most(Words.TAKEN_EVENTS));
      depth = Math.max(depth, depth(instance));
      fired.addAll(firing(rig));
    }
    traffic.close();
    rig.postgres().thaw();
    facts.put("heap_before_bytes", heapBefore);
    facts.put("heap_most_bytes", heap);
    facts.put("events_taken_most", taken);
    facts.put("slots_taken_most", depth);
    lane.say("alarms while PostgreSQL was away: " + fired);
    lane.expect(
        heap < heapBefore + HEAP_GROWTH_BYTES,
        "a member's heap grows by less than 160 MiB, from " + heapBefore + " to " + heap);
    lane.expect(
        taken <= RecorderSettings.DEFAULTS.events() && depth <= SLOTS,
        "no more than "
            + RecorderSettings.DEFAULTS.events()
            + " events are with a member and "
            + SLOTS
            + " in slots, seen "
            + taken
            + " and "
            + depth);
    lane.expect(fired.contains(Alarm.USAGE_LAGGING), "usage is alarmed as lagging");
  }

  private static void catchUp(
      Rig rig, Lane lane, LocalInstances local, InstanceRuntime instance, Map<String, Long> facts) {
    final long open = depth(instance);
    final long nanos = local.untilNanos(() -> depth(instance) == 0, CATCH_UP);
    facts.put("open_events_afterwards", open);
    facts.put("catch_up_millis", nanos / 1_000_000);
    lane.expect(nanos >= 0, open + " events are recorded afterwards");
    if (nanos > 0) {
      facts.put("catch_up_events_per_second", open * TimeUnit.SECONDS.toNanos(1) / nanos);
    }
    lane.expect(
        rig.await(() -> firing(rig).isEmpty(), CLEAR_SECONDS),
        "every alarm clears, seen " + firing(rig));
    lane.expect(rig.awaitWhole(MEMBERS), "all members are ready again");
    lane.expect(rig.cluster().unexpectedEnds() == 0, "no member ended");
  }

  private static long depth(InstanceRuntime instance) {
    return instance.instance().admission().usage().depth();
  }

  private static Set<Alarm> firing(Rig rig) {
    final Set<Alarm> firing = EnumSet.noneOf(Alarm.class);
    for (final Alarm alarm : Alarm.values()) {
      if (rig.cluster().most(Words.alarm(alarm.name())) > 0) {
        firing.add(alarm);
      }
    }
    return firing;
  }
}
