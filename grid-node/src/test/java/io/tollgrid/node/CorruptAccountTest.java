package io.tollgrid.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tollgrid.grid.GridNames;
import io.tollgrid.grid.LedgerCallException;
import io.tollgrid.grid.LedgerClient;
import io.tollgrid.ledger.AccountStatus;
import io.tollgrid.ledger.AccountTerms;
import io.tollgrid.ledger.CapacityClass;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.LedgerCode;
import io.tollgrid.ledger.LedgerCommand;
import io.tollgrid.ledger.LedgerEntry;
import io.tollgrid.ledger.Outcome;
import io.tollgrid.node.testing.LedgerTalk;
import io.tollgrid.node.testing.TestCluster;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Witnesses R10 and R7 through the grid: an account whose leases do not add up is found when it is
 * loaded, answers CORRUPT, and is left as it is; its neighbours in the same partition and the same
 * batches are served.
 */
@Timeout(300)
class CorruptAccountTest {
  private static final int NEIGHBOURS = 8;

  private static TestCluster cluster;
  private static LedgerClient client;
  private static LedgerTalk talk;

  @BeforeAll
  static void start() {
    cluster = TestCluster.of(1).start();
    client = cluster.remoteClient();
    talk = new LedgerTalk(client);
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  @Test
  void itIsFoundAtLoadAloneAndStaysAsItIs() throws Exception {
    final Id128 corrupt = talk.account(1_000);
    talk.acquire(corrupt, 100);
    final List<Id128> neighbours = neighboursOf(corrupt);
    cluster
        .postgres()
        .execute("UPDATE lease SET billed = billed + 1 WHERE account = '" + corrupt.toUuid() + "'");
    final List<String> before = everything(corrupt);
    forget(corrupt);
    neighbours.forEach(CorruptAccountTest::forget);

    // All at once, so that they share the loader's and the committer's batches.
    final List<CompletableFuture<Outcome>> served = new ArrayList<>();
    final List<CompletableFuture<Outcome>> refused = new ArrayList<>();
    for (int round = 0; round < 3; round++) {
      refused.add(deposit(corrupt));
      for (final Id128 neighbour : neighbours) {
        served.add(deposit(neighbour));
      }
    }

    for (final CompletableFuture<Outcome> command : served) {
      assertThat(command.join()).isInstanceOf(Outcome.Funded.class);
    }
    for (final CompletableFuture<Outcome> command : refused) {
      assertThatThrownBy(command::join)
          .isInstanceOf(CompletionException.class)
          .cause()
          .isInstanceOfSatisfying(
              LedgerCallException.class, e -> assertThat(e.code()).isEqualTo(LedgerCode.CORRUPT));
    }
    assertThat(everything(corrupt)).isEqualTo(before);
    assertThat(cluster.node(0).ready()).as("one account does not take the node down").isTrue();
  }

  /** Accounts in the same partition of the grid. */
  private static List<Id128> neighboursOf(Id128 account) {
    final var partitions = cluster.remote().getPartitionService();
    final int partition = partitions.getPartition(GridNames.ledgerKey(account)).getPartitionId();
    final List<Id128> neighbours = new ArrayList<>();
    while (neighbours.size() < NEIGHBOURS) {
      final Id128 candidate = LedgerTalk.id();
      if (partitions.getPartition(GridNames.ledgerKey(candidate)).getPartitionId() == partition) {
        talk.ask(
            candidate,
            new LedgerCommand.Create(
                LedgerTalk.id(),
                AccountStatus.ACTIVE,
                CapacityClass.BEST_EFFORT,
                AccountTerms.STRICT));
        neighbours.add(candidate);
      }
    }
    return neighbours;
  }

  private static void forget(Id128 account) {
    cluster
        .node(0)
        .hazelcast()
        .<String, LedgerEntry>getMap(GridNames.LEDGERS)
        .evict(GridNames.ledgerKey(account));
  }

  private static CompletableFuture<Outcome> deposit(Id128 account) {
    return client
        .submit(account, new LedgerCommand.Deposit(LedgerTalk.id(), 1))
        .toCompletableFuture()
        .thenApply(answer -> answer.outcome());
  }

  /** Every stored byte of an account, and which transaction wrote it. */
  private static List<String> everything(Id128 account) throws SQLException {
    final List<String> rows = new ArrayList<>();
    for (final String table : List.of("lease", "journal", "command", "deposit")) {
      rows.addAll(
          cluster
              .postgres()
              .query(
                  "SELECT t.xmin::text || ' ' || t::text FROM "
                      + table
                      + " t WHERE account = '"
                      + account.toUuid()
                      + "' ORDER BY 1"));
    }
    rows.addAll(
        cluster
            .postgres()
            .query(
                "SELECT t.xmin::text || ' ' || t::text FROM account t WHERE id = '"
                    + account.toUuid()
                    + "'"));
    assertThat(rows).hasSizeGreaterThan(5);
    return rows;
  }
}
