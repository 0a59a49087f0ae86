package io.tollgrid.mapstore.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tollgrid.ledger.AccountLedger;
import io.tollgrid.ledger.BudgetSchedule;
import io.tollgrid.ledger.Effects;
import io.tollgrid.ledger.Funding;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.Lease;
import io.tollgrid.ledger.LedgerCode;
import io.tollgrid.ledger.LedgerCommand;
import io.tollgrid.ledger.LedgerLimits;
import io.tollgrid.ledger.LedgerRequest;
import io.tollgrid.ledger.Outcome;
import io.tollgrid.ledger.UsageEvent;
import io.tollgrid.ledger.store.Transition;
import io.tollgrid.ledger.store.Verdict;
import io.tollgrid.mapstore.testing.Await;
import io.tollgrid.mapstore.testing.Commands;
import io.tollgrid.mapstore.testing.Gate;
import io.tollgrid.mapstore.testing.PostgresLedger;
import io.tollgrid.mapstore.testing.TestPostgres;
import io.tollgrid.mapstore.verify.LedgerVerification;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Witnesses R16 and R57 at the store, and the traps a committer falls into (architecture §3.3): a
 * batch where one of many cannot be written, one account twice, a row somebody holds, a row that
 * exists already.
 */
@Timeout(60)
class GroupCommitterTest {
  private static TestPostgres database;
  private static final Commands COMMANDS = new Commands();

  private final ExecutorService callers = Executors.newCachedThreadPool();
  private final Gate gate = new Gate();
  private PostgresLedger ledger;
  private long now;

  @BeforeAll
  static void open() {
    database = TestPostgres.migrated();
  }

  @AfterAll
  static void close() {
    database.close();
  }

  @BeforeEach
  void start() throws SQLException {
    now = database.number("SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::int8") * 1_000;
    ledger =
        PostgresLedger.over(database, CommitterSettings.DEFAULTS.withLanes(1), gate, Defects.NONE);
    ledger.takeOver();
  }

  @AfterEach
  void stop() {
    gate.open();
    ledger.close();
    callers.shutdownNow();
  }

  @Test
  void aStaleTransitionLeavesItsBatchAndTheOthersAreWritten() throws Exception {
    final List<Id128> accounts = accounts(20);
    final Id128 staleAccount = accounts.get(7);
    final Transition stale = acquire(staleAccount);
    ledger.submit(staleAccount, COMMANDS.deposit(1), now);

    final List<Transition> batch = new ArrayList<>();
    for (final Id128 account : accounts) {
      batch.add(account.equals(staleAccount) ? stale : acquire(account));
    }
    final List<CommitOutcome> outcomes = commitTogether(batch);

    for (int i = 0; i < accounts.size(); i++) {
      assertThat(outcomes.get(i)).isEqualTo(judged(i == 7 ? Verdict.STALE : Verdict.COMMIT));
    }
    assertThat(storedVersion(staleAccount)).isEqualTo(3);
    assertThat(storedVersion(accounts.get(8))).isEqualTo(3);
    assertThat(leases(accounts)).isEqualTo(19);
    assertThat(bisects()).isZero();
  }

  @Test
  void oneAccountTwiceIsNeverInOneBatchAndOnlyOneIsWritten() throws Exception {
    final List<Id128> accounts = accounts(1);
    final Transition first = acquire(accounts.get(0));
    final Transition second = acquire(accounts.get(0));

    final List<CommitOutcome> outcomes = commitTogether(List.of(first, second));

    assertThat(outcomes).containsExactlyInAnyOrder(judged(Verdict.COMMIT), judged(Verdict.STALE));
    assertThat(leases(accounts)).isEqualTo(1);
  }

  @Test
  void aRowThatTheChecksCouldNotSeeIsTheReplayOfItsOwnTransitionAlone() throws Exception {
    final List<Id128> accounts = accounts(16);
    final Id128 replayed = accounts.get(5);
    final Id128 leaseId = COMMANDS.nextId();
    ledger.submit(replayed, COMMANDS.acquire(leaseId, 1), now);

    final List<Transition> batch = new ArrayList<>();
    for (final Id128 account : accounts) {
      batch.add(
          account.equals(replayed)
              ? blind(ledger.transition(replayed, forgetful(leaseId), now), leaseId)
              : acquire(account));
    }
    final List<CommitOutcome> outcomes = commitTogether(batch);

    for (int i = 0; i < accounts.size(); i++) {
      assertThat(outcomes.get(i)).isEqualTo(judged(i == 5 ? Verdict.REPLAY : Verdict.COMMIT));
    }
    assertThat(leases(accounts)).isEqualTo(16);
    assertThat(bisects()).isBetween(1.0, 8.0);
  }

  @Test
  void withTheUpsertOfOldALeaseThatWasSpentIsFullAgain() throws Exception {
    try (PostgresLedger buggy =
        PostgresLedger.over(
            database, CommitterSettings.DEFAULTS, CommitFaults.NONE, Defects.LEASE_UPSERTED)) {
      ledger.takeOver();
      buggy.takeOver();
      final Id128 account = COMMANDS.nextId();
      final Id128 leaseId = COMMANDS.nextId();
      buggy.submit(account, COMMANDS.create(), now);
      buggy.submit(account, COMMANDS.deposit(100), now);
      final Outcome.Granted granted =
          (Outcome.Granted) buggy.submit(account, COMMANDS.acquire(leaseId, 10), now);
      buggy.submit(account, new LedgerCommand.Release(leaseId, granted.fence(), 1, 10), now);
      // The sums the store keeps no longer agree; the test's own trigger would notice before we do.
      try (Connection connection = database.connect();
          Statement statement = connection.createStatement()) {
        statement.execute("ALTER TABLE account DISABLE TRIGGER account_lease_sums_agree");
        statement.execute("ALTER TABLE lease DISABLE TRIGGER lease_sums_agree");
        final CommitOutcome outcome =
            buggy
                .committer()
                .commit(blind(buggy.transition(account, forgetful(leaseId), now), leaseId));
        statement.execute("ALTER TABLE account ENABLE TRIGGER account_lease_sums_agree");
        statement.execute("ALTER TABLE lease ENABLE TRIGGER lease_sums_agree");
        assertThat(outcome).isEqualTo(judged(Verdict.COMMIT));
      }
      assertThat(database.number("SELECT state FROM lease WHERE id = '" + leaseId.toUuid() + "'"))
          .isZero();
    }
  }

  @Test
  void aScheduleSetNowIsSetAgainOnlyWhereItsIdIsNotLookedUp() throws Exception {
    final Id128 account = accounts(1).get(0);
    final LedgerCommand schedule =
        new LedgerCommand.SetSchedule(
            COMMANDS.nextId(),
            new BudgetSchedule(BudgetSchedule.Kind.DAY, "UTC", 1, 10),
            LedgerCommand.SetSchedule.Effective.NOW);
    ledger.submit(account, schedule, now);

    assertThat(ledger.committer().commit(ledger.transition(account, schedule, now)))
        .isEqualTo(judged(Verdict.REPLAY));
    try (PostgresLedger buggy =
        PostgresLedger.over(
            database, CommitterSettings.DEFAULTS, CommitFaults.NONE, Defects.SCHEDULE_RETRIED)) {
      buggy.takeOver();
      buggy.submit(account, COMMANDS.deposit(1), now);
      assertThat(buggy.committer().commit(buggy.transition(account, schedule, now)))
          .isEqualTo(judged(Verdict.COMMIT));
    }
  }

  @Test
  void valuesThatPostgresRefusesAreCorruptAloneAndTheOthersAreWritten() throws Exception {
    database.execute("ALTER TABLE account ADD CONSTRAINT planted CHECK (top_up <> 777)");
    try {
      final List<Id128> accounts = accounts(9);
      final List<Transition> batch = new ArrayList<>();
      for (final Id128 account : accounts) {
        batch.add(
            ledger.transition(
                account, COMMANDS.deposit(account.equals(accounts.get(3)) ? 677 : 5), now));
      }
      final List<CommitOutcome> outcomes = commitTogether(batch);

      for (int i = 0; i < accounts.size(); i++) {
        if (i == 3) {
          assertThat(outcomes.get(i))
              .isInstanceOfSatisfying(
                  CommitOutcome.Failed.class,
                  failed -> assertThat(failed.code()).isEqualTo(LedgerCode.CORRUPT));
        } else {
          assertThat(outcomes.get(i)).isEqualTo(judged(Verdict.COMMIT));
        }
      }
      assertThat(storedVersion(accounts.get(3))).isEqualTo(2);
    } finally {
      database.execute("ALTER TABLE account DROP CONSTRAINT planted");
    }
  }

  @Test
  void aRowThatSomebodyHoldsCostsItsOwnTransitionAndTheOthersOneLockTimeout() throws Exception {
    final List<Id128> accounts = accounts(32);
    final Id128 stuck = accounts.get(11);
    try (Connection other = database.connect();
        Statement statement = other.createStatement()) {
      other.setAutoCommit(false);
      statement.execute("SELECT * FROM account WHERE id = '" + stuck.toUuid() + "' FOR UPDATE");

      final List<CommitOutcome> outcomes =
          commitTogether(accounts.stream().map(this::acquire).toList());

      for (int i = 0; i < accounts.size(); i++) {
        if (i == 11) {
          assertThat(outcomes.get(i))
              .isInstanceOfSatisfying(
                  CommitOutcome.Failed.class,
                  failed -> assertThat(failed.code()).isEqualTo(LedgerCode.UNAVAILABLE));
        } else {
          assertThat(outcomes.get(i)).isEqualTo(judged(Verdict.COMMIT));
        }
      }
      // One wait for the whole batch, none for its halves.
      assertThat(bisects()).isZero();
      other.rollback();
    }
    assertThat(ledger.committer().commit(acquire(stuck))).isEqualTo(judged(Verdict.COMMIT));
  }

  @Test
  void twoMembersOnTheSameAccountsNeverDeadlock() throws Exception {
    final List<Id128> accounts = accounts(40);
    final long before = deadlocks();
    try (PostgresLedger other = PostgresLedger.over(database)) {
      final List<CompletableFuture<Void>> running = new ArrayList<>();
      for (int worker = 0; worker < 16; worker++) {
        final int first = worker;
        final PostgresLedger mine = worker % 2 == 0 ? ledger : other;
        running.add(
            CompletableFuture.runAsync(
                () -> {
                  for (int i = 0; i < 25; i++) {
                    final int at = (first * 7 + (first % 2 == 0 ? i : 40 - i)) % accounts.size();
                    // Both decide on the first version, so all but one of each account are stale.
                    mine.committer().commit(acquire(accounts.get(at)));
                  }
                },
                callers));
      }
      running.forEach(CompletableFuture::join);
    }
    assertThat(deadlocks()).isEqualTo(before);
    assertThat(leases(accounts)).isEqualTo(40);
  }

  @Test
  void aCheckTakesNoTransactionIdAndSaysWhatItRestsOn() throws Exception {
    final Id128 account = accounts(1).get(0);
    final LedgerCommand hopeless = COMMANDS.consolidate(COMMANDS.nextId(), 9, 1, 1);
    ledger.submit(account, hopeless, now);
    final long before = nextTransactionId();
    for (int i = 0; i < 50; i++) {
      assertThat(ledger.submit(account, hopeless, now)).isInstanceOf(Outcome.Refused.class);
    }
    assertThat(nextTransactionId() - before).isLessThan(10);
    assertThat(storedVersion(account)).isEqualTo(2);
  }

  @Test
  void aCheckOnOldMemoryIsStale() throws Exception {
    final Id128 account = accounts(1).get(0);
    final Transition check = ledger.transition(account, new LedgerCommand.Reclaim(now), now);
    assertThat(check.effects().writes()).isFalse();
    ledger.submit(account, COMMANDS.deposit(1), now);

    assertThat(ledger.committer().commit(check)).isEqualTo(judged(Verdict.STALE));
    try (PostgresLedger buggy =
        PostgresLedger.over(
            database, CommitterSettings.DEFAULTS, CommitFaults.NONE, Defects.ANSWERS_UNCHECKED)) {
      assertThat(buggy.committer().commit(check)).isEqualTo(judged(Verdict.CONFIRMED));
    }
  }

  @Test
  void ofTwoWritesOnOneVersionTheSecondIsStaleUnlessVersionsGoUnchecked() throws Exception {
    final Id128 account = accounts(1).get(0);
    final Transition old = ledger.transition(account, COMMANDS.deposit(7), now);
    ledger.submit(account, COMMANDS.deposit(1), now);

    assertThat(ledger.committer().commit(old)).isEqualTo(judged(Verdict.STALE));
    try (PostgresLedger buggy =
        PostgresLedger.over(
            database, CommitterSettings.DEFAULTS, CommitFaults.NONE, Defects.VERSION_UNCHECKED)) {
      final CommitOutcome outcome =
          buggy.committer().commit(ledger.transition(account, COMMANDS.acquire(1), now));
      assertThat(outcome).isEqualTo(judged(Verdict.COMMIT));
    }
  }

  @Test
  void theStoresClockBoundsLedgerTimeAndDeadline() throws Exception {
    final long skew = CommitterSettings.DEFAULTS.maxSkewNanos();
    final long ahead = now + Duration.ofMinutes(5).toNanos();
    now -= 10 * skew;
    final Id128 account = accounts(1).get(0);
    final LedgerRequest late = new LedgerRequest(account, "test", now + skew, COMMANDS.deposit(1));

    assertThat(ledger.committer().commit(ledger.transition(account, COMMANDS.deposit(1), ahead)))
        .isEqualTo(judged(Verdict.CLOCK_AHEAD));
    assertThat(ledger.committer().commit(ledger.transition(late, now)))
        .isEqualTo(judged(Verdict.TOO_LATE));
    assertThat(storedVersion(account)).isEqualTo(2);
  }

  @Test
  void aStoreThatFellBehindMemoryIsToldApartFromOldMemory() throws Exception {
    final Id128 account = accounts(1).get(0);
    final Transition next = acquire(account);
    final Transition fromTheFuture =
        new Transition(
            account,
            next.partition(),
            next.ownershipFence(),
            next.next(),
            atVersion(next.effects(), 9));

    assertThat(ledger.committer().commit(fromTheFuture))
        .isEqualTo(judged(Verdict.AUTHORITY_REGRESSED));
  }

  @Test
  void aChainIsWrittenAsItsTransitionsWouldBeOneByOne() throws Exception {
    final List<Id128> accounts = accounts(2);
    final Id128 account = accounts.get(0);
    final Outcome.Granted old = (Outcome.Granted) ledger.submit(account, COMMANDS.acquire(10), now);
    final Id128 leaseId = COMMANDS.nextId();
    final List<Transition> chain =
        ledger.chain(
            account,
            now,
            COMMANDS.acquire(leaseId, 20),
            new LedgerCommand.Return(old.leaseId(), old.fence(), 1, 3),
            COMMANDS.acquire(leaseId, 20),
            new LedgerCommand.Return(old.leaseId(), old.fence(), 2, 4),
            new LedgerCommand.Return(leaseId, old.fence() + 1, 1, 5));

    assertThat(commitChains(List.of(chain, List.of(acquire(accounts.get(1))))))
        .containsOnly(judged(Verdict.COMMIT));

    final AccountLedger expected = chain.get(chain.size() - 1).next();
    ledger.forget(account);
    assertThat(ledger.ledger(account)).isEqualTo(expected);
    assertThat(storedVersion(account)).isEqualTo(7);
    assertThat(
            new LedgerVerification(ledger.sources().control())
                .run(LedgerLimits.DEFAULTS)
                .findings())
        .noneMatch(finding -> finding.toString().contains(account.toString()));
  }

  @Test
  void aChainStandsOrFallsAsOneAndTakesNobodyWithIt() throws Exception {
    final List<Id128> accounts = accounts(8);
    final Id128 account = accounts.get(3);
    final Id128 leaseId = COMMANDS.nextId();
    ledger.submit(account, COMMANDS.acquire(leaseId, 1), now);
    final List<Transition> links =
        ledger.chain(account, now, COMMANDS.acquire(1), forgetful(leaseId), COMMANDS.acquire(1));
    final List<Transition> chain =
        List.of(links.get(0), blind(links.get(1), leaseId), links.get(2));

    final List<List<Transition>> batch = new ArrayList<>();
    for (final Id128 each : accounts) {
      batch.add(each.equals(account) ? chain : List.of(acquire(each)));
    }
    final List<CommitOutcome> outcomes = commitChains(batch);

    for (int i = 0; i < accounts.size(); i++) {
      assertThat(outcomes.get(i)).isEqualTo(judged(i == 3 ? Verdict.REPLAY : Verdict.COMMIT));
    }
    assertThat(storedVersion(account)).isEqualTo(3);
    assertThat(leases(accounts)).isEqualTo(8);
  }

  @Test
  void whatIsNoChainIsRefusedBeforeAnyoneWaits() {
    final List<Id128> accounts = accounts(2);
    final Transition first = acquire(accounts.get(0));
    final Transition deposit = ledger.transition(accounts.get(0), COMMANDS.deposit(1), now);
    final Transition second =
        ledger.chain(accounts.get(0), now, COMMANDS.acquire(1), COMMANDS.acquire(1)).get(1);

    for (final List<Transition> broken :
        List.of(
            List.of(first, first),
            List.of(first, acquire(accounts.get(1))),
            List.of(deposit, second))) {
      assertThatThrownBy(() -> ledger.committer().commit(broken))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  /** Witnesses R20: kept in one batch with others, once, and nothing else is written of it. */
  @Test
  void usageOfAnAccountThatDoesNotExistIsKept() throws Exception {
    final Id128 account = accounts(1).get(0);
    final Id128 nobody = COMMANDS.nextId();
    final Transition usage =
        ledger.transition(
            nobody, COMMANDS.record(COMMANDS.event(new Funding.Unfunded(), 7, now)), now);
    gate.closeForBatches();
    final CompletableFuture<CommitOutcome> first = commit(acquire(account));
    gate.awaitHeld(1);
    final CompletableFuture<CommitOutcome> kept = commit(usage);
    gate.open();

    assertThat(first.join()).isEqualTo(judged(Verdict.COMMIT));
    assertThat(kept.join()).isEqualTo(judged(Verdict.COMMIT));
    assertThat(ledger.committer().commit(usage)).isEqualTo(judged(Verdict.REPLAY));
    final String of = " WHERE account = '" + nobody.toUuid() + "'";
    assertThat(database.number("SELECT count(*) FROM usage_rejected" + of + " AND verdict = 12"))
        .isEqualTo(1);
    assertThat(database.number("SELECT count(*) FROM journal" + of)).isZero();
    assertThat(database.number("SELECT count(*) FROM usage_event" + of)).isZero();
  }

  @Test
  void aBigUsageBatchGoesThroughALaneOfItsOwn() throws Exception {
    final List<Id128> accounts = accounts(2);
    final Outcome.Granted granted =
        (Outcome.Granted) ledger.submit(accounts.get(0), COMMANDS.acquire(50), now);
    final UsageEvent[] events = new UsageEvent[40];
    for (int i = 0; i < events.length; i++) {
      events[i] = COMMANDS.leased(granted.leaseId(), granted.fence(), 1, now);
    }
    gate.closeForBatches();
    final CompletableFuture<CommitOutcome> ordinary = commit(acquire(accounts.get(1)));
    gate.awaitHeld(1);
    // The only ordinary lane is held; the heavy one is not.
    final CompletableFuture<CommitOutcome> heavy =
        commit(ledger.transition(accounts.get(0), COMMANDS.record(events), now));
    gate.awaitHeld(2);
    gate.open();

    assertThat(heavy.join()).isEqualTo(judged(Verdict.COMMIT));
    assertThat(ordinary.join()).isEqualTo(judged(Verdict.COMMIT));
    assertThat(
            database.number(
                "SELECT count(*) FROM usage_event WHERE account = '"
                    + accounts.get(0).toUuid()
                    + "'"))
        .isEqualTo(40);
  }

  @Test
  void aLaneRefusesASessionThatWouldLoseWhatItAcknowledges() throws Exception {
    final Id128 account = accounts(1).get(0);
    final Transition deposit = ledger.transition(account, COMMANDS.deposit(1), now);
    final String name = database.query("SELECT current_database()").get(0);
    database.execute("ALTER DATABASE " + name + " SET synchronous_commit = off");
    try (PostgresLedger other = PostgresLedger.over(database)) {
      assertThat(other.committer().commit(deposit))
          .isInstanceOfSatisfying(
              CommitOutcome.Failed.class,
              failed -> {
                assertThat(failed.code()).isEqualTo(LedgerCode.UNAVAILABLE);
                assertThat(failed.cause()).hasMessageContaining("synchronous_commit is off");
              });
    } finally {
      database.execute("ALTER DATABASE " + name + " RESET synchronous_commit");
    }
    assertThat(storedVersion(account)).isEqualTo(2);
  }

  /** Active accounts with 100 units each, at version 2. */
  private List<Id128> accounts(int count) {
    final List<Id128> accounts = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      final Id128 account = COMMANDS.nextId();
      ledger.submit(account, COMMANDS.create(), now);
      ledger.submit(account, COMMANDS.deposit(100), now);
      accounts.add(account);
    }
    return accounts;
  }

  private Transition acquire(Id128 account) {
    return ledger.transition(account, COMMANDS.acquire(1), now);
  }

  /** The same acquire under another body, so that memory does not recognise it. */
  private static LedgerCommand forgetful(Id128 leaseId) {
    return COMMANDS.acquire(new Id128(leaseId.high() ^ 1, leaseId.low()), 2);
  }

  /**
   * A transition that inserts a lease under {@code leaseId} and does not say that it rests on it.
   */
  private static Transition blind(Transition transition, Id128 leaseId) {
    final Effects effects = transition.effects();
    final Lease granted = effects.inserted().get(0);
    final Lease renamed =
        new Lease(
            leaseId,
            granted.holder(),
            granted.fence(),
            granted.bodyHash(),
            granted.periodNumber(),
            granted.grantedAllowance(),
            granted.grantedTopUp(),
            0,
            0,
            0,
            0,
            granted.state(),
            granted.firstExpiresAtNanos(),
            granted.expiresAtNanos(),
            granted.graceNanos(),
            0,
            null);
    return new Transition(
        transition.account(),
        transition.partition(),
        transition.ownershipFence(),
        transition.next(),
        copy(effects, effects.baseVersion(), effects.request(), List.of(renamed)));
  }

  private static Effects atVersion(Effects effects, long baseVersion) {
    return copy(effects, baseVersion, effects.request(), effects.inserted());
  }

  private static Effects copy(
      Effects effects, long baseVersion, LedgerRequest request, List<Lease> inserted) {
    return new Effects(
        request,
        effects.outcome(),
        baseVersion,
        effects.ledgerTimeNanos(),
        effects.writes(),
        inserted,
        effects.updated(),
        effects.funding(),
        effects.commandRow(),
        effects.usage(),
        effects.rejected(),
        effects.credit(),
        Set.of(),
        Map.of());
  }

  /** Commits transitions in one batch: they wait while the only lane is held by another. */
  private List<CommitOutcome> commitTogether(List<Transition> batch) throws Exception {
    return commitChains(batch.stream().map(List::of).toList());
  }

  private List<CommitOutcome> commitChains(List<List<Transition>> batch) throws Exception {
    final Id128 other = accounts(1).get(0);
    gate.closeForBatches();
    final CompletableFuture<CommitOutcome> holding = commit(acquire(other));
    gate.awaitHeld(1);
    final List<CompletableFuture<CommitOutcome>> waiting = new ArrayList<>();
    for (final List<Transition> chain : batch) {
      waiting.add(CompletableFuture.supplyAsync(() -> ledger.committer().commit(chain), callers));
    }
    Await.until(
        () ->
            ledger
                    .registry()
                    .get("tollgrid.committer.waiting")
                    .tag("kind", "ordinary")
                    .gauge()
                    .value()
                == batch.size());
    gate.open();
    assertThat(holding.join()).isEqualTo(judged(Verdict.COMMIT));
    return waiting.stream().map(CompletableFuture::join).toList();
  }

  private CompletableFuture<CommitOutcome> commit(Transition transition) {
    return CompletableFuture.supplyAsync(() -> ledger.committer().commit(transition), callers);
  }

  private static CommitOutcome judged(Verdict verdict) {
    return new CommitOutcome.Judged(verdict);
  }

  private double bisects() {
    return ledger.registry().get("tollgrid.committer.bisects").counter().count();
  }

  private static long storedVersion(Id128 account) throws SQLException {
    return database.number("SELECT version FROM account WHERE id = '" + account.toUuid() + "'");
  }

  private static long leases(List<Id128> accounts) throws SQLException {
    final StringBuilder ids = new StringBuilder();
    accounts.forEach(id -> ids.append(ids.isEmpty() ? "'" : ",'").append(id.toUuid()).append("'"));
    return database.number("SELECT count(*) FROM lease WHERE account IN (" + ids + ")");
  }

  private static long deadlocks() throws SQLException {
    return database.number(
        "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()");
  }

  private static long nextTransactionId() throws SQLException {
    return database.number("SELECT pg_snapshot_xmax(pg_current_snapshot())::text::int8");
  }
}
