package io.tollgrid.verification.faults.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.tollgrid.ledger.AccountStatus;
import io.tollgrid.ledger.AccountTerms;
import io.tollgrid.ledger.Bits256;
import io.tollgrid.ledger.CapacityClass;
import io.tollgrid.ledger.Funding;
import io.tollgrid.ledger.GrantPolicy;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.LedgerCommand;
import io.tollgrid.ledger.LedgerLimits;
import io.tollgrid.ledger.LedgerRequest;
import io.tollgrid.ledger.LegRole;
import io.tollgrid.ledger.Outcome;
import io.tollgrid.ledger.UsageEvent;
import io.tollgrid.mapstore.testing.PostgresLedger;
import io.tollgrid.mapstore.testing.TestPostgres;
import io.tollgrid.verification.faults.history.Operation;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Witnesses, on a real PostgreSQL, that the checker reads everything that is stored, and finds an
 * account row, a lease row and a fence that somebody altered by hand (R10, R11, R16).
 */
@Tag("slow")
class PostgresEvidenceTest {
  private static final long SECOND = 1_000_000_000L;
  private static final Id128 WRITER = new Id128(0x317, 1);

  private static TestPostgres database;

  private final List<Operation> history = new ArrayList<>();
  private final FleetCheck check = new FleetCheck(LedgerLimits.DEFAULTS, SECOND, any -> 0);
  private PostgresLedger owner;
  private Connection connection;
  private Id128 account;
  private static long ids = 1_000;

  @BeforeAll
  static void start() {
    database = TestPostgres.migrated();
  }

  @AfterAll
  static void stop() {
    database.close();
  }

  @BeforeEach
  void live() throws SQLException {
    connection =
        DriverManager.getConnection(
            database.address().jdbcUrl(), database.address().user(), database.address().password());
    connection.setAutoCommit(false);
    new PostgresEvidence(connection).noteRaises();
    owner = PostgresLedger.over(database);
    owner.takeOver();
    account = id();
    ask(
        new LedgerCommand.Create(
            id(), AccountStatus.ACTIVE, CapacityClass.ASSURED, AccountTerms.elastic(10)));
    ask(new LedgerCommand.Deposit(id(), 1_000));
    final Outcome.Granted lease = (Outcome.Granted) ask(acquire());
    final UsageEvent event = event(lease, 10);
    ask(new LedgerCommand.RecordUsage(List.of(event, event(lease, 1_000_000))));
    ask(new LedgerCommand.Credit(id(), event.requestId(), 0, 4));
    ask(new LedgerCommand.Return(lease.leaseId(), lease.fence(), 1, 5));
    ask(acquire());
  }

  @AfterEach
  void end() throws SQLException {
    owner.close();
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          "TRUNCATE account, lease, command, deposit, journal, usage_event, usage_request,"
              + " usage_rejected, faults.fence_raise, faults.written");
    }
    connection.commit();
    connection.close();
  }

  @Test
  void whatAnHonestOwnerStoredPasses() throws SQLException {
    final FleetEvidence evidence = read();

    assertThat(check.check(evidence)).isEmpty();
    assertThat(evidence.accounts()).hasSize(1);
    assertThat(evidence.accounts().get(0).journal()).hasSize(7);
    assertThat(evidence.accounts().get(0).stored().rows()).hasSize(2 + 3 + 1 + 1);
    assertThat(evidence.fences()).hasSize(TestPostgres.PARTITIONS);
    assertThat(evidence.writes())
        .extracting(Written::version)
        .containsExactlyInAnyOrder(1L, 2L, 3L, 4L, 5L, 6L, 7L);
    assertThat(evidence.writes()).allMatch(write -> write.raises() >= TestPostgres.PARTITIONS);
  }

  @Test
  void anAlteredAccountRowIsFound() throws SQLException {
    alter("UPDATE account SET top_up = top_up + 1, deposited = deposited + 1");

    assertThat(check.check(read()))
        .extracting(Violation::kind)
        .contains(Violation.Kind.STORE_DIFFERS, Violation.Kind.UNBALANCED);
  }

  @Test
  void anAlteredJournalRowIsFound() throws SQLException {
    alter("UPDATE journal SET billed = billed + 1 WHERE version = 4");

    assertThat(check.check(read()))
        .extracting(Violation::kind)
        .containsOnly(Violation.Kind.JOURNAL_CONTRADICTED);
  }

  @Test
  void aRowThatVanishedIsFound() throws SQLException {
    alter("DELETE FROM command WHERE version = 2");

    assertThat(check.check(read()))
        .extracting(Violation::kind)
        .containsOnly(Violation.Kind.STORE_DIFFERS);
  }

  @Test
  void aFencePutBackByHandIsFound() throws SQLException {
    owner.takeOver();
    alter("UPDATE ledger_partition SET fence = fence - 1 WHERE id = 3");

    assertThat(check.check(read()))
        .extracting(Violation::kind)
        .containsOnly(Violation.Kind.FENCE_REUSED);
  }

  private FleetEvidence read() throws SQLException {
    return new PostgresEvidence(connection).read(history, Map.of());
  }

  private void alter(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("ALTER TABLE account DISABLE TRIGGER USER");
      assertThat(statement.executeUpdate(sql)).isPositive();
      statement.execute("ALTER TABLE account ENABLE TRIGGER USER");
    }
    connection.commit();
  }

  private LedgerCommand.Acquire acquire() {
    return new LedgerCommand.Acquire(id(), id(), GrantPolicy.of(50, 100), 60 * SECOND, 0);
  }

  private static UsageEvent event(Outcome.Granted lease, long units) {
    return new UsageEvent(
        Id128.timeOrdered(now() / 1_000_000, 0, ++ids),
        0,
        LegRole.BILLING,
        new Funding.Leased(lease.leaseId(), lease.fence()),
        units,
        1,
        List.of(),
        Id128.ZERO,
        Bits256.ZERO,
        now(),
        WRITER,
        ++ids);
  }

  private static Id128 id() {
    return new Id128(0x1D, ++ids);
  }

  private static long now() {
    final Instant now = Instant.now();
    return now.getEpochSecond() * SECOND + now.getNano();
  }

  private Outcome ask(LedgerCommand command) {
    final LedgerRequest request = new LedgerRequest(account, "test", now() + 10 * SECOND, command);
    final long submittedAt = now();
    final long ledgerTime = now();
    final Outcome outcome = owner.submit(request, ledgerTime);
    history.add(
        new Operation(
            "test",
            history.size() + 1,
            submittedAt,
            request,
            new Operation.Answered(now(), outcome, owner.ledger(account).version(), ledgerTime)));
    return outcome;
  }
}
