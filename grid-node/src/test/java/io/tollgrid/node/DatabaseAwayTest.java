package io.tollgrid.node;

import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.instance.impl.HazelcastInstanceProxy;
import com.hazelcast.spi.impl.NodeEngineImpl;
import com.hazelcast.spi.impl.executionservice.ExecutionService;
import io.tollgrid.grid.LedgerCallException;
import io.tollgrid.grid.LedgerClient;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.LedgerCommand;
import io.tollgrid.ledger.Outcome;
import io.tollgrid.mapstore.testing.TestPostgres;
import io.tollgrid.mapstore.testing.TestServer;
import io.tollgrid.node.testing.Eventually;
import io.tollgrid.node.testing.LedgerTalk;
import io.tollgrid.node.testing.TestCluster;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Witnesses R16 and the degradation of a whole node whose PostgreSQL stands still for 20 seconds
 * under 64 callers: what waits stays bounded in number and in memory, every command takes effect at
 * most once, what was acknowledged is there, and the node goes on without a restart.
 */
@Tag("slow")
@Timeout(600)
class DatabaseAwayTest {
  private static final int CALLERS = 64;
  private static final int ACCOUNTS = CALLERS;
  private static final Duration AWAY = Duration.ofSeconds(20);
  private static final long MEMORY_BYTES = 64L << 20;

  private final ConcurrentLinkedQueue<Id128> acknowledged = new ConcurrentLinkedQueue<>();
  private final ConcurrentLinkedQueue<Id128> failedForSure = new ConcurrentLinkedQueue<>();
  private final ConcurrentLinkedQueue<Id128> uncertain = new ConcurrentLinkedQueue<>();
  private final ConcurrentLinkedQueue<Throwable> unexpected = new ConcurrentLinkedQueue<>();
  private final AtomicLongArray answers = new AtomicLongArray(CALLERS);

  @Test
  void aFrozenDatabaseCostsTimeAndNothingElse() throws Exception {
    try (TestServer server = TestServer.embedded();
        TestCluster cluster = TestCluster.of(1).on(TestPostgres.on(server)).start()) {
      final LedgerClient client = cluster.embeddedClient(0);
      final LedgerTalk talk = new LedgerTalk(client);
      final List<Id128> accounts = new ArrayList<>();
      for (int i = 0; i < ACCOUNTS; i++) {
        accounts.add(talk.account(1));
      }
      final List<Long> processes = processesOf(cluster.postgres());
      final AtomicBoolean stop = new AtomicBoolean();
      final List<Thread> callers = new ArrayList<>();
      for (int i = 0; i < CALLERS; i++) {
        final int caller = i;
        final Thread thread = new Thread(() -> depositUntil(stop, client, accounts, caller));
        thread.start();
        callers.add(thread);
      }
      try {
        everyCallerIsAnswered("before", TestCluster.PATIENCE);
        final long memoryBefore = usedMemory();

        signal("-STOP", processes);
        final Waiting waiting = watch(cluster.node(0), AWAY);
        final long memoryAway = usedMemory();
        signal("-CONT", processes);

        assertThat(waiting.committer())
            .as("callers waiting for a lane")
            .isBetween(1L, (long) CALLERS);
        assertThat(waiting.stores()).as("stores queued in the grid").isLessThanOrEqualTo(CALLERS);
        assertThat(waiting.operations())
            .as("operations queued in the grid")
            .isLessThanOrEqualTo(2L * CALLERS);
        assertThat(memoryAway - memoryBefore).as("heap held").isLessThan(MEMORY_BYTES);
        everyCallerIsAnswered("after", TestCluster.PATIENCE);
      } finally {
        signal("-CONT", processes);
        stop.set(true);
        for (final Thread caller : callers) {
          caller.join();
        }
      }

      assertThat(unexpected).isEmpty();
      cluster.awaitReady();
      booksAgree(cluster.postgres(), accounts);
    }
  }

  /** One deposit after the other, each under an id of its own. */
  private void depositUntil(
      AtomicBoolean stop, LedgerClient client, List<Id128> accounts, int caller) {
    final Id128 account = accounts.get(caller % ACCOUNTS);
    while (!stop.get()) {
      final Id128 id = LedgerTalk.id();
      try {
        final Outcome outcome =
            client
                .submit(account, new LedgerCommand.Deposit(id, 1))
                .toCompletableFuture()
                .join()
                .outcome();
        if (outcome instanceof Outcome.Funded) {
          acknowledged.add(id);
          answers.incrementAndGet(caller);
        } else {
          failedForSure.add(id);
        }
      } catch (CompletionException e) {
        if (e.getCause() instanceof LedgerCallException call) {
          (call.mayHaveHappened() ? uncertain : failedForSure).add(id);
        } else {
          unexpected.add(e);
        }
      } catch (RuntimeException e) {
        unexpected.add(e);
      }
    }
  }

  private void everyCallerIsAnswered(String when, Duration patience) {
    final long[] seen = new long[CALLERS];
    for (int i = 0; i < CALLERS; i++) {
      seen[i] = answers.get(i);
    }
    Eventually.until(
        "every caller is answered " + when,
        patience,
        () -> {
          for (int i = 0; i < CALLERS; i++) {
            if (answers.get(i) - seen[i] < 2) {
              return false;
            }
          }
          return true;
        });
  }

  /** The most that ever waited. */
  private record Waiting(long committer, long stores, long operations) {
    Waiting with(Waiting other) {
      return new Waiting(
          Math.max(committer, other.committer),
          Math.max(stores, other.stores),
          Math.max(operations, other.operations));
    }
  }

  private static Waiting watch(TollgridNode node, Duration how) {
    final NodeEngineImpl engine =
        ((HazelcastInstanceProxy) node.hazelcast()).getOriginal().node.getNodeEngine();
    final long until = System.nanoTime() + how.toNanos();
    Waiting most = new Waiting(0, 0, 0);
    while (System.nanoTime() < until) {
      most =
          most.with(
              new Waiting(
                  (long)
                      node.metrics().get("tollgrid.committer.waiting").gauges().stream()
                          .mapToDouble(gauge -> gauge.value())
                          .sum(),
                  engine
                      .getExecutionService()
                      .getExecutor(ExecutionService.MAP_STORE_OFFLOADABLE_EXECUTOR)
                      .getQueueSize(),
                  engine.getOperationService().getOperationExecutor().getQueueSize()));
      LockSupport.parkNanos(50_000_000L);
    }
    return most;
  }

  private void booksAgree(TestPostgres postgres, List<Id128> accounts) throws SQLException {
    final List<String> stored = postgres.query("SELECT replace(id::text, '-', '') FROM command");
    final Set<String> once = new HashSet<>(stored);
    assertThat(stored).as("no command is stored twice").hasSize(once.size());
    assertThat(once).containsAll(acknowledged.stream().map(Id128::toHex).toList());
    assertThat(once).doesNotContainAnyElementsOf(failedForSure.stream().map(Id128::toHex).toList());
    assertThat(
            postgres.query(
                "SELECT command_id::text FROM journal WHERE command_id IS NOT NULL"
                    + " GROUP BY command_id HAVING count(*) > 1"))
        .as("no command is in the journal twice")
        .isEmpty();
    final long deposits = (long) once.size() - accounts.size();
    assertThat(postgres.number("SELECT sum(deposited) FROM account")).isEqualTo(deposits);
    assertThat(deposits)
        .as("the accounts' first deposits, what was acknowledged, and some of what was uncertain")
        .isBetween(
            (long) accounts.size() + acknowledged.size(),
            (long) accounts.size() + acknowledged.size() + uncertain.size());
    assertThat(
            postgres.number(
                "SELECT count(*) FROM account WHERE deposited + overage <> allowance + top_up"
                    + " + outstanding + billed + loss_resident + loss_archived + expired"))
        .isZero();
  }

  private static long usedMemory() {
    final Runtime runtime = Runtime.getRuntime();
    long least = Long.MAX_VALUE;
    for (int i = 0; i < 3; i++) {
      System.gc();
      least = Math.min(least, runtime.totalMemory() - runtime.freeMemory());
    }
    return least;
  }

  /** The server that this test started: its postmaster, and with it all that it forked. */
  private static List<Long> processesOf(TestPostgres postgres) throws SQLException {
    return List.of(
        Long.parseLong(
            postgres
                .query("SELECT pg_read_file('postmaster.pid')")
                .get(0)
                .lines()
                .findFirst()
                .orElseThrow()
                .strip()));
  }

  private static void signal(String signal, List<Long> servers)
      throws IOException, InterruptedException {
    final List<String> command = new ArrayList<>(List.of("kill", signal));
    for (final long server : servers) {
      ProcessHandle.of(server).stream()
          .flatMap(process -> Stream.concat(Stream.of(process), process.descendants()))
          .forEach(process -> command.add(Long.toString(process.pid())));
    }
    // A backend may end between the listing and the signal: only the server itself must be there.
    new ProcessBuilder(command).redirectErrorStream(true).start().waitFor();
  }
}
