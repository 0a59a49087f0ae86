package io.tollgrid.mapstore.fence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.LedgerCode;
import io.tollgrid.ledger.LedgerCommand;
import io.tollgrid.ledger.port.LedgerCodeException;
import io.tollgrid.ledger.store.Transition;
import io.tollgrid.ledger.store.Verdict;
import io.tollgrid.mapstore.commit.CommitFaults;
import io.tollgrid.mapstore.commit.CommitOutcome;
import io.tollgrid.mapstore.commit.CommitterSettings;
import io.tollgrid.mapstore.commit.Defects;
import io.tollgrid.mapstore.testing.Await;
import io.tollgrid.mapstore.testing.Commands;
import io.tollgrid.mapstore.testing.Gate;
import io.tollgrid.mapstore.testing.PostgresLedger;
import io.tollgrid.mapstore.testing.TestPostgres;
import java.sql.SQLException;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Witnesses architecture §3.4: a fence goes up only, its raise waits for every transaction under
 * the old one, and nothing decided under an old one is written or answered afterwards.
 */
@Timeout(60)
class FencesAtRestTest {
  private static TestPostgres database;
  private static final Commands COMMANDS = new Commands();

  private final ExecutorService callers = Executors.newCachedThreadPool();
  private final Gate gate = new Gate();

  @BeforeAll
  static void open() {
    database = TestPostgres.migrated();
  }

  @AfterAll
  static void close() {
    database.close();
  }

  @AfterEach
  void stop() {
    gate.open();
    callers.shutdownNow();
  }

  @Test
  void aFenceGoesUpOnly() throws SQLException {
    try (PostgresLedger ledger = owner(CommitFaults.NONE, Defects.NONE)) {
      final FencesAtRest fences = ledger.fencesAtRest();
      final long floor = fences.floor(3);

      assertThat(fences.raise(Map.of(3, floor + 10, 4, fences.floor(4))))
          .isEqualTo(Map.of(3, floor + 10));
      assertThat(fences.raise(Map.of(3, floor + 10))).isEmpty();
      assertThat(fences.raise(Map.of(3, floor + 9))).isEmpty();
      assertThat(fences.floor(3)).isEqualTo(floor + 10);
      assertThat(fences.issue(Set.of(3, 5))).isEqualTo(Map.of(3, floor + 11, 5, fences.floor(5)));
      assertThat(fences.raise(Map.of())).isEmpty();
      assertThat(fences.floors(Set.of(3, TestPostgres.PARTITIONS))).containsOnlyKeys(3);
      assertThatThrownBy(() -> fences.floor(TestPostgres.PARTITIONS))
          .isInstanceOf(SQLException.class);
    }
  }

  @Test
  void aRaiseWaitsForTheBatchInFlightAndBarsTheNext() throws Exception {
    try (PostgresLedger ledger = owner(gate, Defects.NONE)) {
      final Id128 account = account(ledger);
      final Transition deposit = ledger.transition(account, COMMANDS.deposit(5), now());
      gate.closeForCommits();
      final CompletableFuture<CommitOutcome> inFlight =
          CompletableFuture.supplyAsync(() -> ledger.committer().commit(deposit), callers);
      gate.awaitHeld(1);

      final CompletableFuture<Map<Integer, Long>> raise = raise(ledger, deposit.partition());
      awaitWaitingRaise();
      assertThat(raise).isNotDone();
      gate.open();

      assertThat(inFlight.join()).isEqualTo(new CommitOutcome.Judged(Verdict.COMMIT));
      assertThat(raise.join()).containsKey(deposit.partition());
      assertThatThrownBy(() -> ledger.submit(account, COMMANDS.deposit(5), now()))
          .isInstanceOfSatisfying(
              LedgerCodeException.class, e -> assertThat(e.code()).isEqualTo(LedgerCode.FENCED));
      assertThat(ledger.holds(account)).isFalse();
      assertThat(version(account)).isEqualTo(2);
    }
  }

  @Test
  void anAnswerThatWritesNothingIsBarredToo() throws Exception {
    try (PostgresLedger ledger = owner(CommitFaults.NONE, Defects.NONE)) {
      final Id128 account = account(ledger);
      final Transition check = ledger.transition(account, new LedgerCommand.Reclaim(1), now());
      ledger.fencesAtRest().issue(Set.of(check.partition()));

      assertThat(ledger.committer().commit(check))
          .isEqualTo(new CommitOutcome.Judged(Verdict.FENCED));
    }
  }

  @Test
  void withFencesUncheckedADeposedOwnerWrites() throws Exception {
    try (PostgresLedger ledger = owner(CommitFaults.NONE, Defects.FENCE_UNCHECKED)) {
      final Id128 account = account(ledger);
      ledger.fencesAtRest().issue(Set.of(PostgresLedger.partitionOf(account.toHex())));

      ledger.submit(account, COMMANDS.deposit(5), now());

      assertThat(version(account)).isEqualTo(2);
    }
  }

  @Test
  void aFrozenOwnerLosesItsLocksAndItsSuccessorGoesOn() throws Exception {
    try (PostgresLedger frozen = owner(gate, Defects.NONE)) {
      final Id128 account = account(frozen);
      final Transition deposit = frozen.transition(account, COMMANDS.deposit(5), now());
      gate.closeForBatches();
      final CompletableFuture<CommitOutcome> inFlight =
          CompletableFuture.supplyAsync(() -> frozen.committer().commit(deposit), callers);
      gate.awaitHeld(1);

      // Blocks until PostgreSQL ends the idle transaction, for longer than which it must not take.
      assertThat(raise(frozen, deposit.partition()).join()).containsKey(deposit.partition());
      gate.open();

      assertThat(inFlight.join())
          .isInstanceOfSatisfying(
              CommitOutcome.Failed.class,
              failed -> assertThat(failed.code()).isEqualTo(LedgerCode.UNAVAILABLE));
      assertThat(version(account)).isEqualTo(1);
      assertThat(frozen.committer().commit(deposit))
          .isEqualTo(new CommitOutcome.Judged(Verdict.FENCED));
    }
  }

  @Test
  void manyPartitionsAreRaisedAgainstRunningBatchesWithoutDeadlock() throws Exception {
    try (PostgresLedger ledger = owner(CommitFaults.NONE, Defects.NONE)) {
      final Id128[] accounts = new Id128[24];
      for (int i = 0; i < accounts.length; i++) {
        accounts[i] = account(ledger);
      }
      final CompletableFuture<?>[] writers = new CompletableFuture<?>[accounts.length];
      for (int i = 0; i < accounts.length; i++) {
        final Transition deposit = ledger.transition(accounts[i], COMMANDS.deposit(1), now());
        writers[i] =
            CompletableFuture.runAsync(
                () -> {
                  for (int n = 0; n < 20; n++) {
                    ledger.committer().commit(deposit);
                  }
                },
                callers);
      }
      for (int i = 0; i < 5; i++) {
        ledger.takeOver();
      }
      CompletableFuture.allOf(writers).join();

      assertThat(
              database.number(
                  "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()"))
          .isZero();
    }
  }

  private CompletableFuture<Map<Integer, Long>> raise(PostgresLedger ledger, int partition) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return ledger.fencesAtRest().issue(Set.of(partition));
          } catch (SQLException e) {
            throw new IllegalStateException(e);
          }
        },
        callers);
  }

  private static void awaitWaitingRaise() throws Exception {
    Await.until(
        () ->
            database.number(
                    "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted")
                > 0);
  }

  private static PostgresLedger owner(CommitFaults faults, Defects defects) throws SQLException {
    final PostgresLedger ledger =
        PostgresLedger.over(database, CommitterSettings.DEFAULTS, faults, defects);
    ledger.takeOver();
    return ledger;
  }

  private static Id128 account(PostgresLedger ledger) throws SQLException {
    final Id128 account = COMMANDS.nextId();
    ledger.submit(account, COMMANDS.create(), now());
    return account;
  }

  private static long version(Id128 account) throws SQLException {
    return database.number("SELECT version FROM account WHERE id = '" + account.toUuid() + "'");
  }

  private static long now() throws SQLException {
    return database.number("SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::int8")
        * 1_000;
  }
}
