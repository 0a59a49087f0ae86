package io.tollgrid.verification.faults.nemesis;

import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.Outcome;
import io.tollgrid.ledger.UsageVerdict;
import io.tollgrid.verification.faults.check.AccountEvidence;
import io.tollgrid.verification.faults.check.FenceCheck;
import io.tollgrid.verification.faults.check.FenceRaise;
import io.tollgrid.verification.faults.check.FleetCheck;
import io.tollgrid.verification.faults.check.FleetEvidence;
import io.tollgrid.verification.faults.check.JournalRow;
import io.tollgrid.verification.faults.check.Violation;
import io.tollgrid.verification.faults.fleet.FleetInstance;
import io.tollgrid.verification.faults.fleet.FleetOperator;
import io.tollgrid.verification.faults.fleet.FleetPopulation;
import io.tollgrid.verification.faults.fleet.FleetTotals;
import io.tollgrid.verification.faults.host.Site;
import io.tollgrid.verification.faults.load.LoadRunner;
import io.tollgrid.verification.faults.load.Population;
import io.tollgrid.verification.faults.plan.Fault;
import io.tollgrid.verification.faults.plan.NemesisSchedule;
import io.tollgrid.verification.faults.plan.PlantedDefect;
import io.tollgrid.verification.faults.process.ChildJvm;
import io.tollgrid.verification.faults.process.Message;
import io.tollgrid.verification.faults.run.Connections;
import io.tollgrid.verification.faults.run.Progress;
import io.tollgrid.verification.faults.run.Rig;
import io.tollgrid.verification.faults.run.RunResult;
import io.tollgrid.verification.faults.run.Words;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/**
 * Some runs on one cluster, each with accounts of its own; when they are over, what dead holders
 * held is reclaimed and everything is judged.
 *
 * <p>Three instances serve principals through the product's client, and a load of bare commands
 * comes from the host of each. Stores lose the confirmation of some commits all the time.
 */
final class NemesisCluster {
  private static final int INSTANCES = 3;
  private static final int ACCOUNTS = 120;
  private static final long UNITS = 2_000;
  private static final int LOAD_ACCOUNTS = 60;
  private static final int CALLERS_EACH = 4;

  /** Two cores carry all of it: a member that gets no turn is as silent as one that is dead. */
  private static final int PAUSE_MILLIS = 40;

  private static final long LOAD_SEED = 0x10AD;
  private static final long FIRST_MILLIS = 2_000;
  private static final long BETWEEN_MILLIS = 1_500;
  private static final long STARTED_SECONDS = 60;
  private static final long SERVES_SECONDS = 60;
  private static final long FINISH_SECONDS = 90;
  private static final Duration ALLOWANCE = Duration.ofMinutes(8);
  private static final Duration LONGEST_RUN = Duration.ofMinutes(5);

  /** Longer than PostgreSQL stands still. */
  private static final Duration COMMITS_VISIBLE_WITHIN = Duration.ofSeconds(40);

  private final int members;
  private final long seed;
  private final int firstRun;
  private final int runs;
  private final PlantedDefect planted;
  private final Progress progress;
  private final List<String> shortfalls = new ArrayList<>();
  private final List<RunRecord> records = new ArrayList<>();
  private final List<ChildJvm> clients = new ArrayList<>();
  private final Map<Id128, Integer> runOf = new HashMap<>();
  private int instancesStarted;

  /**
   * A cluster for the runs of a seed from one number on.
   *
   * @param firstRun the number of the first
   * @param runs how many
   * @param planted a bug of every member and instance
   */
  NemesisCluster(
      int members, long seed, int firstRun, int runs, PlantedDefect planted, Progress progress) {
    this.members = members;
    this.seed = seed;
    this.firstRun = firstRun;
    this.runs = runs;
    this.planted = planted;
    this.progress = progress;
  }

  String name() {
    return isHonest()
        ? "runs-" + members + "-from-" + firstRun
        : planted.spelling() + "-" + firstRun;
  }

  private boolean isHonest() {
    return planted.equals(PlantedDefect.NONE);
  }

  /** What happens in a run. */
  static NemesisSchedule schedule(long seed, int run, int members) {
    return NemesisSchedule.draw(seed, run, members, INSTANCES, Rig.SILENCE.toMillis());
  }

  /** What was recorded of each run; complete once all are judged. */
  List<RunRecord> records() {
    return List.copyOf(records);
  }

  RunResult run(Path directory) throws SQLException {
    final Site site =
        Site.open(members, INSTANCES, directory, directory.resolve(Rig.POSTGRES), this::say);
    final Duration limit = LONGEST_RUN.multipliedBy(runs).plus(ALLOWANCE);
    try (Rig rig =
        Rig.prepare(Rig.Mode.CLIENT, members, seed, directory, limit, site, planted, progress)) {
      rig.startAll();
      if (!rig.awaitWhole(members)) {
        return new RunResult(
            name(), Map.of(), List.of(), List.of("the cluster never came up"), Map.of());
      }
      final List<Done> done = new ArrayList<>();
      try (FleetOperator operator = FleetOperator.of(rig)) {
        for (int i = 0; i < INSTANCES; i++) {
          clients.add(rig.startClient("client-" + i, site.hosts().instance(i)));
        }
        for (int run = firstRun; run < firstRun + runs && shortfalls.isEmpty(); run++) {
          done.add(new OneRun(rig, site, operator, directory, run).run());
        }
        if (isHonest()) {
          reclaim(rig, operator);
        }
      } catch (RuntimeException e) {
        // What happened until then is judged all the same.
        shortfalls.add("it broke: " + e);
      } finally {
        clients.forEach(ChildJvm::close);
      }
      rig.cluster().killAll();
      return judge(rig, done, site.hosts().canCut());
    }
  }

  private void reclaim(Rig rig, FleetOperator operator) {
    rig.pass(FleetInstance.TTL.toMillis() + rig.limits().graceNanos() / 1_000_000 + 1_000);
    operator.reclaim(runOf.keySet());
  }

  /** What is known of a run before it is judged. */
  private record Done(
      int run, long seconds, List<List<String>> faults, Map<String, Long> counts, long takeovers) {}

  private RunResult judge(Rig rig, List<Done> done, boolean namespaces) throws SQLException {
    say("judging");
    final FleetEvidence evidence = rig.evidence();
    final FleetCheck check = rig.check(COMMITS_VISIBLE_WITHIN);
    final List<Violation> violations = check.check(evidence);
    violations.forEach(violation -> say("VIOLATION " + violation));
    final Map<Integer, Long> stragglers = new HashMap<>();
    for (final AccountEvidence account : evidence.accounts()) {
      stragglers.merge(runOf.getOrDefault(account.account(), -1), stragglers(account), Long::sum);
    }
    for (final Done run : done) {
      final RunRecord record =
          new RunRecord(
              seed,
              run.run(),
              members,
              namespaces,
              Instant.now().toString(),
              run.seconds(),
              run.faults(),
              run.counts().getOrDefault("acknowledged", 0L),
              run.counts().getOrDefault(FleetInstance.STARTED, 0L),
              run.takeovers(),
              run.counts().getOrDefault("unknown-attempts", 0L),
              run.counts().getOrDefault("outdated", 0L),
              stragglers.getOrDefault(run.run(), 0L),
              violations.stream()
                  .filter(violation -> belongsTo(violation, run.run()))
                  .map(Violation::toString)
                  .toList());
      records.add(record);
      say((record.bit() ? "bit: " : "VOID: ") + record);
    }
    final FleetTotals totals = FleetTotals.of(evidence);
    if (isHonest() && totals.outstanding() != 0) {
      shortfalls.add(totals.outstanding() + " units are still outstanding");
    }
    final Map<String, Long> counts = new TreeMap<>(RunRecords.histogram(records));
    totals.countInto(counts);
    counts.put(
        "operations",
        evidence.accounts().stream().mapToLong(account -> account.operations().size()).sum());
    counts.put(
        "journal_rows",
        evidence.accounts().stream().mapToLong(account -> account.journal().size()).sum());
    return new RunResult(name(), counts, violations, shortfalls, check.findPlanted(evidence));
  }

  /** A fence belongs to no run, and is told with the first. */
  private boolean belongsTo(Violation violation, int run) {
    final Id128 account = violation.account();
    return (account == null ? firstRun : runOf.getOrDefault(account, firstRun)) == run;
  }

  private static long stragglers(AccountEvidence account) {
    long stragglers = 0;
    for (final JournalRow row : account.journal()) {
      if (row.outcome() instanceof Outcome.UsageRecorded recorded) {
        stragglers +=
            recorded.verdicts().stream()
                .filter(verdict -> verdict == UsageVerdict.STRAGGLER)
                .count();
      }
    }
    return stragglers;
  }

  private void say(String line) {
    progress.say(name() + ": " + line);
  }

  /** One run on the cluster. */
  private final class OneRun {
    private final Rig rig;
    private final Site site;
    private final FleetOperator operator;
    private final Path directory;
    private final int run;
    private final long runSeed;
    private final Map<String, Long> counts = new TreeMap<>();
    private final List<ChildJvm> instances = new ArrayList<>();
    private final List<List<String>> faults = new ArrayList<>();

    OneRun(Rig rig, Site site, FleetOperator operator, Path directory, int run) {
      this.rig = rig;
      this.site = site;
      this.operator = operator;
      this.directory = directory;
      this.run = run;
      this.runSeed = seed * 1_000_003L + run;
    }

    Done run() throws SQLException {
      found();
      final long lastRaise = lastRaise();
      final long membersUnknown = rig.cluster().total("commits-unknown");
      final long membersOutdated = outdatedAtMembers();
      final long began = System.nanoTime();
      try {
        serve();
        suffer();
        finish();
      } finally {
        instances.forEach(ChildJvm::close);
      }
      add("unknown-attempts", rig.cluster().total("commits-unknown") - membersUnknown);
      add("unknown-attempts", counts.getOrDefault("attempts.UNKNOWN", 0L));
      add("outdated", outdatedAtMembers() - membersOutdated);
      add("outdated", counts.getOrDefault("attempts.STALE", 0L));
      add("outdated", counts.getOrDefault("attempts.NO_FENCE", 0L));
      return new Done(
          run,
          Duration.ofNanos(System.nanoTime() - began).toSeconds(),
          faults,
          counts,
          FenceCheck.takeovers(rig.raises(), lastRaise));
    }

    private long lastRaise() throws SQLException {
      return rig.raises().stream().mapToLong(FenceRaise::sequence).max().orElse(0);
    }

    private long outdatedAtMembers() {
      return rig.cluster().total("verdict.fenced") + rig.cluster().total("verdict.stale");
    }

    private void found() throws SQLException {
      final FleetPopulation population = new FleetPopulation(runSeed, ACCOUNTS);
      population.accounts().forEach(account -> runOf.put(account, run));
      new Population(runSeed ^ LOAD_SEED, LOAD_ACCOUNTS)
          .accounts()
          .forEach(account -> runOf.put(account, run));
      operator.found(population.accounts(), UNITS);
      final Map<Id128, Id128> payers = new LinkedHashMap<>();
      population.forEachPrincipal(payers::put);
      operator.assign(payers);
    }

    private void serve() {
      for (final ChildJvm client : clients) {
        client.tell(rig.load(runSeed ^ LOAD_SEED, LOAD_ACCOUNTS, CALLERS_EACH, PAUSE_MILLIS));
      }
      for (int i = 0; i < INSTANCES; i++) {
        instancesStarted++;
        instances.add(
            FleetInstance.start(
                rig,
                site.hosts().instance(i),
                Connections.CLIENT,
                runSeed,
                ACCOUNTS,
                instancesStarted,
                planted,
                directory));
      }
      expectMoreServed(List.of(0L, 0L, 0L), STARTED_SECONDS, "from the start");
    }

    private void suffer() {
      final Nemesis nemesis = new Nemesis(rig, site, instances);
      final NemesisSchedule schedule = schedule(seed, run, members);
      rig.pass(FIRST_MILLIS);
      for (final List<Fault> step : schedule.steps()) {
        final List<Fault> possible = step.stream().filter(nemesis::can).toList();
        say("run " + run + ": " + possible);
        faults.add(possible.stream().map(Fault::toString).toList());
        nemesis.inflict(possible);
        if (!rig.awaitWhole(members)) {
          shortfalls.add("the cluster was not whole again after run " + run + ", " + possible);
          return;
        }
        rig.pass(BETWEEN_MILLIS);
      }
      expectMoreServed(
          instances.stream().map(OneRun::served).toList(), SERVES_SECONDS, "after the faults");
    }

    private void expectMoreServed(List<Long> than, long seconds, String when) {
      IntStream.range(0, INSTANCES)
          .filter(i -> !rig.await(() -> served(instances.get(i)) > than.get(i), seconds))
          .forEach(
              i ->
                  shortfalls.add(
                      instances.get(i).name() + " serves nobody " + when + ", run " + run));
    }

    private static long served(ChildJvm instance) {
      final Message status = instance.heard(Words.STATUS);
      return status == null ? 0 : status.number(FleetInstance.STARTED);
    }

    private void finish() {
      final Map<ChildJvm, Long> loads = new LinkedHashMap<>();
      clients.forEach(client -> loads.put(client, load(client)));
      clients.forEach(client -> client.tell(Message.of(Words.FINISH)));
      instances.forEach(instance -> instance.tell(Message.of(Words.FINISH)));
      loads.forEach(
          (client, load) -> take(client, message -> message.number(LoadRunner.NUMBER) == load));
      for (final ChildJvm instance : instances) {
        take(instance, any -> true);
      }
      final long lost = counts.getOrDefault("lost-events", 0L);
      if (lost > 0) {
        shortfalls.add("instances of run " + run + " lost " + lost + " events");
      }
    }

    private static long load(ChildJvm client) {
      final Message status = client.heard(Words.STATUS);
      return status == null ? 0 : status.number(LoadRunner.NUMBER);
    }

    private void take(ChildJvm process, Predicate<Message> which) {
      try {
        final Message left = process.await(Words.FINISHED, which, FINISH_SECONDS);
        left.fields().keySet().forEach(what -> add(what, left.number(what)));
      } catch (IllegalStateException e) {
        shortfalls.add("run " + run + ": " + e.getMessage());
      }
    }

    private void add(String what, long more) {
      counts.merge(what, more, Math::addExact);
    }
  }
}
