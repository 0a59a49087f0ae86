package io.tollgrid.verification.faults.regression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tollgrid.grid.GridLedgerClient;
import io.tollgrid.grid.LedgerAnswer;
import io.tollgrid.grid.LedgerClientSettings;
import io.tollgrid.grid.SystemClock;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.LedgerEntry;
import io.tollgrid.ledger.LedgerRequest;
import io.tollgrid.ledger.Outcome;
import io.tollgrid.mapstore.commit.Defects;
import io.tollgrid.mapstore.testing.TestPostgres;
import io.tollgrid.verification.faults.run.QueuedOperations;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Witnesses R16 and R40 on the queue of a partition, in which every operation waits for the store
 * before it: retries do not pile up in it, and an interrupted store does not hold it for ever.
 */
@Tag("slow")
@Timeout(180)
class PartitionQueueTest {
  private static final int CALLERS = 64;
  private static final int ACCOUNTS = 8;
  private static final int RETRIES = 3;
  private static final long MINUTE = TimeUnit.MINUTES.toNanos(1);

  private static TestPostgres database;

  @BeforeAll
  static void start() {
    database = TestPostgres.migrated();
  }

  @AfterAll
  static void stop() {
    database.close();
  }

  /**
   * Sixty-four commands for eight accounts while every store hangs. The cure is the client's lane:
   * one attempt per account is under way, and the next begins when it has ended. Without it,
   * callers that lose patience and send again fill the queues, and everything is executed once more
   * when stores go on.
   */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void retriesDoNotPileUpBehindAStoreThatHangs(boolean cured) throws Exception {
    try (RegressionGrid grid = new RegressionGrid(database, 1, Defects.NONE)) {
      final RegressionGrid.Member member = grid.start();
      final List<Id128> accounts = new ArrayList<>();
      for (int i = 0; i < ACCOUNTS; i++) {
        accounts.add(grid.accountIn(member, 10 + i));
      }
      final AtomicInteger stores = new AtomicInteger();
      final Latch hanging = new Latch(ACCOUNTS);
      member
          .gate()
          .play(
              new StoreGate.Script() {
                @Override
                public void beforeStore(String key, LedgerEntry entry) {
                  hanging.pass();
                  stores.incrementAndGet();
                }
              });
      final List<LedgerRequest> requests = requests(accounts);
      final List<CompletableFuture<LedgerAnswer>> answers = new ArrayList<>();
      final int rounds = cured ? 1 : RETRIES;
      final GridLedgerClient patient = grid.client(member, settings());
      for (int round = 0; round < rounds; round++) {
        for (final LedgerRequest request : requests) {
          final GridLedgerClient client = cured ? patient : grid.client(member, settings());
          answers.add(client.submit(request).toCompletableFuture());
        }
      }
      hanging.awaitArrivals();
      if (!cured) {
        RegressionGrid.await(
            "retries queue up",
            () -> QueuedOperations.of(member.hazelcast()) >= RETRIES * CALLERS - ACCOUNTS);
      }
      final long queued = QueuedOperations.of(member.hazelcast());
      hanging.open();
      for (final CompletableFuture<LedgerAnswer> answer : answers) {
        assertThat(answer.get(RegressionGrid.PATIENCE_SECONDS, TimeUnit.SECONDS).outcome())
            .isInstanceOf(Outcome.Funded.class);
      }

      if (cured) {
        assertThat(queued).isLessThanOrEqualTo(ACCOUNTS);
        assertThat(stores).hasValue(CALLERS);
      } else {
        assertThat(queued).isGreaterThan(CALLERS);
        assertThat(stores).hasValueGreaterThan(CALLERS);
      }
      accounts.forEach(
          account ->
              assertThat(grid.storedTopUp(account))
                  .as("each deposit once, however often it was sent")
                  .isEqualTo(CALLERS / ACCOUNTS));
    }
  }

  /**
   * The thread of a store is interrupted. The cure is that our store never returns with the flag
   * set; with it set, the grid's next wait fails silently and the partition answers nobody any
   * more.
   */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void anInterruptedStoreDoesNotWedgeItsPartition(boolean cured) throws Exception {
    try (RegressionGrid grid = new RegressionGrid(database, 1, Defects.NONE)) {
      final RegressionGrid.Member member = grid.start();
      final Id128 account = grid.accountIn(member, 20);
      final Id128 neighbour = grid.accountIn(member, 20);
      final AtomicReference<Boolean> flag = new AtomicReference<>();
      member
          .gate()
          .play(
              new StoreGate.Script() {
                @Override
                public void beforeStore(String key, LedgerEntry entry) {
                  Thread.currentThread().interrupt();
                }

                @Override
                public void afterStore(String key, LedgerEntry entry) {
                  flag.compareAndSet(null, Thread.currentThread().isInterrupted());
                  if (!cured) {
                    Thread.currentThread().interrupt();
                  }
                }
              });
      final GridLedgerClient client = grid.client(member, settings());
      final var first = client.submit(account, RegressionGrid.deposit(1)).toCompletableFuture();
      RegressionGrid.await("the deposit commits", () -> grid.storedTopUp(account) == 1);
      RegressionGrid.await("the store returns", () -> flag.get() != null);
      member.gate().play(new StoreGate.Script() {});
      final var second = client.submit(neighbour, RegressionGrid.deposit(1)).toCompletableFuture();

      assertThat(flag.get()).as("interrupt flag after the product's store").isFalse();
      if (cured) {
        assertThat(first.get(RegressionGrid.PATIENCE_SECONDS, TimeUnit.SECONDS).outcome())
            .isInstanceOf(Outcome.Funded.class);
        assertThat(second.get(RegressionGrid.PATIENCE_SECONDS, TimeUnit.SECONDS).outcome())
            .isInstanceOf(Outcome.Funded.class);
      } else {
        assertThatThrownBy(() -> second.get(4, TimeUnit.SECONDS))
            .as("the neighbour waits for ever")
            .isInstanceOf(TimeoutException.class);
      }
    }
  }

  private static List<LedgerRequest> requests(List<Id128> accounts) {
    final List<LedgerRequest> requests = new ArrayList<>();
    for (int i = 0; i < CALLERS; i++) {
      requests.add(
          new LedgerRequest(
              accounts.get(i % accounts.size()),
              "test",
              new SystemClock().nowNanos() + MINUTE,
              RegressionGrid.deposit(1)));
    }
    return requests;
  }

  private static LedgerClientSettings settings() {
    return new LedgerClientSettings("test", MINUTE, MINUTE, 1, 1_000_000, 100_000_000, CALLERS);
  }
}
