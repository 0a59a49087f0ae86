package io.tollgrid.mapstore.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tollgrid.ledger.AccountTerms;
import io.tollgrid.ledger.BudgetSchedule;
import io.tollgrid.ledger.Funding;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.LedgerCommand;
import io.tollgrid.ledger.LedgerLimits;
import io.tollgrid.ledger.Outcome;
import io.tollgrid.ledger.UsageEvent;
import io.tollgrid.mapstore.testing.Commands;
import io.tollgrid.mapstore.testing.PostgresLedger;
import io.tollgrid.mapstore.testing.TestPostgres;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Witnesses R10 and R54 across the store: a sound ledger has no findings, and each number or row
 * altered by hand is found under its account's name, by the check that is there for it, also when
 * accounts are compared one range after the other.
 */
@Timeout(120)
class LedgerVerificationTest {
  /**
   * A row altered by hand.
   *
   * @param check the check that must find it
   * @param sql the alteration; {@code $a} stands for the account
   */
  record Altered(String check, String sql) {
    @Override
    public String toString() {
      return check + ": " + sql;
    }
  }

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private static TestPostgres database;
  private static PostgresLedger ledger;
  private static Id128 account;
  private static Id128 neighbour;

  @BeforeAll
  static void open() throws SQLException {
    database = TestPostgres.migrated();
    ledger = PostgresLedger.over(database);
    ledger.takeOver();
    final Commands commands = new Commands();
    account = busy(commands);
    neighbour = busy(commands);
    database.execute(
        "ALTER TABLE account DISABLE TRIGGER account_lease_sums_agree",
        "ALTER TABLE lease DISABLE TRIGGER lease_sums_agree",
        "ALTER TABLE account DROP CONSTRAINT account_conserved, DROP CONSTRAINT account_not_negative,"
            + " DROP CONSTRAINT account_books_fit",
        "ALTER TABLE lease DROP CONSTRAINT lease_ended_is_accounted, DROP CONSTRAINT lease_loss_fits_state");
  }

  @AfterAll
  static void close() {
    ledger.close();
    database.close();
  }

  /** An account through which every kind of row and number has passed. */
  private static Id128 busy(Commands commands) throws SQLException {
    final long now =
        database.number("SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::int8") * 1_000;
    final Id128 id = commands.nextId();
    ledger.submit(id, commands.create(AccountTerms.elastic(1_000)), now);
    ledger.submit(id, commands.deposit(1_000), now);
    ledger.submit(id, commands.scheduleNow(BudgetSchedule.monthlyUtc(500)), now);
    ledger.submit(id, commands.scheduleNow(BudgetSchedule.monthlyUtc(400)), now);
    final Outcome.Granted first = (Outcome.Granted) ledger.submit(id, commands.acquire(100), now);
    final Outcome.Granted second = (Outcome.Granted) ledger.submit(id, commands.acquire(50), now);
    final UsageEvent billed = commands.leased(first.leaseId(), first.fence(), 30, now);
    ledger.submit(
        id,
        commands.record(
            billed,
            commands.leased(second.leaseId(), second.fence(), 20, now),
            commands.event(new Funding.Overage(), 15, now),
            commands.event(new Funding.Unfunded(), 7, now),
            commands.leased(commands.nextId(), 99, 1, now)),
        now);
    ledger.submit(id, new LedgerCommand.Credit(commands.nextId(), billed.requestId(), 0, 10), now);
    ledger.submit(id, new LedgerCommand.Release(first.leaseId(), first.fence(), 1, 60), now);
    return id;
  }

  @Test
  void aSoundLedgerHasNoFindings() throws SQLException {
    final LedgerVerification.Report report =
        new LedgerVerification(ledger.sources().control()).run(LedgerLimits.DEFAULTS);

    assertThat(report.findings()).isEmpty();
    assertThat(report.clean()).isTrue();
    assertThat(report.accounts()).isEqualTo(2);
    assertThat(report.transitions()).isEqualTo(18);
  }

  static Stream<Altered> alterations() {
    return Stream.of(
        new Altered("conservation", "UPDATE account SET top_up = top_up + 1 WHERE id = $a"),
        new Altered(
            "conservation",
            "UPDATE account SET top_up = -1, allowance = allowance + top_up + 1 WHERE id = $a"),
        new Altered(
            "leases",
            "UPDATE account SET outstanding = outstanding - 1, top_up = top_up + 1 WHERE id = $a"),
        new Altered(
            "leases",
            "UPDATE account SET loss_resident = 0, loss_archived = loss_resident WHERE id = $a"),
        new Altered(
            "leases",
            "UPDATE lease SET granted_top_up = granted_top_up + 1 WHERE account = $a AND state = 0"),
        new Altered("leases", "DELETE FROM account WHERE id = $a"),
        new Altered("fences", "UPDATE account SET next_fence = 2 WHERE id = $a"),
        new Altered("fences", "DELETE FROM lease WHERE account = $a AND fence = 1"),
        new Altered(
            "usage", "UPDATE account SET billed = billed + 1, top_up = top_up - 1 WHERE id = $a"),
        new Altered("usage", "UPDATE account SET unfunded = unfunded - 1 WHERE id = $a"),
        new Altered(
            "usage",
            "UPDATE account SET overage = overage + 1, deposited = deposited - 1 WHERE id = $a"),
        new Altered("usage", "DELETE FROM usage_event WHERE account = $a AND verdict = 3"),
        new Altered(
            "lease usage",
            "UPDATE lease SET billed = billed - 1, loss = loss + 1 WHERE account = $a AND fence = 1"),
        new Altered(
            "lease usage",
            "UPDATE usage_event SET lease_id = gen_random_uuid() WHERE account = $a AND verdict = 0"),
        new Altered(
            "request ids",
            "UPDATE usage_request SET units = units + 1 WHERE account = $a AND verdict = 3"),
        new Altered("request ids", "DELETE FROM usage_request WHERE account = $a AND verdict = 2"),
        new Altered(
            "request ids",
            "UPDATE usage_event SET sequence = sequence + 100 WHERE account = $a AND verdict = 3"),
        new Altered(
            "credits",
            "UPDATE usage_request SET credited = 9 WHERE account = $a AND credited = 10"),
        new Altered("credits", "DELETE FROM usage_event WHERE account = $a AND kind = 1"),
        new Altered(
            "deposits",
            "UPDATE account SET deposited = deposited + 1, expired = expired + 1 WHERE id = $a"),
        new Altered("deposits", "DELETE FROM deposit WHERE account = $a AND source = 0"),
        new Altered("deposits", "UPDATE deposit SET source = 0 WHERE account = $a AND source = 2"),
        new Altered("journal", "DELETE FROM journal WHERE account = $a AND version = 3"),
        new Altered("journal", "UPDATE account SET version = version + 1 WHERE id = $a"),
        new Altered("journal", "DELETE FROM account WHERE id = $a"),
        new Altered(
            "drift",
            "UPDATE account SET allowance = allowance + 1, top_up = top_up - 1 WHERE id = $a"),
        new Altered("drift", "UPDATE account SET as_of = as_of - 1 WHERE id = $a"),
        new Altered("commands", "DELETE FROM journal WHERE account = $a AND version = 2"),
        new Altered(
            "commands",
            "UPDATE command SET version = version + 1 WHERE account = $a AND version = 2"),
        new Altered("replay", "UPDATE account SET status = 1 WHERE id = $a"),
        new Altered(
            "replay",
            "UPDATE lease SET holder = gen_random_uuid() WHERE account = $a AND fence = 1"),
        new Altered(
            "replay",
            "UPDATE lease SET expires_at = expires_at + 1 WHERE account = $a AND state = 0"),
        new Altered(
            "replay", "UPDATE journal SET outcome = '\\x00' WHERE account = $a AND version = 2"),
        new Altered(
            "replay",
            "UPDATE journal SET request = (SELECT request FROM journal WHERE account = $a AND version = 2)"
                + " WHERE account = $a AND version = 5"));
  }

  @ParameterizedTest
  @MethodSource("alterations")
  void aRowAlteredByHandIsFoundUnderItsAccountsName(Altered altered) throws SQLException {
    final LedgerVerification.Report report;
    final List<Finding> ofItsRange;
    final List<Finding> ofTheRest;
    try (Connection connection = ledger.sources().control().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(altered.sql().replace("$a", "'" + account.toUuid() + "'"));
      report = LedgerVerification.inspect(connection, AccountRange.ALL, LedgerLimits.DEFAULTS);
      final AccountRange range = new AccountRange(Id128.ZERO, account);
      ofItsRange = LedgerVerification.inspect(connection, range, null).findings();
      ofTheRest =
          LedgerVerification.inspect(connection, AccountRange.from(range.next()), null).findings();
      connection.rollback();
    }

    assertThat(report.clean()).isFalse();
    assertThat(report.findings()).extracting(Finding::check).contains(altered.check());
    assertThat(report.findings()).extracting(Finding::account).containsOnly(account);
    assertThat(report.findings().get(0).toString()).contains(account.toHex());
    assertThat(ofItsRange)
        .containsExactlyElementsOf(
            report.findings().stream().filter(found -> !found.check().equals("replay")).toList());
    assertThat(ofTheRest).isEmpty();
  }

  @Test
  void whatWasForgottenOfIdsIsNoDisagreement() throws SQLException {
    try (Connection connection = ledger.sources().control().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("DELETE FROM usage_request");
      statement.execute(
          "INSERT INTO ledger_settings VALUES ('first_request_id', '" + "f".repeat(32) + "')");
      assertThat(
              LedgerVerification.inspect(connection, AccountRange.ALL, LedgerLimits.DEFAULTS)
                  .findings())
          .isEmpty();
      statement.execute(
          "UPDATE ledger_settings SET value = '"
              + "0".repeat(32)
              + "'"
              + " WHERE name = 'first_request_id'");
      assertThat(
              LedgerVerification.inspect(connection, AccountRange.ALL, LedgerLimits.DEFAULTS)
                  .findings())
          .isNotEmpty();
      connection.rollback();
    }
  }

  @Test
  void rangesOfSomeAccountsEachCoverAllOfThemOnce() throws SQLException {
    final LedgerVerification verification = new LedgerVerification(ledger.sources().control());

    final AccountRange first = verification.next(Id128.ZERO, 1);
    final AccountRange second = verification.next(first.next(), 1);
    final AccountRange rest = verification.next(second.next(), 1);

    assertThat(first).isEqualTo(new AccountRange(Id128.ZERO, account));
    assertThat(second.last()).isEqualTo(neighbour);
    assertThat(rest.endsAll()).isTrue();
    assertThat(verification.next(Id128.ZERO, 3)).isEqualTo(AccountRange.ALL);
    assertThat(verification.run(first, PATIENCE).accounts()).isEqualTo(1);
    assertThat(verification.run(second, PATIENCE).accounts()).isEqualTo(1);
    assertThat(verification.run(rest, PATIENCE).accounts()).isZero();
    assertThat(verification.run(AccountRange.ALL, PATIENCE).clean()).isTrue();
  }

  @Test
  void aCheckThatIsHeldUpEndsWhenItsTimeIsUp() throws SQLException {
    final LedgerVerification verification = new LedgerVerification(ledger.sources().control());
    try (Connection other = database.connect();
        Statement statement = other.createStatement()) {
      other.setAutoCommit(false);
      statement.execute("LOCK TABLE deposit IN ACCESS EXCLUSIVE MODE");

      assertThatThrownBy(() -> verification.run(AccountRange.ALL, Duration.ofMillis(50)))
          .isInstanceOfSatisfying(
              SQLException.class,
              e -> assertThat(e.getSQLState()).isEqualTo(LedgerVerification.OUT_OF_TIME));
      other.rollback();
    }
  }

  @Test
  void everyCheckReachesTheRowsOfARangeThroughAnIndex() throws SQLException {
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement()) {
      statement.execute("SET enable_seqscan = off");
      for (final Checks.Check check : Checks.ALL) {
        final StringBuilder plan = new StringBuilder();
        try (ResultSet line =
            statement.executeQuery(
                "EXPLAIN " + check.sql().replace("?", "'" + account.toUuid() + "'"))) {
          while (line.next()) {
            plan.append(line.getString(1)).append('\n');
          }
        }
        assertThat(plan.toString()).as(check.name()).contains("Index").doesNotContain("Seq Scan");
      }
    }
  }

  @Test
  void everyCheckHasAnAlterationThatItFinds() {
    final Set<String> tried = new TreeSet<>();
    alterations().forEach(altered -> tried.add(altered.check()));
    final Set<String> checks = new TreeSet<>(Set.of("replay"));
    Checks.ALL.forEach(check -> checks.add(check.name()));

    assertThat(tried).isEqualTo(checks);
    assertThat(neighbour).isNotEqualTo(account);
  }
}
