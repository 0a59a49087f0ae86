package io.tollgrid.verification.faults.sweep;

import com.hazelcast.core.HazelcastInstance;
import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.tollgrid.grid.SystemClock;
import io.tollgrid.ledger.port.LedgerClock;
import io.tollgrid.mapstore.database.LedgerDataSources;
import io.tollgrid.mapstore.database.PostgresAddress;
import io.tollgrid.mapstore.sql.ColumnType;
import io.tollgrid.mapstore.sweep.DueCursor;
import io.tollgrid.mapstore.verify.LedgerVerification;
import io.tollgrid.pipelines.sweep.SweepSettings;
import io.tollgrid.verification.faults.process.ChildJvm;
import io.tollgrid.verification.faults.process.Message;
import io.tollgrid.verification.faults.run.Lane;
import io.tollgrid.verification.faults.run.Progress;
import io.tollgrid.verification.faults.run.Rig;
import io.tollgrid.verification.faults.run.Words;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

/** What the lanes of the sweeps have in common. Used by one thread. */
final class SweepRig implements AutoCloseable {
  static final int MEMBERS = 3;

  /** How often PostgreSQL is asked how much is due. */
  static final long LOOK_MILLIS = 500;

  private static final int CONNECTIONS = 4;
  private static final long PATIENCE_MILLIS = 60_000;

  private final Rig rig;
  private final Lane lane;
  private final LedgerClock clock = new SystemClock();
  private final LedgerDataSources sources;
  private final HikariDataSource control;
  private final SweepEvidence evidence;
  private final Map<String, Long> facts = new TreeMap<>();

  private SweepRig(String name, Rig rig, Progress progress) {
    this.rig = rig;
    this.lane = new Lane(name, rig, progress);
    this.sources =
        LedgerDataSources.open(rig.postgres().address(), LedgerDataSources.Sizes.DEFAULTS);
    this.control = patient(rig.postgres().address());
    this.evidence = new SweepEvidence(control);
  }

  /** As the product connects, but a machine that is busy with the run may take its time. */
  private static HikariDataSource patient(PostgresAddress address) {
    final HikariConfig config = new HikariConfig();
    config.setPoolName("sweep-lane");
    config.setJdbcUrl(address.jdbcUrl());
    config.setUsername(address.user());
    config.setPassword(address.password());
    config.setMaximumPoolSize(CONNECTIONS);
    config.setAutoCommit(false);
    config.setConnectionTimeout(PATIENCE_MILLIS);
    config.addDataSourceProperty("binaryTransferEnable", ColumnType.binaryTransferEnable());
    return new HikariDataSource(config);
  }

  /** A rig whose members are not started yet. */
  static SweepRig prepare(String name, long seed, Path directory, Duration limit, Progress progress)
      throws SQLException {
    return new SweepRig(
        name, Rig.prepare(Rig.Mode.CLIENT, MEMBERS, seed, 0, directory, limit, progress), progress);
  }

  Rig rig() {
    return rig;
  }

  Lane lane() {
    return lane;
  }

  LedgerClock clock() {
    return clock;
  }

  /** Connections as the product has them. */
  LedgerDataSources sources() {
    return sources;
  }

  SweepEvidence evidence() {
    return evidence;
  }

  /** What was counted and measured, by name. */
  Map<String, Long> facts() {
    return facts;
  }

  /** Starts all members. Returns whether they are ready together. */
  boolean startAll() {
    rig.startAll();
    return lane.expect(rig.awaitWhole(MEMBERS), MEMBERS + " members are ready");
  }

  /** A connection to write accounts on. */
  Connection connect() throws SQLException {
    return control.getConnection();
  }

  SweepLedgers ledgers(String actor, int atOnce) {
    final HazelcastInstance hazelcast = rig.connect();
    return new SweepLedgers(actor, hazelcast, rig.cluster().operatorKeyFile(), clock, atOnce);
  }

  /** Lets the planner know what was written. */
  void analyze() throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      statement.execute("ANALYZE account, lease");
      connection.commit();
    }
  }

  /** The member that reads what is due for a sweep, or -1 while none says so. */
  int readerOf(String sweep) {
    for (int member = 0; member < rig.cluster().size(); member++) {
      if (rig.cluster().isUp(member)) {
        final ChildJvm process = rig.cluster().process(member);
        final Message status = process.heard(Words.STATUS);
        if (status != null && status.number(Words.swept(sweep, "due")) > 0) {
          return member;
        }
      }
    }
    return -1;
  }

  /** Waits until a query answers at most so much. */
  boolean awaitAtMost(String query, long most, Duration longest) throws SQLException {
    final long until = System.nanoTime() + longest.toNanos();
    while (evidence.number(query) > most) {
      if (System.nanoTime() - until > 0) {
        return false;
      }
      rig.pass(LOOK_MILLIS);
    }
    return true;
  }

  /** Notes what it costs to find that nothing is due where much has been. */
  void noteEmptyPage(PageReads.Page page) throws SQLException {
    final PageReads.Cost cost =
        new PageReads(sources.sweeps())
            .cost(page, clock.nowNanos(), DueCursor.START, SweepSettings.DEFAULTS.pageSize());
    facts.put("rows_of_a_page_afterwards", cost.rows());
    facts.put("buffers_of_a_page_afterwards", cost.buffers());
  }

  /**
   * Has the product verify all accounts, every journal replayed from its first version. Members
   * must be dead, or something may still be written.
   */
  void verify() throws SQLException {
    final LedgerVerification.Report report = new LedgerVerification(control).run(rig.limits());
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
  }

  @Override
  public void close() {
    control.close();
    sources.close();
    rig.close();
  }
}
