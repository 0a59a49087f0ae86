package io.tollgrid.mapstore;

import static org.assertj.core.api.Assertions.assertThat;

import io.tollgrid.ledger.AccountLedger;
import io.tollgrid.ledger.AccountTerms;
import io.tollgrid.ledger.BudgetSchedule;
import io.tollgrid.ledger.Funding;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.LedgerCommand;
import io.tollgrid.ledger.LedgerLimits;
import io.tollgrid.ledger.Outcome;
import io.tollgrid.ledger.UsageEvent;
import io.tollgrid.ledger.store.Transition;
import io.tollgrid.ledger.store.Verdict;
import io.tollgrid.mapstore.commit.CommitFaults;
import io.tollgrid.mapstore.commit.CommitOutcome;
import io.tollgrid.mapstore.commit.CommitterSettings;
import io.tollgrid.mapstore.commit.Defects;
import io.tollgrid.mapstore.database.SessionSettings;
import io.tollgrid.mapstore.testing.Await;
import io.tollgrid.mapstore.testing.Commands;
import io.tollgrid.mapstore.testing.PostgresLedger;
import io.tollgrid.mapstore.testing.TestPostgres;
import io.tollgrid.mapstore.testing.TestServer;
import io.tollgrid.mapstore.verify.LedgerVerification;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Witnesses, on the oldest and the newest PostgreSQL supported, that an account's whole life is
 * stored and verified (R10), and that a COMMIT that waits for a synchronous standby is never taken
 * for one that succeeded (R16): a cancelled wait commits locally and says so only in a warning.
 */
@Timeout(120)
@Tag("slow")
class PostgresVersionsTest {
  private final Commands commands = new Commands();

  @ParameterizedTest
  @ValueSource(strings = {"15", "18"})
  void anAccountLivesAndACommitThatWaitsIsNotASuccess(String version) throws Exception {
    try (TestServer server =
            version.equals("15") ? TestServer.embeddedOldest() : TestServer.embedded();
        TestPostgres database = TestPostgres.on(server).migrate()) {
      assertThat(database.query("SHOW server_version").get(0)).startsWith(version + ".");

      final Id128 account = live(database);
      waitForStandby(database, account);
    }
  }

  private Id128 live(TestPostgres database) throws SQLException {
    final long now = now(database);
    final Id128 account = commands.nextId();
    try (PostgresLedger ledger = PostgresLedger.over(database)) {
      ledger.takeOver();
      ledger.submit(account, commands.create(AccountTerms.elastic(1_000)), now);
      ledger.submit(account, commands.deposit(1_000), now);
      ledger.submit(account, commands.scheduleNow(BudgetSchedule.monthlyUtc(500)), now);
      final Outcome.Granted granted =
          (Outcome.Granted) ledger.submit(account, commands.acquire(100), now);
      final UsageEvent billed = commands.leased(granted.leaseId(), granted.fence(), 30, now);
      ledger.submit(
          account,
          commands.record(
              billed,
              commands.event(new Funding.Overage(), 5, now),
              commands.leased(commands.nextId(), 9, 1, now)),
          now);
      ledger.submit(
          account, new LedgerCommand.Credit(commands.nextId(), billed.requestId(), 0, 3), now);
      ledger.submit(
          account, new LedgerCommand.Release(granted.leaseId(), granted.fence(), 1, 50), now);
      final AccountLedger before = ledger.ledger(account);
      ledger.forget(account);
      assertThat(ledger.ledger(account)).isEqualTo(before);
      assertThat(
              new LedgerVerification(ledger.sources().control())
                  .run(LedgerLimits.DEFAULTS)
                  .findings())
          .isEmpty();
    }
    return account;
  }

  private void waitForStandby(TestPostgres database, Id128 account) throws Exception {
    final SessionSettings impatient = new SessionSettings(200, 200, 1_000, 3_000, true);
    try (PostgresLedger ledger =
        PostgresLedger.over(
            database,
            CommitterSettings.DEFAULTS.withSession(impatient),
            CommitFaults.NONE,
            Defects.NONE)) {
      ledger.takeOver();
      ledger.ledger(account);
      standby(database, "'nobody'");
      final CompletableFuture<CommitOutcome> patient =
          commit(ledger, ledger.transition(account, commands.deposit(1), now(database)));
      // The statement timeout is long over and has not touched the COMMIT.
      Await.until(() -> waitsLongerThan(database, "800 milliseconds"));
      standby(database, "''");
      assertThat(patient.join()).isEqualTo(new CommitOutcome.Judged(Verdict.COMMIT));

      ledger.forget(account);
      ledger.ledger(account);
      standby(database, "'nobody'");
      final CompletableFuture<CommitOutcome> cancelled =
          commit(ledger, ledger.transition(account, commands.deposit(1), now(database)));
      Await.until(() -> waitsLongerThan(database, "0 milliseconds"));
      database.query(
          "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'");
      assertThat(cancelled.join()).isInstanceOf(CommitOutcome.Unknown.class);
      standby(database, "''");
    }
  }

  private static CompletableFuture<CommitOutcome> commit(
      PostgresLedger ledger, Transition transition) {
    return CompletableFuture.supplyAsync(() -> ledger.committer().commit(transition));
  }

  private static boolean waitsLongerThan(TestPostgres database, String interval)
      throws SQLException {
    return database.number(
            "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
                + " AND clock_timestamp() - query_start > interval '"
                + interval
                + "'")
        > 0;
  }

  private static void standby(TestPostgres database, String names) throws Exception {
    // Setting and reloading commit nothing themselves, so they never wait.
    database.execute(
        "ALTER SYSTEM SET synchronous_standby_names = " + names, "SELECT pg_reload_conf()");
    Await.until(
        () ->
            database
                .query("SHOW synchronous_standby_names")
                .equals(List.of(names.replace("'", ""))));
  }

  private static long now(TestPostgres database) throws SQLException {
    return database.number("SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::int8")
        * 1_000;
  }
}
