package io.tollgrid.verification.faults.fleet;

import io.tollgrid.ledger.AccountStatus;
import io.tollgrid.ledger.BudgetSchedule;
import io.tollgrid.ledger.Id128;
import io.tollgrid.verification.faults.check.FleetCheck;
import io.tollgrid.verification.faults.check.FleetEvidence;
import io.tollgrid.verification.faults.check.Violation;
import io.tollgrid.verification.faults.host.Host;
import io.tollgrid.verification.faults.plan.PlantedDefect;
import io.tollgrid.verification.faults.process.ChildJvm;
import io.tollgrid.verification.faults.process.Message;
import io.tollgrid.verification.faults.run.Progress;
import io.tollgrid.verification.faults.run.Rig;
import io.tollgrid.verification.faults.run.RunResult;
import io.tollgrid.verification.faults.run.Words;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * A fleet under load and its schedules, one after the other; then everybody shuts down, what dead
 * holders held is reclaimed, and the books are judged.
 */
final class FleetRun {

  private static final int MEMBERS = 3;
  private static final int INSTANCES = 5;
  private static final int ACCOUNTS = 2_000;
  private static final long FIRST_UNITS = 2_000;
  private static final int DEPOSITS = 50;
  private static final long DEPOSIT_UNITS = 300;
  private static final int REVOKED = 10;
  private static final int SUSPENDED = 10;
  private static final int RESCHEDULED = 20;
  private static final long ALLOWANCE_UNITS = 500;
  private static final long HELD_MILLIS = 1_500;
  private static final long SHORT_FREEZE_MILLIS = 2_000;
  private static final long REFUSED_MILLIS = 2_500;
  private static final long STARTED_SECONDS = 60;
  private static final long SERVES_SECONDS = 60;
  private static final long FINISH_SECONDS = 60;
  private static final Duration COMMITS_VISIBLE_WITHIN = Duration.ofSeconds(3);

  private final List<FleetSchedule> schedules;
  private final long seed;
  private final String connection;
  private final Progress progress;
  private final List<String> shortfalls = new ArrayList<>();
  private final Map<String, Long> counts = new TreeMap<>();
  private final List<ChildJvm> instances = new ArrayList<>();
  private int started;

  /**
   * A run.
   *
   * @param connection how instances reach the grid
   */
  FleetRun(List<FleetSchedule> schedules, String connection, Progress progress) {
    this.schedules = List.copyOf(schedules);
    this.seed = schedules.get(0).seed();
    this.connection = connection;
    this.progress = progress;
  }

  String name() {
    return "fleet-" + connection;
  }

  RunResult run(Path directory) throws SQLException {
    final Duration limit = Duration.ofMinutes(6 + 3L * schedules.size());
    try (Rig rig =
        Rig.prepare(Rig.Mode.CLIENT, MEMBERS, seed, ACCOUNTS, directory, limit, progress)) {
      rig.startAll();
      if (!rig.awaitWhole(MEMBERS)) {
        return new RunResult(
            name(), Map.of(), List.of(), List.of("the cluster never came up"), Map.of());
      }
      final FleetPopulation population = new FleetPopulation(seed, ACCOUNTS);
      try (FleetOperator operator = FleetOperator.of(rig)) {
        found(operator, population);
        for (int i = 0; i < INSTANCES; i++) {
          instances.add(start(rig, directory));
        }
        for (final FleetSchedule schedule : schedules) {
          say("seed " + schedule.seed() + ": " + schedule.steps());
          follow(rig, directory, operator, population, schedule);
        }
        finish(operator, population, rig);
      } finally {
        instances.forEach(ChildJvm::close);
      }
      rig.cluster().killAll();
      return judge(rig);
    }
  }

  private void found(FleetOperator operator, FleetPopulation population) throws SQLException {
    operator.found(population.accounts(), FIRST_UNITS);
    final Map<Id128, Id128> payers = new LinkedHashMap<>();
    population.forEachPrincipal(payers::put);
    operator.assign(payers);
    say(ACCOUNTS + " accounts, " + payers.size() + " principals");
  }

  private ChildJvm start(Rig rig, Path directory) {
    started++;
    final ChildJvm instance =
        FleetInstance.start(
            rig, Host.LOCAL, connection, seed, ACCOUNTS, started, PlantedDefect.NONE, directory);
    final long since = System.nanoTime();
    if (!rig.await(
        () ->
            instance.heard(Words.STATUS) != null
                && instance.heard(Words.STATUS).number(FleetInstance.STARTED) > 0,
        STARTED_SECONDS)) {
      shortfalls.add(instance.name() + " served nobody within " + STARTED_SECONDS + " s");
    }
    add("most_ms_to_first_request", 0);
    counts.merge("most_ms_to_first_request", (System.nanoTime() - since) / 1_000_000, Math::max);
    return instance;
  }

  private void follow(
      Rig rig,
      Path directory,
      FleetOperator operator,
      FleetPopulation population,
      FleetSchedule schedule)
      throws SQLException {
    for (final FleetSchedule.Step step : schedule.steps()) {
      rig.pass(step.afterMillis());
      add(step.event().name().toLowerCase(java.util.Locale.ROOT), 1);
      happen(rig, directory, operator, population, step);
    }
    final List<Long> before = instances.stream().map(FleetRun::served).toList();
    for (int i = 0; i < instances.size(); i++) {
      final ChildJvm instance = instances.get(i);
      final long was = before.get(i);
      if (!rig.await(() -> served(instance) > was, SERVES_SECONDS)) {
        shortfalls.add(
            instance.name() + " serves nobody after the schedule of seed " + schedule.seed());
      }
    }
    add("schedules", 1);
  }

  private void happen(
      Rig rig,
      Path directory,
      FleetOperator operator,
      FleetPopulation population,
      FleetSchedule.Step step)
      throws SQLException {
    final SplittableRandom random = new SplittableRandom(step.choice());
    final int which = step.choice() % instances.size();
    switch (step.event()) {
      case CRASH_INSTANCE -> {
        remember(instances.get(which), false);
        instances.get(which).kill();
        instances.set(which, start(rig, directory));
      }
      case FREEZE_INSTANCE -> {
        final ChildJvm frozen = instances.get(which);
        frozen.freeze();
        rig.pass(
            step.choice() % 3 == 0
                ? FleetInstance.TTL.toMillis() + REFUSED_MILLIS
                : SHORT_FREEZE_MILLIS);
        if (step.choice() % 3 == 0) {
          add("frozen_past_its_leases", 1);
          operator.reclaim(population.accounts());
        }
        frozen.thaw();
      }
      case KILL_MEMBER -> {
        final int member = step.choice() % MEMBERS;
        rig.cluster().kill(member);
        rig.pass(HELD_MILLIS);
        rig.startMember(member);
        if (!rig.awaitWhole(MEMBERS)) {
          shortfalls.add("the cluster was not whole again after " + step);
        }
      }
      case REVOKE -> revoke(rig, operator, population, random);
      case SUSPEND -> {
        final Set<Id128> some = some(population, random, SUSPENDED);
        operator.status(some, AccountStatus.SUSPENDED);
        rig.pass(REFUSED_MILLIS);
        operator.status(some, AccountStatus.ACTIVE);
      }
      case DEPOSIT -> operator.deposit(some(population, random, DEPOSITS), DEPOSIT_UNITS);
      case RESCHEDULE ->
          operator.schedule(
              some(population, random, RESCHEDULED),
              random.nextInt(4) == 0 ? null : BudgetSchedule.monthlyUtc(ALLOWANCE_UNITS));
      case SCALE_UP -> instances.add(start(rig, directory));
      case SCALE_DOWN -> {
        final ChildJvm leaving = instances.remove(which);
        finish(leaving);
        leaving.kill();
        if (instances.size() < INSTANCES - 1) {
          instances.add(start(rig, directory));
        }
      }
    }
  }

  private void revoke(
      Rig rig, FleetOperator operator, FleetPopulation population, SplittableRandom random)
      throws SQLException {
    final List<Id128> accounts = List.copyOf(some(population, random, REVOKED));
    for (final Id128 account : accounts) {
      operator.publications().revoke(FleetPopulation.firstPrincipalOf(account));
    }
    rig.pass(REFUSED_MILLIS);
    for (final Id128 account : accounts) {
      operator.assign(FleetPopulation.firstPrincipalOf(account), account);
    }
  }

  private static Set<Id128> some(FleetPopulation population, SplittableRandom random, int howMany) {
    final Set<Id128> some = new LinkedHashSet<>();
    while (some.size() < howMany) {
      some.add(population.pickAccount(random));
    }
    return some;
  }

  /** Everybody leaves in order; then what the dead held is written off. */
  private void finish(FleetOperator operator, FleetPopulation population, Rig rig) {
    instances.forEach(this::finish);
    final long dueMillis = FleetInstance.TTL.toMillis() + rig.limits().graceNanos() / 1_000_000;
    rig.pass(dueMillis + 1_000);
    operator.reclaim(population.accounts());
  }

  private void finish(ChildJvm instance) {
    instance.tell(Message.of(Words.FINISH));
    try {
      final Message left = instance.await(Words.FINISHED, any -> true, FINISH_SECONDS);
      for (final String what :
          List.of("lost-events", "unresolved-events", "abandoned-leases", "uncertain-commands")) {
        if (left.number(what) > 0) {
          shortfalls.add(instance.name() + " left " + left.number(what) + " " + what);
        }
      }
    } catch (IllegalStateException e) {
      shortfalls.add(String.valueOf(e.getMessage()));
    }
    remember(instance, true);
  }

  private static long served(ChildJvm instance) {
    final Message status = instance.heard(Words.STATUS);
    return status == null ? 0 : status.number(FleetInstance.STARTED);
  }

  private void remember(ChildJvm instance, boolean finished) {
    final Message last = instance.heard(finished ? Words.FINISHED : Words.STATUS);
    if (last != null) {
      last.fields().keySet().forEach(what -> add(what, last.number(what)));
    }
  }

  private void add(String what, long more) {
    counts.merge(what, more, Math::addExact);
  }

  private RunResult judge(Rig rig) throws SQLException {
    say("judging");
    final FleetEvidence evidence = rig.evidence();
    final FleetCheck check = rig.check(COMMITS_VISIBLE_WITHIN);
    final List<Violation> violations = check.check(evidence);
    violations.forEach(violation -> say("VIOLATION " + violation));
    counts.put("accounts", (long) evidence.accounts().size());
    counts.put(
        "operations",
        evidence.accounts().stream().mapToLong(account -> account.operations().size()).sum());
    final FleetTotals totals = FleetTotals.of(evidence);
    totals.countInto(counts);
    if (totals.outstanding() != 0) {
      shortfalls.add(totals.outstanding() + " units are still outstanding");
    }
    for (final String bitten :
        List.of("denied.ACCOUNT_SUSPENDED", "denied.PRINCIPAL_REVOKED", "loss_units")) {
      if (counts.getOrDefault(bitten, 0L) == 0) {
        shortfalls.add("nothing was counted as " + bitten);
      }
    }
    return new RunResult(name(), counts, violations, shortfalls, check.findPlanted(evidence));
  }

  private void say(String line) {
    progress.say(name() + ": " + line);
  }
}
