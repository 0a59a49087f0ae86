package io.tollgrid.verification.faults.regression;

import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.IMap;
import io.tollgrid.grid.GridLedgerClient;
import io.tollgrid.grid.GridNames;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.LedgerEntry;
import io.tollgrid.ledger.Outcome;
import io.tollgrid.ledger.Refusal;
import io.tollgrid.mapstore.commit.Defects;
import io.tollgrid.mapstore.testing.TestPostgres;
import io.tollgrid.verification.faults.run.QueuedOperations;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Witnesses R15: memory that is behind PostgreSQL under a fence that is still good never becomes
 * evidence, whichever way it fell behind.
 *
 * <p>Each time an account without funds is given 100 units which memory does not learn of, and
 * somebody who does not know either asks for 50. The cure is that every answer is checked against
 * PostgreSQL before it leaves; with checks off, a refusal leaves that was false when it was made.
 */
@Tag("slow")
@Timeout(180)
class StaleMemoryTest {
  private static final Defects UNCHECKED = Defects.ANSWERS_UNCHECKED;
  private static final int SEVERAL = 8;

  private static TestPostgres database;

  @BeforeAll
  static void start() {
    database = TestPostgres.migrated();
  }

  @AfterAll
  static void stop() {
    database.close();
  }

  /** What stands between a store that failed after its commit and a false answer. */
  private enum Cures {
    BOTH(false, false),
    CHECKED_ANSWERS_ONLY(false, true),
    DROPPED_FENCE_ONLY(true, false),
    NONE(true, true);

    private final boolean unchecked;
    private final boolean fenceKept;

    Cures(boolean unchecked, boolean fenceKept) {
      this.unchecked = unchecked;
      this.fenceKept = fenceKept;
    }

    Defects defects() {
      return new Defects(false, false, false, false, unchecked, false, false, fenceKept);
    }

    boolean cured() {
      return !(unchecked && fenceKept);
    }
  }

  @ParameterizedTest
  @EnumSource(Cures.class)
  void aStoreThatFailedAfterItsCommit(Cures cures) throws Exception {
    try (RegressionGrid grid = new RegressionGrid(database, 1, cures.defects())) {
      final RegressionGrid.Member member = grid.start();
      final Id128 account = grid.accountIn(member, 3);
      member.confirmations().lose(true);
      try (GridLedgerClient doomed = grid.doomedClient(member)) {
        doomed.submit(account, RegressionGrid.deposit(100));
        RegressionGrid.await("the deposit commits", () -> grid.storedTopUp(account) == 100);
      }
      member.confirmations().lose(false);

      expect(
          cures.cured(),
          RegressionGrid.run(grid.client(member), account, RegressionGrid.acquire(50)));
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aBulkLoadThatPutAnOlderValueOverANewerOne(boolean cured) throws Exception {
    try (RegressionGrid grid = grid(1, cured)) {
      final RegressionGrid.Member member = grid.start();
      final Id128 account = grid.accountIn(member, 4);
      final String key = GridNames.ledgerKey(account);
      final GridLedgerClient client = grid.client(member);
      final IMap<String, LedgerEntry> ledgers = grid.ledgers(member);
      final Latch read = new Latch(1);
      member
          .gate()
          .play(
              new StoreGate.Script() {
                @Override
                public void afterLoadAll(Collection<String> keys) {
                  read.pass();
                }
              });
      final CompletableFuture<Void> load =
          CompletableFuture.runAsync(() -> ledgers.loadAll(Set.of(key), true));
      read.awaitArrivals();
      RegressionGrid.run(client, account, RegressionGrid.deposit(100));
      read.open();
      load.get(RegressionGrid.PATIENCE_SECONDS, TimeUnit.SECONDS);
      RegressionGrid.await("memory falls behind", () -> versionOf(ledgers.get(key)) == 1);

      expect(cured, RegressionGrid.run(client, account, RegressionGrid.acquire(50)));
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void ownershipThatWentAndCameBackDuringAStore(boolean cured) throws Exception {
    try (RegressionGrid grid = grid(1, cured)) {
      final RegressionGrid.Member first = grid.start();
      final List<Id128> accounts = accounts(grid, first);
      final Latch stored = holdStores(first, accounts.size());
      final List<GridLedgerClient> doomed = depositEverywhere(grid, first, accounts);
      stored.awaitArrivals();
      final RegressionGrid.Member second = grid.start();
      second.fences().stopIssuing();
      RegressionGrid.await(
          "half of the partitions move", () -> accounts.stream().anyMatch(a -> !owns(first, a)));
      final List<Id128> moved = accounts.stream().filter(a -> !owns(first, a)).toList();
      second.hazelcast().shutdown();
      RegressionGrid.await(
          "they come back", () -> moved.stream().allMatch(account -> owns(first, account)));
      stored.open();
      doomed.forEach(GridLedgerClient::close);

      expectEverywhere(cured, grid, first, moved);
    }
  }

  /**
   * The destination is held where it creates its store, so what migrates stays migrating: stores
   * that end meanwhile find their partition closed, and what they committed never gets to memory.
   * Then the destination dies, and its migrations are rolled back.
   */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aMigrationThatRolledBackDuringAStore(boolean cured) throws Exception {
    try (RegressionGrid grid =
        new RegressionGrid(database, 1, cured ? Defects.NONE : UNCHECKED, SEVERAL)) {
      final RegressionGrid.Member first = grid.start();
      final List<Id128> accounts = new ArrayList<>();
      for (int partition = 0; partition < SEVERAL; partition++) {
        accounts.add(grid.accountIn(first, partition));
      }
      final Latch stored = holdStores(first, SEVERAL);
      final List<GridLedgerClient> doomed = depositEverywhere(grid, first, accounts);
      stored.awaitArrivals();
      final Latch creating = new Latch(1);
      final CompletableFuture<HazelcastInstance> destination = new CompletableFuture<>();
      final CompletableFuture<Void> second =
          CompletableFuture.runAsync(
              () ->
                  grid.start(
                      new StoreGate.Script() {
                        @Override
                        public void created(HazelcastInstance member) {
                          destination.complete(member);
                          creating.pass();
                        }
                      }));
      creating.awaitArrivals();
      RegressionGrid.await("a migration begins", () -> !migrating(first, accounts).isEmpty());
      final List<Id128> begun = migrating(first, accounts);
      stored.open();
      RegressionGrid.await("every store ends", () -> QueuedOperations.of(first.hazelcast()) == 0);
      doomed.forEach(GridLedgerClient::close);
      // A partition migrates once: what migrates still was caught for the whole of its store.
      final List<Id128> caught =
          migrating(first, accounts).stream().filter(begun::contains).toList();
      assertThat(caught).isNotEmpty();
      final CompletableFuture<Void> death =
          CompletableFuture.runAsync(() -> destination.join().getLifecycleService().terminate());
      RegressionGrid.await(
          "the destination is gone and its migrations are rolled back",
          () ->
              first.hazelcast().getCluster().getMembers().size() == 1
                  && migrating(first, accounts).isEmpty()
                  && accounts.stream().allMatch(account -> owns(first, account)));
      creating.open();
      second.handle((done, failure) -> null).get(RegressionGrid.PATIENCE_SECONDS, TimeUnit.SECONDS);
      death.get(RegressionGrid.PATIENCE_SECONDS, TimeUnit.SECONDS);

      assertThat(caught).allMatch(account -> grid.storedTopUp(account) == 100);
      expectEverywhere(cured, grid, first, caught);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aMajorityThatWasLostDuringAStore(boolean cured) throws Exception {
    try (RegressionGrid grid = grid(3, cured)) {
      final RegressionGrid.Member first = grid.start();
      final RegressionGrid.Member second = grid.start();
      RegressionGrid.await(
          "two members share the partitions",
          () ->
              first.hazelcast().getPartitionService().isClusterSafe()
                  && ownedBy(first) < TestPostgres.PARTITIONS
                  && ownedBy(first) > 0);
      final List<Id128> accounts = accounts(grid, first);
      final List<Id128> mine = accounts.stream().filter(a -> owns(first, a)).toList();
      assertThat(mine).isNotEmpty();
      final Latch stored = holdStores(first, mine.size());
      final List<GridLedgerClient> doomed = depositEverywhere(grid, first, mine);
      stored.awaitArrivals();
      second.hazelcast().getLifecycleService().terminate();
      RegressionGrid.await(
          "the majority is gone", () -> first.hazelcast().getCluster().getMembers().size() == 1);
      stored.open();
      doomed.forEach(GridLedgerClient::close);
      grid.start();
      RegressionGrid.await(
          "a majority is back", () -> first.hazelcast().getCluster().getMembers().size() == 2);
      final List<Id128> still = mine.stream().filter(a -> owns(first, a)).toList();

      expectSomewhere(cured, grid, first, still);
    }
  }

  /**
   * No cure of ours to switch off here: an eviction goes past the queue of its partition and was
   * seen to return while a store was under way, but the value is set all the same once it ends.
   */
  @Test
  void anEvictionDuringAStoreLosesNothing() throws Exception {
    try (RegressionGrid grid = grid(1, true)) {
      final RegressionGrid.Member member = grid.start();
      final Id128 account = grid.accountIn(member, 5);
      final GridLedgerClient client = grid.client(member);
      final Latch stored = holdStores(member, 1);
      final var deposit = client.submit(account, RegressionGrid.deposit(100)).toCompletableFuture();
      stored.awaitArrivals();

      final boolean evicted = grid.ledgers(member).evict(GridNames.ledgerKey(account));
      stored.open();

      assertThat(evicted).isTrue();
      assertThat(deposit.get(RegressionGrid.PATIENCE_SECONDS, TimeUnit.SECONDS).outcome())
          .isInstanceOf(Outcome.Funded.class);
      assertThat(versionOf(grid.ledgers(member).get(GridNames.ledgerKey(account)))).isEqualTo(2);
      expect(true, RegressionGrid.run(client, account, RegressionGrid.acquire(50)));
    }
  }

  private static RegressionGrid grid(int expectedMembers, boolean cured) {
    return new RegressionGrid(database, expectedMembers, cured ? Defects.NONE : UNCHECKED);
  }

  /** Accounts in memory, far enough apart that about half of them move to another member. */
  private static List<Id128> accounts(RegressionGrid grid, RegressionGrid.Member member) {
    final List<Id128> accounts = new ArrayList<>();
    for (int i = 0; i < SEVERAL; i++) {
      accounts.add(grid.accountIn(member, (i * 2 + 1) * TestPostgres.PARTITIONS / (2 * SEVERAL)));
    }
    return accounts;
  }

  /** From now on stores wait once they have committed. */
  private static Latch holdStores(RegressionGrid.Member member, int expected) {
    final Latch stored = new Latch(expected);
    member
        .gate()
        .play(
            new StoreGate.Script() {
              @Override
              public void afterStore(String key, LedgerEntry entry) {
                stored.pass();
              }
            });
    return stored;
  }

  private static List<GridLedgerClient> depositEverywhere(
      RegressionGrid grid, RegressionGrid.Member member, List<Id128> accounts) {
    final List<GridLedgerClient> clients = new ArrayList<>();
    for (final Id128 account : accounts) {
      final GridLedgerClient client = grid.doomedClient(member);
      client.submit(account, RegressionGrid.deposit(100));
      clients.add(client);
    }
    return clients;
  }

  /** Those whose partition is migrating away from this member at the moment. */
  private static List<Id128> migrating(RegressionGrid.Member member, List<Id128> accounts) {
    return accounts.stream()
        .filter(
            account ->
                Migrations.isMigrating(
                    member.hazelcast(),
                    member
                        .hazelcast()
                        .getPartitionService()
                        .getPartition(GridNames.ledgerKey(account))
                        .getPartitionId()))
        .toList();
  }

  private static boolean owns(RegressionGrid.Member member, Id128 account) {
    return member
        .hazelcast()
        .getCluster()
        .getLocalMember()
        .equals(
            member
                .hazelcast()
                .getPartitionService()
                .getPartition(GridNames.ledgerKey(account))
                .getOwner());
  }

  private static long ownedBy(RegressionGrid.Member member) {
    return member.hazelcast().getPartitionService().getPartitions().stream()
        .filter(p -> member.hazelcast().getCluster().getLocalMember().equals(p.getOwner()))
        .count();
  }

  private static void expectEverywhere(
      boolean cured, RegressionGrid grid, RegressionGrid.Member member, List<Id128> accounts) {
    final GridLedgerClient client = grid.client(member);
    for (final Id128 account : accounts) {
      expect(cured, RegressionGrid.run(client, account, RegressionGrid.acquire(50)));
    }
  }

  /** Which of several stores meets the accident is the grid's choice: at least one must. */
  private static void expectSomewhere(
      boolean cured, RegressionGrid grid, RegressionGrid.Member member, List<Id128> accounts) {
    final GridLedgerClient client = grid.client(member);
    final List<Outcome> outcomes =
        accounts.stream()
            .map(account -> RegressionGrid.run(client, account, RegressionGrid.acquire(50)))
            .toList();
    if (cured) {
      assertThat(outcomes).allMatch(Outcome.Granted.class::isInstance);
    } else {
      assertThat(outcomes).anyMatch(StaleMemoryTest::isFalse);
    }
  }

  private static void expect(boolean cured, Outcome outcome) {
    if (cured) {
      assertThat(outcome).isInstanceOf(Outcome.Granted.class);
    } else {
      assertThat(isFalse(outcome)).as("%s, though 100 units are there", outcome).isTrue();
    }
  }

  private static boolean isFalse(Outcome outcome) {
    return outcome instanceof Outcome.Refused refused
        && refused.reason() == Refusal.BALANCE_EXHAUSTED;
  }

  private static long versionOf(LedgerEntry entry) {
    return entry == null || entry.ledger() == null ? 0 : entry.ledger().version();
  }
}
