package io.tollgrid.verification.faults.ingest;

import io.tollgrid.grid.SystemClock;
import io.tollgrid.mapstore.database.LedgerDataSources;
import io.tollgrid.mapstore.verify.LedgerVerification;
import io.tollgrid.verification.faults.check.Violation;
import io.tollgrid.verification.faults.run.Lane;
import io.tollgrid.verification.faults.run.Progress;
import io.tollgrid.verification.faults.run.Rig;
import io.tollgrid.verification.faults.run.RunResult;
import io.tollgrid.verification.faults.run.Words;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * Three writers deliver a plan to three members while writers, members and PostgreSQL are killed;
 * then every event is judged (R20, R22).
 */
final class IngestLane {
  static final String NAME = "ingest";

  private static final int MEMBERS = 3;
  private static final int ACCOUNTS = 2_000;
  private static final long LOOK_MILLIS = 200;
  private static final long AWAY_MILLIS = 2_000;
  private static final long SAY_NANOS = TimeUnit.SECONDS.toNanos(20);

  /** Batches that are shown where the inbox does not become empty. */
  private static final long LOOK_AGAIN_SECONDS = 5;

  private static final long INBOX_EMPTY_SECONDS = 240;

  /** Acknowledgements of which at least one must get lost. */
  private static final long LOST_ONE_IN = 100;

  /** What is broken, in the order in which it is. */
  private enum Fault {
    WRITER,
    MEMBER,
    POSTGRES_CRASH,
    POSTGRES_RESTART
  }

  /** Spread evenly over the run. */
  private static final List<Fault> FAULTS =
      List.of(
          Fault.WRITER,
          Fault.MEMBER,
          Fault.POSTGRES_CRASH,
          Fault.WRITER,
          Fault.MEMBER,
          Fault.WRITER,
          Fault.POSTGRES_RESTART,
          Fault.MEMBER,
          Fault.WRITER,
          Fault.MEMBER);

  private final int events;
  private final long seed;
  private final Progress progress;
  private final SplittableRandom random;
  private final Map<String, Long> facts = new TreeMap<>();

  IngestLane(int events, long seed, Progress progress) {
    this.events = events;
    this.seed = seed;
    this.progress = progress;
    this.random = new SplittableRandom(seed);
  }

  RunResult run(Path directory) throws SQLException {
    final Duration limit = Duration.ofMinutes(15).plusNanos(events * 2_000_000L);
    try (Rig rig =
        Rig.prepare(
            Rig.Mode.CLIENT,
            MEMBERS,
            seed,
            0,
            directory,
            limit,
            List.of("ledger.maxLeaseTtl=24h"),
            progress)) {
      final Lane lane = new Lane(NAME, rig, progress);
      final List<Violation> violations = new ArrayList<>();
      final UsagePlan plan =
          new UsagePlan(seed, events, ACCOUNTS, System.currentTimeMillis() - 1_000);
      found(plan, rig);
      rig.startAll();
      if (lane.expect(rig.awaitWhole(MEMBERS), MEMBERS + " members are ready")) {
        try (WriterProcesses writers = new WriterProcesses(plan, rig, directory)) {
          deliver(rig, lane, writers);
          final boolean unused = rig.awaitWhole(MEMBERS);
          lane.expect(inboxIsEmpty(rig, lane), "the inbox is empty in the end");
          rig.cluster().killAll();
          violations.addAll(judge(plan, rig, lane, writers));
        }
      }
      return lane.result(facts, violations);
    }
  }

  private void found(UsagePlan plan, Rig rig) throws SQLException {
    final long began = System.nanoTime();
    try (LedgerDataSources sources =
            LedgerDataSources.open(rig.postgres().address(), LedgerDataSources.Sizes.DEFAULTS);
        Connection connection = sources.control().getConnection()) {
      UsageAccounts.found(plan, rig.limits(), connection, new SystemClock().nowNanos());
      try (Statement statement = connection.createStatement()) {
        statement.execute("ANALYZE account, lease");
      }
      connection.commit();
    }
    facts.put("accounts", (long) plan.accounts());
    facts.put("founding_millis", TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began));
  }

  private void deliver(Rig rig, Lane lane, WriterProcesses writers) {
    final long began = System.nanoTime();
    final long deliveries = events + events / 5L;
    for (int writer = 0; writer < WriterProcesses.WRITERS; writer++) {
      writers.start(writer);
    }
    long saidNanos = began;
    int faults = 0;
    while (!writers.finished()) {
      if (faults < FAULTS.size()
          && writers.answered() * (FAULTS.size() + 1) >= deliveries * (faults + 1)) {
        lane.say(writers.answered() + " answered; " + FAULTS.get(faults));
        strike(FAULTS.get(faults), rig, lane, writers);
        faults++;
      }
      if (System.nanoTime() - saidNanos > SAY_NANOS) {
        saidNanos = System.nanoTime();
        lane.say(writers.answered() + " of about " + deliveries + " deliveries are answered");
      }
      rig.pass(LOOK_MILLIS);
    }
    final long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began);
    final long acknowledgements = writers.total(UsageWriterProcess.ACKNOWLEDGEMENTS);
    final long lost = writers.total(UsageWriterProcess.ACKNOWLEDGEMENTS_LOST);
    facts.put("delivering_millis", millis);
    facts.put("events_per_second", events * 1_000L / Math.max(1, millis));
    facts.put("deliveries_made", writers.total(UsageWriterProcess.DELIVERED));
    facts.put("batches_sent_again", writers.total(UsageWriterProcess.SENT_AGAIN));
    facts.put("acknowledgements", acknowledgements);
    facts.put("acknowledgements_lost", lost);
    lane.expect(faults == FAULTS.size(), "all faults happened while usage was delivered");
    lane.expect(
        lost > 0 && lost * LOST_ONE_IN >= acknowledgements,
        lost + " of " + acknowledgements + " acknowledgements got lost");
    lane.expect(writers.unexpectedEnds() == 0, "no writer ended by itself");
  }

  private void strike(Fault fault, Rig rig, Lane lane, WriterProcesses writers) {
    switch (fault) {
      case WRITER -> {
        final int writer = random.nextInt(WriterProcesses.WRITERS);
        lane.expect(writers.kill(writer), "writer " + writer + " was killed in its midst");
        writers.start(writer);
        count("writers_killed");
      }
      case MEMBER -> {
        lane.expect(rig.awaitWhole(MEMBERS), "all members were there before one was killed");
        final int member = random.nextInt(MEMBERS);
        rig.cluster().kill(member);
        rig.pass(AWAY_MILLIS);
        rig.cluster().start(member);
        count("members_killed");
      }
      case POSTGRES_CRASH -> {
        rig.postgres().crash();
        count("postgres_killed");
      }
      case POSTGRES_RESTART -> {
        rig.postgres().restart();
        count("postgres_restarted");
      }
    }
  }

  private void count(String what) {
    facts.merge(what, 1L, Long::sum);
  }

  /** What a killed writer left is recorded, and goes when nobody asked for a minute. */
  private static boolean inboxIsEmpty(Rig rig, Lane lane) {
    for (long waited = 0; waited < INBOX_EMPTY_SECONDS; waited += LOOK_AGAIN_SECONDS) {
      if (rig.look(rig.cluster().living(), INBOX_EMPTY_SECONDS)
          && rig.cluster().most(Words.LEFT_BATCHES) == 0) {
        return true;
      }
      rig.pass(LOOK_AGAIN_SECONDS * 1_000);
    }
    lane.say(
        "a member has "
            + rig.cluster().most(Words.LEFT_BATCHES)
            + " batches left of "
            + rig.cluster().most(Words.LEFT_KEYS)
            + " it names, one "
            + rig.cluster().most(Words.LEFT_EVENTS)
            + " events not classified");
    return false;
  }

  private List<Violation> judge(UsagePlan plan, Rig rig, Lane lane, WriterProcesses writers)
      throws SQLException {
    lane.say("judges every event");
    try (LedgerDataSources sources =
        LedgerDataSources.open(rig.postgres().address(), LedgerDataSources.Sizes.DEFAULTS)) {
      final IngestCheck check = new IngestCheck(plan, writers.files());
      try (Connection connection = sources.control().getConnection()) {
        IngestEvidence.show(connection, check);
        connection.rollback();
      }
      final List<Violation> violations = check.finish();
      check.count(facts);
      lane.say("replays every journal");
      final LedgerVerification.Report report =
          new LedgerVerification(sources.control()).run(rig.limits());
      facts.put("transitions_replayed", report.transitions());
      report.findings().stream().limit(20).forEach(finding -> lane.say("FOUND " + finding));
      lane.expect(
          report.clean(),
          report.accounts()
              + " accounts and "
              + report.transitions()
              + " transitions agree, seen "
              + report.found()
              + " disagreements");
      return violations;
    }
  }
}
