package io.tollgrid.verification.faults.fleet;

import io.tollgrid.grid.RandomIds;
import io.tollgrid.ledger.GrantPolicy;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.LedgerCommand;
import io.tollgrid.ledger.Outcome;
import io.tollgrid.verification.faults.process.Message;
import io.tollgrid.verification.faults.run.Lane;
import io.tollgrid.verification.faults.run.Progress;
import io.tollgrid.verification.faults.run.Rig;
import io.tollgrid.verification.faults.run.RunResult;
import io.tollgrid.verification.faults.run.Words;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * How long accounts wait for a grant after their ledgers lost their owner: a member is killed, one
 * is killed that led CP, one is frozen.
 */
final class TakeoverLane {
  /** Its name in results. */
  static final String NAME = "takeover";

  private static final int MEMBERS = 3;
  private static final int ACCOUNTS = 120;
  private static final long UNITS = 1_000_000;
  private static final GrantPolicy TEN_UNITS = new GrantPolicy(10, 10, 1, 10);
  private static final long GRANT_SECONDS = 60;
  private static final long LEADER_SECONDS = 60;
  private static final Duration OF_A_MEMBER = Duration.ofSeconds(2);
  private static final Duration OF_A_LEADER = Duration.ofSeconds(5);

  /** So much later than the others gave it up, a frozen member goes on. */
  private static final long FROZEN_BEYOND_MILLIS = 4_000;

  private static final Duration VISIBLE_WITHIN = Duration.ofSeconds(40);
  private static final Duration LIMIT = Duration.ofMinutes(10);

  private final long seed;
  private final Progress progress;
  private final RandomIds ids = new RandomIds();
  private final Map<String, Long> facts = new TreeMap<>();

  /** A lane whose accounts are drawn from a seed. */
  TakeoverLane(long seed, Progress progress) {
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
      try (FleetOperator operator = FleetOperator.of(rig)) {
        final List<Id128> accounts = FleetPopulation.drawn(seed ^ 0x7A4E, ACCOUNTS);
        operator.found(accounts, UNITS);
        kill(rig, lane, operator, accounts, "killed", member -> !leads(rig, member), OF_A_MEMBER);
        kill(
            rig,
            lane,
            operator,
            accounts,
            "leader_killed",
            member -> leads(rig, member),
            OF_A_LEADER);
        freeze(rig, lane, operator, accounts);
      }
      rig.cluster().killAll();
      return lane.result(facts, rig.check(VISIBLE_WITHIN).check(rig.evidence()));
    }
  }

  private void kill(
      Rig rig,
      Lane lane,
      FleetOperator operator,
      List<Id128> accounts,
      String name,
      IntPredicate isVictim,
      Duration within) {
    final int victim = choose(rig, lane, name, isVictim);
    if (victim < 0) {
      return;
    }
    final List<Id128> orphans = ownedBy(rig, operator, accounts, victim);
    rig.cluster().kill(victim);
    grants(rig, lane, operator, orphans, name, within);
    rig.startMember(victim);
    lane.expect(rig.awaitWhole(MEMBERS), "the cluster is whole again");
  }

  private void freeze(Rig rig, Lane lane, FleetOperator operator, List<Id128> accounts) {
    final int victim = choose(rig, lane, "frozen", member -> !leads(rig, member));
    if (victim < 0) {
      return;
    }
    final List<Id128> orphans = ownedBy(rig, operator, accounts, victim);
    rig.cluster().process(victim).freeze();
    final long frozenAt = System.nanoTime();
    grants(rig, lane, operator, orphans, "frozen", Rig.SILENCE.plus(OF_A_MEMBER));
    rig.pass(
        Rig.SILENCE.toMillis()
            + FROZEN_BEYOND_MILLIS
            - TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - frozenAt));
    rig.cluster().process(victim).thaw();
    lane.expect(rig.awaitWhole(MEMBERS), "the cluster is whole again");
  }

  /** The first member that fits, once somebody leads CP; -1 if nobody does. */
  private static int choose(Rig rig, Lane lane, String name, IntPredicate fits) {
    final boolean isLed =
        rig.await(
            () -> members().anyMatch(member -> leads(rig, member)) && members().anyMatch(fits),
            LEADER_SECONDS);
    return lane.expect(isLed, "CP is led, and there is somebody to be " + name)
        ? members().filter(fits).findFirst().orElse(-1)
        : -1;
  }

  private static IntStream members() {
    return IntStream.range(0, MEMBERS);
  }

  private static boolean leads(Rig rig, int member) {
    final Message status = rig.cluster().process(member).heard(Words.STATUS);
    return status != null && status.number(Words.CP_LEADER) == 1;
  }

  private static List<Id128> ownedBy(
      Rig rig, FleetOperator operator, List<Id128> accounts, int member) {
    final String address = rig.cluster().addresses().get(member);
    return accounts.stream().filter(account -> operator.ownerOf(account).equals(address)).toList();
  }

  /** Asks for a grant of each account at once, and times each from now. */
  private void grants(
      Rig rig,
      Lane lane,
      FleetOperator operator,
      List<Id128> accounts,
      String name,
      Duration within) {
    final long fromNanos = System.nanoTime();
    final List<CompletableFuture<Long>> took =
        accounts.stream()
            .map(
                account ->
                    operator
                        .submit(
                            account,
                            new LedgerCommand.Acquire(
                                ids.randomId(),
                                ids.randomId(),
                                TEN_UNITS,
                                FleetInstance.TTL.toNanos(),
                                0))
                        .thenApply(
                            answer ->
                                answer.outcome() instanceof Outcome.Granted
                                    ? TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - fromNanos)
                                    : Long.MAX_VALUE))
            .toList();
    final boolean all =
        rig.await(() -> took.stream().allMatch(CompletableFuture::isDone), GRANT_SECONDS);
    final long[] millis =
        took.stream()
            .mapToLong(one -> one.getNow(Long.MAX_VALUE))
            .sorted()
            .filter(one -> one != Long.MAX_VALUE)
            .toArray();
    lane.expect(
        all && millis.length == accounts.size() && millis.length > 0,
        name + ": " + millis.length + " of " + accounts.size() + " accounts get a grant");
    if (millis.length == 0) {
      return;
    }
    final long last = millis[millis.length - 1];
    facts.put(name + "_accounts", (long) millis.length);
    facts.put(name + "_first_grant_millis", millis[0]);
    facts.put(name + "_median_grant_millis", millis[millis.length / 2]);
    facts.put(name + "_last_grant_millis", last);
    lane.expect(
        last <= within.toMillis(),
        name + ": within " + within.toMillis() + " ms, seen " + millis[0] + " to " + last);
  }
}
