package io.tollgrid.mapstore.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.LedgerCode;
import io.tollgrid.ledger.LedgerRequest;
import io.tollgrid.ledger.port.LedgerCodeException;
import io.tollgrid.ledger.store.Transition;
import io.tollgrid.mapstore.StoreOutcomeUnknownException;
import io.tollgrid.mapstore.testing.Commands;
import io.tollgrid.mapstore.testing.PostgresLedger;
import io.tollgrid.mapstore.testing.TestPostgres;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Witnesses R16's hardest case: whatever COMMIT answers but plain success is an unknown outcome,
 * told without a code, and the fence it was written under is given up; whatever fails before COMMIT
 * was sent is definite and keeps it.
 */
@Timeout(60)
class UnknownOutcomeTest {
  /** A fault for the next batch only. */
  private interface Fault {
    void strike() throws SQLException;
  }

  /** Faults that strike once. */
  private static final class OnceFaults implements CommitFaults {
    private final AtomicReference<Fault> beforeWrite = new AtomicReference<>();
    private final AtomicReference<Fault> beforeCommit = new AtomicReference<>();
    private final AtomicReference<Fault> afterCommit = new AtomicReference<>();

    @Override
    public void beforeWrite(List<Transition> batch) throws SQLException {
      strike(beforeWrite);
    }

    @Override
    public void beforeCommit(List<Transition> batch) throws SQLException {
      strike(beforeCommit);
    }

    @Override
    public void afterCommit(List<Transition> batch) throws SQLException {
      strike(afterCommit);
    }

    private static void strike(AtomicReference<Fault> next) throws SQLException {
      final Fault fault = next.getAndSet(null);
      if (fault != null) {
        fault.strike();
      }
    }
  }

  private static TestPostgres database;
  private static final Commands COMMANDS = new Commands();

  private final OnceFaults faults = new OnceFaults();

  @BeforeAll
  static void open() {
    database = TestPostgres.migrated();
  }

  @AfterAll
  static void close() {
    database.close();
  }

  @Test
  void aStoreThatFailsAfterItsCommitIsUnknownAndDurableAndTheRetryConverges() throws Exception {
    try (PostgresLedger ledger = owner(Defects.NONE)) {
      final Id128 account = account(ledger);
      final LedgerRequest deposit = deposit(account);
      faults.afterCommit.set(
          () -> {
            throw new SQLException("the connection broke", "08006");
          });

      assertUnknown(ledger, account, deposit);

      assertThat(version(account)).isEqualTo(2);
      ledger.takeOver();
      ledger.submit(deposit, now());
      assertThat(version(account)).isEqualTo(2);
      assertThat(ledger.ledger(account).balances().topUp()).isEqualTo(5);
    }
  }

  @Test
  void aBackendThatDiesBeforeItsCommitIsUnknownAndNothingIsWritten() throws Exception {
    try (PostgresLedger ledger = owner(Defects.NONE)) {
      final Id128 account = account(ledger);
      final LedgerRequest deposit = deposit(account);
      faults.beforeCommit.set(UnknownOutcomeTest::killCommitters);

      assertUnknown(ledger, account, deposit);

      assertThat(version(account)).isEqualTo(1);
      ledger.takeOver();
      ledger.submit(deposit, now());
      assertThat(version(account)).isEqualTo(2);
    }
  }

  @Test
  void aWarningAtCommitIsUnknown() throws Exception {
    database.execute(
        "CREATE FUNCTION warn() RETURNS trigger LANGUAGE plpgsql AS"
            + " $$ BEGIN RAISE WARNING 'canceling wait for synchronous replication'; RETURN NULL; END $$",
        "CREATE CONSTRAINT TRIGGER warning AFTER INSERT ON deposit DEFERRABLE INITIALLY DEFERRED"
            + " FOR EACH ROW EXECUTE FUNCTION warn()");
    try (PostgresLedger ledger = owner(Defects.NONE)) {
      final Id128 account = account(ledger);

      assertUnknown(ledger, account, deposit(account));

      assertThat(version(account)).isEqualTo(2);
      assertThat(ledger.registry().get("tollgrid.committer.unknown").counter().count())
          .isEqualTo(1);
    } finally {
      database.execute("DROP TRIGGER warning ON deposit", "DROP FUNCTION warn");
    }
  }

  @Test
  void anErrorAtCommitIsUnknown() throws Exception {
    try (PostgresLedger ledger = owner(Defects.NONE)) {
      final Id128 account = account(ledger);
      // The deferred test trigger speaks at COMMIT.
      database.execute(
          "ALTER TABLE lease DISABLE TRIGGER lease_sums_agree",
          "INSERT INTO lease (account, id, holder, fence, body_hash, period_number, granted_allowance, granted_top_up,"
              + " first_expires_at, expires_at, grace) SELECT id, id, id, 1, id, 0, 1, 0, 1, 1, 1 FROM account WHERE id = '"
              + account.toUuid()
              + "'",
          "ALTER TABLE lease ENABLE TRIGGER lease_sums_agree");

      assertUnknown(ledger, account, deposit(account));

      assertThat(version(account)).isEqualTo(1);
    }
  }

  @Test
  void aBackendThatDiesBeforeItsWritesIsDefinite() throws Exception {
    try (PostgresLedger ledger = owner(Defects.NONE)) {
      final Id128 account = account(ledger);
      final LedgerRequest deposit = deposit(account);
      faults.beforeWrite.set(UnknownOutcomeTest::killCommitters);

      assertThatThrownBy(() -> ledger.process(deposit, now()))
          .isInstanceOfSatisfying(
              LedgerCodeException.class,
              e -> assertThat(e.code()).isEqualTo(LedgerCode.UNAVAILABLE));

      assertThat(ledger.holds(account)).isTrue();
      assertThat(version(account)).isEqualTo(1);
      ledger.submit(deposit, now());
      assertThat(version(account)).isEqualTo(2);
    }
  }

  @Test
  void withTheFenceKeptAfterAnUnknownOutcomeOldMemoryIsTrusted() throws Exception {
    try (PostgresLedger ledger = owner(Defects.FENCE_KEPT_AFTER_UNKNOWN)) {
      final Id128 account = account(ledger);
      faults.afterCommit.set(
          () -> {
            throw new SQLException("the connection broke", "08006");
          });

      assertThatThrownBy(() -> ledger.process(deposit(account), now()))
          .isInstanceOf(StoreOutcomeUnknownException.class);

      assertThat(ledger.holds(account)).isTrue();
      assertThat(ledger.ledger(account).version()).isLessThan(version(account));
    }
  }

  @Test
  void withAnUnknownOutcomeTreatedAsFailedTheCallerIsToldThatNothingHappened() throws Exception {
    try (PostgresLedger ledger = owner(Defects.UNKNOWN_TREATED_AS_FAILED)) {
      final Id128 account = account(ledger);
      faults.afterCommit.set(
          () -> {
            throw new SQLException("the connection broke", "08006");
          });

      assertThatThrownBy(() -> ledger.process(deposit(account), now()))
          .isInstanceOf(LedgerCodeException.class);

      assertThat(version(account)).isEqualTo(2);
    }
  }

  @Test
  void acknowledgedBeforeItsCommitAGrantIsGone() throws Exception {
    try (PostgresLedger ledger = owner(Defects.ACKNOWLEDGED_BEFORE_COMMIT)) {
      final Id128 account = account(ledger);
      faults.beforeCommit.set(UnknownOutcomeTest::killCommitters);

      ledger.process(deposit(account), now());

      assertThat(version(account)).isEqualTo(1);
    }
  }

  private PostgresLedger owner(Defects defects) throws SQLException {
    final PostgresLedger ledger =
        PostgresLedger.over(database, CommitterSettings.DEFAULTS, faults, defects);
    ledger.takeOver();
    return ledger;
  }

  /** Fails without a code, gives the fence up, and leaves memory as it was. */
  private static void assertUnknown(PostgresLedger ledger, Id128 account, LedgerRequest request) {
    assertThatThrownBy(() -> ledger.process(request, now()))
        .isInstanceOf(StoreOutcomeUnknownException.class)
        .satisfies(e -> assertThat(LedgerCodeException.codeOf(e)).isEmpty());
    assertThat(ledger.holds(account)).isFalse();
  }

  private static Id128 account(PostgresLedger ledger) throws SQLException {
    final Id128 account = COMMANDS.nextId();
    ledger.submit(account, COMMANDS.create(), now());
    return account;
  }

  private static LedgerRequest deposit(Id128 account) throws SQLException {
    return new LedgerRequest(account, "test", now() + 30_000_000_000L, COMMANDS.deposit(5));
  }

  private static void killCommitters() throws SQLException {
    database.execute(
        "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity"
            + " WHERE application_name = 'tollgrid-committers' AND datname = current_database()");
  }

  private static long version(Id128 account) throws SQLException {
    return database.number("SELECT version FROM account WHERE id = '" + account.toUuid() + "'");
  }

  private static long now() throws SQLException {
    return database.number("SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::int8")
        * 1_000;
  }
}
