package io.tollgrid.verification.faults.soak;

import io.tollgrid.ledger.Id128;
import io.tollgrid.mapstore.database.LedgerDataSources;
import io.tollgrid.mapstore.verify.LedgerVerification;
import io.tollgrid.verification.faults.fleet.FleetOperator;
import io.tollgrid.verification.faults.fleet.FleetPopulation;
import io.tollgrid.verification.faults.process.ChildJvm;
import io.tollgrid.verification.faults.process.Message;
import io.tollgrid.verification.faults.process.Vitals;
import io.tollgrid.verification.faults.run.Lane;
import io.tollgrid.verification.faults.run.Progress;
import io.tollgrid.verification.faults.run.Rig;
import io.tollgrid.verification.faults.run.RunResult;
import io.tollgrid.verification.faults.run.Words;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * A system at half of what it can take: heap after a collection, threads and files of every
 * process, PostgreSQL's connections and its bytes for each event must not grow, and the books must
 * be exact in the end.
 */
public final class SoakRun {
  /** Its name in results. */
  public static final String NAME = "soak";

  private static final int MEMBERS = 3;
  private static final int INSTANCES = 2;
  private static final int ACCOUNTS = 200;
  private static final long UNITS = 1L << 40;
  private static final String HEAP = "256m";
  private static final long START_SECONDS = 120;
  private static final long WARM_UP_MILLIS = 30_000;
  private static final long CAPACITY_MILLIS = 30_000;
  private static final long SAMPLE_MILLIS = 15_000;
  private static final long LOOK_SECONDS = 30;
  private static final long FINISH_SECONDS = 120;
  private static final Duration ALLOWANCE = Duration.ofMinutes(12);
  private static final double MILLION = 1_000_000;

  private final Duration length;
  private final long seed;
  private final Progress progress;
  private final Map<String, List<Trend.Point>> series = new LinkedHashMap<>();
  private final Map<String, Long> facts = new TreeMap<>();

  /** Lasts so long, of which the last two thirds are judged. */
  public SoakRun(Duration length, long seed, Progress progress) {
    this.length = length;
    this.seed = seed;
    this.progress = progress;
  }

  /** Runs it. */
  public RunResult run(Path directory) throws SQLException {
    final Duration limit = length.plus(ALLOWANCE);
    try (Rig rig = Rig.prepare(Rig.Mode.CLIENT, MEMBERS, seed, 0, directory, limit, progress)) {
      final Lane lane = new Lane(NAME, rig, progress);
      rig.startAll();
      if (!lane.expect(rig.awaitWhole(MEMBERS), MEMBERS + " members are ready")) {
        return lane.result(facts, List.of());
      }
      final List<Id128> accounts = FleetPopulation.drawn(seed, ACCOUNTS);
      try (FleetOperator operator = FleetOperator.of(rig)) {
        operator.found(accounts, UNITS);
        operator.assign(
            accounts.stream().collect(Collectors.toMap(account -> account, account -> account)));
      }
      final List<ChildJvm> instances = new ArrayList<>();
      try {
        for (int i = 1; i <= INSTANCES; i++) {
          instances.add(start(rig, directory, i, accounts));
        }
        soak(rig, lane, instances);
        finish(lane, instances);
      } finally {
        instances.forEach(ChildJvm::close);
      }
      rig.cluster().killAll();
      judge(rig, lane);
      return lane.result(facts, List.of());
    }
  }

  private static ChildJvm start(Rig rig, Path directory, int number, List<Id128> accounts) {
    final ChildJvm instance =
        ChildJvm.start(
            "instance-" + number,
            SoakInstance.class,
            List.of(
                rig.cluster().name(),
                Integer.toString(number),
                String.join(",", rig.cluster().addresses()),
                accounts.stream().map(Id128::toHex).collect(Collectors.joining(","))),
            HEAP,
            directory);
    final Message unused =
        instance.await(
            Words.STATUS, status -> status.number(SoakInstance.SERVED) > 0, START_SECONDS);
    return instance;
  }

  private void soak(Rig rig, Lane lane, List<ChildJvm> instances) throws SQLException {
    pace(instances, 0);
    rig.pass(WARM_UP_MILLIS);
    final long before = recorded(instances);
    final long fromNanos = System.nanoTime();
    rig.pass(CAPACITY_MILLIS);
    final long capacity =
        (recorded(instances) - before)
            * TimeUnit.SECONDS.toNanos(1)
            / (System.nanoTime() - fromNanos);
    facts.put("capacity_events_per_second", capacity);
    lane.say(capacity + " events are recorded a second; half of it from now on");
    pace(instances, Math.max(1, capacity / 2 / INSTANCES));
    final long beginNanos = System.nanoTime();
    final long refusedBefore = total(instances, SoakInstance.REFUSED);
    long bytes = 0;
    long events = 0;
    while (System.nanoTime() - beginNanos < length.toNanos()) {
      rig.pass(SAMPLE_MILLIS);
      final double minute = (System.nanoTime() - beginNanos) / 6e10;
      look(rig, lane, instances, minute);
      try (Connection connection = rig.postgres().connect()) {
        add(
            "postgres connections",
            minute,
            number(
                connection,
                "SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend'"));
        final long bytesNow = number(connection, "SELECT pg_database_size(current_database())");
        final long eventsNow = recorded(instances);
        if (events > 0) {
          add(
              "postgres bytes an event",
              minute,
              (double) (bytesNow - bytes) / (eventsNow - events));
        }
        bytes = bytesNow;
        events = eventsNow;
      }
      add("events without an answer", minute, total(instances, SoakInstance.OPEN));
    }
    facts.put("events", events);
    times(instances);
    facts.put("refused_while_soaking", total(instances, SoakInstance.REFUSED) - refusedBefore);
    series.forEach((name, points) -> trend(lane, name, points));
  }

  /** Of the slower instance, since the pace was set. */
  private void times(List<ChildJvm> instances) {
    for (final ChildJvm instance : instances) {
      final Message status = instance.heard(Words.STATUS);
      if (status != null) {
        status.fields().keySet().stream()
            .filter(what -> what.startsWith(TimedGrid.TIME))
            .forEach(what -> facts.merge(what, status.number(what), Math::max));
      }
    }
  }

  private void trend(Lane lane, String name, List<Trend.Point> points) {
    final double from = length.toSeconds() / 180.0;
    final Trend trend = Trend.of(points.stream().filter(point -> point.minute() >= from).toList());
    lane.expect(!trend.grows(), name + " does not grow: " + trend);
    facts.put(name.replace(' ', '_') + "_mean", Math.round(trend.mean()));
  }

  private void look(Rig rig, Lane lane, List<ChildJvm> instances, double minute) {
    final List<ChildJvm> all = new ArrayList<>(instances);
    all.addAll(rig.cluster().living());
    final boolean looked = rig.look(all, LOOK_SECONDS);
    if (!looked) {
      lane.expect(false, "every process says what it holds, at minute " + Math.round(minute));
      return;
    }
    for (final ChildJvm process : all) {
      add(process.name() + " MB of heap", minute, status(process, Vitals.HEAP) / MILLION);
      add(process.name() + " threads", minute, status(process, Vitals.THREADS));
      add(process.name() + " files", minute, status(process, Vitals.FILES));
    }
  }

  private void add(String name, double minute, long value) {
    add(name, minute, (double) value);
  }

  private void add(String name, double minute, double value) {
    series.computeIfAbsent(name, any -> new ArrayList<>()).add(new Trend.Point(minute, value));
  }

  private static void pace(List<ChildJvm> instances, long perSecond) {
    instances.forEach(
        instance ->
            instance.tell(
                new Message(
                    SoakInstance.PACE, Map.of(SoakInstance.PACE, Long.toString(perSecond)))));
  }

  private static long recorded(List<ChildJvm> instances) {
    return total(instances, SoakInstance.SERVED) - total(instances, SoakInstance.OPEN);
  }

  private static long total(List<ChildJvm> instances, String what) {
    return instances.stream().mapToLong(instance -> status(instance, what)).sum();
  }

  private static long status(ChildJvm process, String what) {
    final Message status = process.heard(Words.STATUS);
    return status == null ? 0 : status.number(what);
  }

  private void finish(Lane lane, List<ChildJvm> instances) {
    instances.forEach(instance -> instance.tell(Message.of(Words.FINISH)));
    long served = 0;
    for (final ChildJvm instance : instances) {
      final Message left = instance.await(Words.FINISHED, any -> true, FINISH_SECONDS);
      lane.expect(left.number(SoakInstance.LEFT) == 0, instance.name() + " left nothing behind");
      served += left.number(SoakInstance.SERVED);
      left.fields().keySet().stream()
          .filter(what -> what.startsWith(SoakInstance.DENIED))
          .forEach(what -> facts.merge(what, left.number(what), Math::addExact));
    }
    facts.put("requests_served", served);
  }

  private void judge(Rig rig, Lane lane) throws SQLException {
    try (Connection connection = rig.postgres().connect()) {
      final long billed = number(connection, "SELECT sum(billed)::int8 FROM account");
      final long served = facts.getOrDefault("requests_served", -1L);
      lane.expect(billed == served, served + " units were served, " + billed + " billed");
      facts.put(
          "database_bytes", number(connection, "SELECT pg_database_size(current_database())"));
    }
    try (LedgerDataSources sources =
        LedgerDataSources.open(rig.postgres().address(), LedgerDataSources.Sizes.DEFAULTS)) {
      final LedgerVerification.Report report =
          new LedgerVerification(sources.control()).run(rig.limits());
      report.findings().stream().limit(20).forEach(finding -> lane.say("FOUND " + finding));
      facts.put("transitions_replayed", report.transitions());
      lane.expect(
          report.clean(),
          report.transitions() + " transitions agree, seen " + report.found() + " disagreements");
    }
  }

  private static long number(Connection connection, String query) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(query)) {
      row.next();
      return row.getLong(1);
    }
  }
}
