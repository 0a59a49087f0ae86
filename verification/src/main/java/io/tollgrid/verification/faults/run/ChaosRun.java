package io.tollgrid.verification.faults.run;

import io.tollgrid.verification.faults.check.FenceRaise;
import io.tollgrid.verification.faults.check.FleetCheck;
import io.tollgrid.verification.faults.check.FleetEvidence;
import io.tollgrid.verification.faults.check.Violation;
import io.tollgrid.verification.faults.plan.Fault;
import io.tollgrid.verification.faults.plan.FaultSchedule;
import io.tollgrid.verification.faults.process.ChildJvm;
import io.tollgrid.verification.faults.process.Message;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Load on a cluster while members are killed, frozen and lied to by their stores; then a restart of
 * the whole cluster, more load, and judgement.
 *
 * <p>A run whose faults did not bite enough goes on with another schedule, up to a bound, so that a
 * slow machine proves as much as a fast one.
 */
final class ChaosRun {
  private static final int ACCOUNTS = 200;
  private static final int LOAD_PROCESSES = 2;
  private static final int CALLERS_EACH = 40;
  private static final int LOSS_STORM_ONE_IN = 4;
  private static final int WAIT_STORM_ONE_IN = 3;
  private static final int MOST_SCHEDULES = 8;
  private static final long AFTERMATH_MILLIS = 8_000;
  private static final long HELD_SECONDS = 6;
  private static final long BOTH_LANES_MILLIS = 300;
  private static final long LOOK_MILLIS = 250;
  private static final long TAKEOVER_MILLIS = 30_000;

  /** What a run may take beyond its schedules: starts, waits for a whole cluster, a restart. */
  private static final Duration ALLOWANCE = Duration.ofMinutes(8);

  private static final Duration COMMITS_VISIBLE_WITHIN = Duration.ofSeconds(3);

  private final Rig.Mode mode;
  private final int members;
  private final long seed;
  private final Duration duration;
  private final Thresholds thresholds;
  private final Progress progress;
  private final List<String> shortfalls = new ArrayList<>();
  private long kills;
  private long freezes;

  ChaosRun(
      Rig.Mode mode,
      int members,
      long seed,
      Duration duration,
      Thresholds thresholds,
      Progress progress) {
    this.mode = mode;
    this.members = members;
    this.seed = seed;
    this.duration = duration;
    this.thresholds = thresholds;
    this.progress = progress;
  }

  String name() {
    return mode.name().toLowerCase(java.util.Locale.ROOT) + "-" + members;
  }

  RunResult run(Path directory) throws SQLException {
    try (Rig rig = Rig.prepare(mode, members, seed, ACCOUNTS, directory, limit(), progress)) {
      rig.startAll();
      if (!rig.awaitWhole(members)) {
        return new RunResult(
            name(), Map.of(), List.of(), List.of("the cluster never came up"), Map.of());
      }
      inflictEverything(rig);
      rig.cluster().killAll();
      return judge(rig);
    }
  }

  private Duration limit() {
    return duration.multipliedBy(MOST_SCHEDULES).plus(ALLOWANCE);
  }

  /** However it ends, what happened until then is judged. */
  private void inflictEverything(Rig rig) throws SQLException {
    try {
      rig.startLoad(LOAD_PROCESSES, CALLERS_EACH);
      breakThings(rig);
      finish(rig);
      restartEverything(rig);
    } catch (Deadline.OverdueException e) {
      shortfalls.add("the run was stopped: " + e.getMessage());
    }
  }

  private void breakThings(Rig rig) throws SQLException {
    for (int i = 0; i < MOST_SCHEDULES && shortfalls.isEmpty(); i++) {
      final FaultSchedule schedule =
          FaultSchedule.draw(seed + i, members, duration.toMillis(), Rig.SILENCE.toMillis());
      follow(rig, schedule);
      final List<String> missing = thresholds.missing(counts(rig));
      progress.say(name() + " after schedule " + (i + 1) + ": missing " + missing);
      if (missing.isEmpty()) {
        return;
      }
    }
  }

  private void follow(Rig rig, FaultSchedule schedule) throws SQLException {
    final long begin = System.nanoTime();
    for (final FaultSchedule.Step step : schedule.steps()) {
      rig.pass(step.atMillis() - TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin));
      progress.say(name() + ": " + step.fault() + " " + brief(rig));
      inflict(rig, step.fault());
      if (!rig.awaitWhole(members)) {
        shortfalls.add("the cluster was not whole again in time after " + step);
        return;
      }
    }
    rig.pass(duration.toMillis() - TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin));
  }

  private void inflict(Rig rig, Fault fault) throws SQLException {
    if (fault instanceof Fault.Kill kill) {
      kills += kill.members().size();
      kill.members().forEach(rig.cluster()::kill);
      rig.pass(kill.lastsMillis());
      kill.members().forEach(rig::startMember);
    } else if (fault instanceof Fault.Freeze freeze) {
      freezes++;
      freeze(rig, freeze);
    } else if (fault instanceof Fault.LoseConfirmations loss) {
      mischief(rig, loss.member(), LOSS_STORM_ONE_IN, 0);
      rig.pass(loss.lastsMillis());
      mischief(rig, loss.member(), MischievousStore.USUAL_LOSS_ONE_IN, 0);
    } else if (fault instanceof Fault.SlowStores slow) {
      mischief(rig, slow.member(), MischievousStore.USUAL_LOSS_ONE_IN, WAIT_STORM_ONE_IN);
      rig.pass(slow.lastsMillis());
      mischief(rig, slow.member(), MischievousStore.USUAL_LOSS_ONE_IN, 0);
    } else {
      throw new IllegalStateException("no schedule of this run has " + fault);
    }
  }

  /**
   * Freezes a member until the others have taken over all that it owned, then lets it go on with
   * what it had in hand.
   */
  private static void freeze(Rig rig, Fault.Freeze freeze) throws SQLException {
    final ChildJvm member = rig.cluster().process(freeze.member());
    if (freeze.storing()) {
      member.tell(Message.of(Words.HOLD));
      if (rig.await(() -> held(member) > 0, HELD_SECONDS)) {
        rig.pass(BOTH_LANES_MILLIS);
      }
    }
    member.freeze();
    rig.pass(freeze.lastsMillis());
    for (long waited = 0;
        waited < TAKEOVER_MILLIS && rig.fencesOf(member.name()) > 0;
        waited += LOOK_MILLIS) {
      rig.pass(LOOK_MILLIS);
    }
    member.thaw();
    member.tell(Message.of(Words.LET_GO));
    // Its silence was noticed while it lasted; it joins again before the cluster is whole.
    rig.pass(500);
  }

  private static long held(ChildJvm member) {
    final Message status = member.heard(Words.STATUS);
    return status == null ? 0 : status.number(Words.HELD);
  }

  private static void mischief(Rig rig, int member, int lossOneIn, int waitOneIn) {
    if (rig.cluster().isUp(member)) {
      rig.cluster()
          .tell(
              member,
              new Message(
                  Words.MISCHIEF,
                  Map.of(
                      Words.LOSE_ONE_IN,
                      Integer.toString(lossOneIn),
                      Words.WAIT_ONE_IN,
                      Integer.toString(waitOneIn))));
    }
  }

  private void finish(Rig rig) {
    if (!rig.finishLoad()) {
      shortfalls.add("some callers never got an answer");
    }
  }

  /**
   * Kills everybody at once: CP forgets everything, and fences must continue above the old ones.
   */
  private void restartEverything(Rig rig) throws SQLException {
    final long lastRaise = rig.raises().stream().mapToLong(FenceRaise::sequence).max().orElse(0);
    progress.say(name() + ": all members killed at once, then started anew");
    rig.cluster().killAll();
    rig.startAll();
    if (!rig.awaitWhole(members)) {
      shortfalls.add("the cluster was not whole again after all members were killed");
      return;
    }
    final long before = rig.acknowledged();
    rig.startLoad(LOAD_PROCESSES, CALLERS_EACH);
    rig.pass(AFTERMATH_MILLIS);
    finish(rig);
    if (rig.acknowledged() <= before) {
      shortfalls.add("nothing was acknowledged after all members were killed");
    }
    final Map<Integer, Long> oldFences = new HashMap<>();
    final Map<Integer, Long> newFences = new HashMap<>();
    for (final FenceRaise raise : rig.raises()) {
      (raise.sequence() > lastRaise ? newFences : oldFences)
          .merge(raise.partition(), raise.after(), Math::max);
    }
    final long above =
        newFences.entrySet().stream()
            .filter(fence -> fence.getValue() > oldFences.getOrDefault(fence.getKey(), 0L))
            .count();
    if (above == 0 || above < oldFences.size()) {
      shortfalls.add(
          "after the restart "
              + above
              + " of "
              + oldFences.size()
              + " partitions had a fence above their old one");
    }
  }

  private RunResult judge(Rig rig) throws SQLException {
    progress.say(name() + ": judging");
    final Map<String, Long> counts = counts(rig);
    final FleetEvidence evidence = rig.evidence();
    final FleetCheck check = rig.check(COMMITS_VISIBLE_WITHIN);
    final List<Violation> violations = check.check(evidence);
    violations.forEach(violation -> progress.say(name() + ": VIOLATION " + violation));
    counts.put("accounts", (long) evidence.accounts().size());
    counts.put(
        "journal_rows",
        evidence.accounts().stream().mapToLong(account -> account.journal().size()).sum());
    counts.put(
        "operations",
        evidence.accounts().stream().mapToLong(account -> account.operations().size()).sum());
    counts.put("raises", (long) evidence.fences().size());
    shortfalls.addAll(thresholds.missing(counts));
    if (counts.getOrDefault("silent_deaths", 0L) > 0) {
      shortfalls.add("a node did not notice that its member was dead");
    }
    return new RunResult(name(), counts, violations, shortfalls, check.findPlanted(evidence));
  }

  private Map<String, Long> counts(Rig rig) throws SQLException {
    final Map<String, Long> counts = rig.counts();
    counts.put("kills", kills);
    counts.put("freezes", freezes);
    return counts;
  }

  private String brief(Rig rig) throws SQLException {
    final Map<String, Long> counts = counts(rig);
    counts
        .keySet()
        .retainAll(
            List.of(
                "acknowledged", "stale", "no_fence", "fenced", "unknown", "replay", "takeovers"));
    return counts.toString();
  }
}
