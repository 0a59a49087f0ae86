package io.tollgrid.node.doctor;

import com.hazelcast.jet.Job;
import com.hazelcast.jet.core.JobStatus;
import io.tollgrid.client.config.Stated;
import io.tollgrid.grid.GridNames;
import io.tollgrid.grid.LedgerClient;
import io.tollgrid.grid.RandomIds;
import io.tollgrid.grid.usage.GridUsageInbox;
import io.tollgrid.grid.usage.RecorderSettings;
import io.tollgrid.grid.usage.UsageBatch;
import io.tollgrid.grid.usage.UsageInbox;
import io.tollgrid.ledger.AccountStatus;
import io.tollgrid.ledger.AccountTerms;
import io.tollgrid.ledger.Bits256;
import io.tollgrid.ledger.CapacityClass;
import io.tollgrid.ledger.Funding;
import io.tollgrid.ledger.GrantPolicy;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.Ledger;
import io.tollgrid.ledger.LedgerCommand;
import io.tollgrid.ledger.LegRole;
import io.tollgrid.ledger.Outcome;
import io.tollgrid.ledger.Refusal;
import io.tollgrid.ledger.UsageDelivery;
import io.tollgrid.ledger.UsageEvent;
import io.tollgrid.mapstore.commit.CommitFaults;
import io.tollgrid.mapstore.commit.Defects;
import io.tollgrid.mapstore.database.PostgresAddress;
import io.tollgrid.node.NodePace;
import io.tollgrid.node.NodeSeams;
import io.tollgrid.node.local.LocalSystem;
import io.tollgrid.pipelines.Alarm;
import io.tollgrid.pipelines.JobSettings;
import io.tollgrid.pipelines.ingest.IngestSettings;
import io.tollgrid.pipelines.maintenance.ReconciliationSettings;
import io.tollgrid.pipelines.sweep.Sweep;
import io.tollgrid.pipelines.sweep.SweepSettings;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A node with an embedded PostgreSQL that are thrown away, hasty enough that what takes minutes
 * elsewhere is late here after a second. Not thread-safe.
 */
final class ScratchSystem implements AutoCloseable {
  static final NodePace HASTY =
      new NodePace(
          Duration.ofMillis(50),
          Duration.ofMillis(300),
          Duration.ofMillis(50),
          Duration.ofSeconds(1),
          new SweepSettings(
              500,
              Duration.ofMillis(50).toNanos(),
              Duration.ofMinutes(5).toNanos(),
              64,
              16,
              Duration.ofMillis(10).toNanos(),
              Duration.ofMillis(100).toNanos(),
              1_000,
              Duration.ofSeconds(1).toNanos()),
          new IngestSettings(
              Duration.ofMillis(50).toNanos(),
              Duration.ofMillis(200).toNanos(),
              Duration.ofMillis(400).toNanos(),
              Duration.ofMillis(5).toNanos(),
              Duration.ofSeconds(1).toNanos(),
              new RecorderSettings(
                  1_000,
                  64,
                  16,
                  Duration.ofSeconds(2).toNanos(),
                  Duration.ofSeconds(1).toNanos(),
                  Duration.ofMillis(10).toNanos(),
                  Duration.ofSeconds(1).toNanos())),
          new JobSettings(
              Duration.ofMillis(50).toNanos(),
              Duration.ofMillis(500).toNanos(),
              Duration.ofSeconds(10).toNanos(),
              Duration.ofSeconds(30).toNanos(),
              Duration.ofMillis(500).toNanos()),
          new ReconciliationSettings(
              1_000,
              Duration.ofMillis(250).toNanos(),
              Duration.ofMillis(100).toNanos(),
              Duration.ofMillis(100).toNanos(),
              Duration.ofSeconds(2).toNanos()));

  private static final long SHORT_TTL_NANOS = 1;
  private static final long LONG_TTL_NANOS = Duration.ofMinutes(10).toNanos();
  private static final long UNITS = 1_000;
  private static final long LEASED_UNITS = 100;

  private static final Duration ANSWER_WITHIN = Duration.ofSeconds(10);
  private static final int MAX_TRIES = 5;
  private static final Outcome EXPIRED = new Outcome.Refused(Refusal.EXPIRED, null);

  private final MovableClock clock = new MovableClock();
  private final RandomIds ids = new RandomIds();
  private final LocalSystem local;
  private final LedgerClient operator;
  private final UsageInbox inbox;
  private @Nullable Connection lock;

  /** Starts one and waits until it is ready. */
  ScratchSystem(Predicate<Alarm> blind) {
    local =
        LocalSystem.throwAway(
            new NodeSeams(clock, CommitFaults.NONE, Defects.NONE, Ledger::apply, HASTY, blind),
            new Stated("ledger.grace", "1s", "doctor"));
    operator = local.node().newLedgerClient("doctor");
    inbox = new GridUsageInbox(local.node().hazelcast(), ANSWER_WITHIN);
  }

  /** Whether an alarm fires, as the node's metrics say. */
  boolean fires(Alarm alarm) {
    final double value =
        local.node().metrics().get("tollgrid.alarm").tag("name", alarm.name()).gauge().value();
    if (value != 0 && value != 1) {
      throw new IllegalStateException("the alarm " + alarm + " reads " + value);
    }
    return value == 1;
  }

  MovableClock clock() {
    return clock;
  }

  /** The job of a sweep, if it runs. */
  Optional<Job> job(Sweep sweep) {
    return local.node().hazelcast().getJet().getJobs().stream()
        .filter(job -> String.valueOf(job.getName()).contains(sweep.label()))
        .filter(job -> job.getStatus() == JobStatus.RUNNING)
        .findFirst();
  }

  /** An account with a balance and one lease. */
  Id128 accountWithLease() {
    return accountWithLease(LONG_TTL_NANOS);
  }

  /** An account with a balance and one lease, which is due for reclaim in a second. */
  Id128 accountWithLeaseSoonDue() {
    return accountWithLease(SHORT_TTL_NANOS);
  }

  private Id128 accountWithLease(long ttlNanos) {
    final Id128 account = ids.randomId();
    submit(
        account,
        new LedgerCommand.Create(
            ids.randomId(), AccountStatus.ACTIVE, CapacityClass.BEST_EFFORT, AccountTerms.STRICT));
    submit(account, new LedgerCommand.Deposit(ids.randomId(), UNITS));
    submit(
        account,
        new LedgerCommand.Acquire(
            ids.randomId(),
            ids.randomId(),
            GrantPolicy.of(LEASED_UNITS, LEASED_UNITS),
            ttlNanos,
            0));
    return account;
  }

  /** Has usage recorded that is funded so. */
  void recordUsage(Funding funding) {
    submit(accountWithLease(), new LedgerCommand.RecordUsage(List.of(event(funding))));
  }

  /** Leaves usage of an account in the inbox, for the ingest job to record. */
  void leaveUsage(Id128 account) {
    final UsageEvent event = event(new Funding.Unfunded());
    inbox
        .leave(new UsageBatch(event.writer(), 1, List.of(new UsageDelivery(account, event))))
        .toCompletableFuture()
        .join();
  }

  private UsageEvent event(Funding funding) {
    final long now = clock.nowNanos();
    return new UsageEvent(
        ids.timeOrderedId(now),
        0,
        LegRole.BILLING,
        funding,
        1,
        1,
        List.of(),
        Id128.ZERO,
        Bits256.ZERO,
        now,
        ids.randomId(),
        1);
  }

  /** The capability of a lease that nobody granted. */
  Funding noSuchLease() {
    return new Funding.Leased(ids.randomId(), 1);
  }

  /** Has a command take effect; one that a busy machine let expire is repeated. */
  private void submit(Id128 account, LedgerCommand command) {
    Outcome outcome = ask(account, command);
    for (int tries = 1; tries < MAX_TRIES && EXPIRED.equals(outcome); tries++) {
      outcome = ask(account, command);
    }
    if (!(outcome instanceof Outcome.Applied)) {
      throw new IllegalStateException(command + " was answered with " + outcome);
    }
  }

  private Outcome ask(Id128 account, LedgerCommand command) {
    return operator.submit(account, command).toCompletableFuture().join().outcome();
  }

  /** Asks an account for what it cannot do now. */
  void disappoint(Id128 account) {
    final boolean failed =
        operator
            .submit(account, new LedgerCommand.Deposit(ids.randomId(), 1))
            .handle((answer, failure) -> failure != null)
            .toCompletableFuture()
            .join();
    if (!failed) {
      throw new IllegalStateException("account " + account + " was not to be served");
    }
  }

  /** Lets memory forget an account: its next command loads it. */
  void forget(Id128 account) {
    local.node().hazelcast().getMap(GridNames.LEDGERS).evict(GridNames.ledgerKey(account));
  }

  /** Runs statements in one transaction. */
  void execute(String... statements) throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      for (final String sql : statements) {
        statement.execute(sql);
      }
      connection.commit();
    }
  }

  /** The first column of the first row. */
  String ask(String sql) throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getString(1);
    }
  }

  /** Takes the locks of a statement and keeps them until {@link #unlock}. */
  void lock(String sql) throws SQLException {
    final Connection connection = connect();
    lock = connection;
    connection.setAutoCommit(false);
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** Lets go of what {@link #lock} took. */
  void unlock() throws SQLException {
    if (lock != null) {
      lock.close();
      lock = null;
    }
  }

  private Connection connect() throws SQLException {
    final PostgresAddress at = local.node().database();
    return DriverManager.getConnection(at.jdbcUrl(), at.user(), at.password());
  }

  @Override
  public void close() {
    inbox.close();
    operator.close();
    local.close();
  }
}
