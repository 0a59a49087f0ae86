package io.tollgrid.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hazelcast.jet.JetService;
import com.hazelcast.jet.core.JobStatus;
import io.tollgrid.client.config.ConfigException;
import io.tollgrid.ledger.Id128;
import io.tollgrid.node.testing.Eventually;
import io.tollgrid.node.testing.LedgerTalk;
import io.tollgrid.node.testing.TestCluster;
import io.tollgrid.pipelines.Build;
import io.tollgrid.pipelines.sweep.Sweep;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Witnesses that clusters of two and three members serve ledgers, that two of three do at a cold
 * start (R39: readiness needs no CP), that fences outlive members, CP and whole clusters, and that
 * jobs run again after each of these.
 */
@Tag("slow")
class ClusterTest {
  private static final int ACCOUNTS = 12;

  @Test
  void threeMembersServeAndGoOnWithoutOneAndAfterAFullRestart() throws Exception {
    try (TestCluster cluster = TestCluster.of(3).start()) {
      final LedgerTalk remote = new LedgerTalk(cluster.remoteClient());
      final List<Id128> accounts = accounts(remote);
      everyoneIsServed(new LedgerTalk(cluster.embeddedClient(1)), accounts);
      Eventually.until(
          "CP",
          TestCluster.PATIENCE,
          () -> cluster.node(0).readiness().counts().get("cp").equals("answers"));
      final Map<Integer, Long> before = fences(cluster);

      cluster.kill(2);
      everyoneIsServed(remote, accounts);
      cluster.awaitReady();
      assertNoFenceWentBack(before, fences(cluster));
      jobsRun(cluster);

      final Map<Integer, Long> beforeRestart = fences(cluster);
      cluster.kill(0);
      cluster.kill(1);
      cluster.startMembers(3);
      everyoneIsServed(new LedgerTalk(cluster.remoteClient()), accounts);
      final Map<Integer, Long> afterRestart = fences(cluster);
      assertNoFenceWentBack(beforeRestart, afterRestart);
      assertThat(afterRestart).isNotEqualTo(beforeRestart);
      jobsRun(cluster);

      // In order, and well before the deadline that would turn it into a crash.
      cluster.stop(1);
      everyoneIsServed(new LedgerTalk(cluster.embeddedClient(0)), accounts);
      jobsRun(cluster);
      assertThat(balanced(cluster)).isTrue();
    }
  }

  @Test
  void twoOfThreeServeAtAColdStart() {
    try (TestCluster cluster = TestCluster.of(3).build()) {
      cluster.startMembers(2);

      everyoneIsServed(
          new LedgerTalk(cluster.embeddedClient(0)),
          accounts(new LedgerTalk(cluster.remoteClient())));

      assertThat(cluster.node(0).readiness().counts()).containsEntry("cp", "does not answer");
    }
  }

  @Test
  void twoMembersServeAndOneOfTwoServesNothing() {
    try (TestCluster cluster = TestCluster.of(2).start()) {
      final LedgerTalk talk = new LedgerTalk(cluster.embeddedClient(0));
      everyoneIsServed(talk, accounts(talk));

      cluster.kill(1);

      Eventually.until("not ready", TestCluster.PATIENCE, () -> !cluster.node(0).ready());
      assertThat(cluster.node(0).readiness().reasons())
          .anyMatch(reason -> reason.contains("ledgers need 2"));
    }
  }

  @Test
  void aMemberWithOtherBoundsDoesNotStart() {
    try (TestCluster cluster = TestCluster.of(2).build()) {
      cluster.startMember(0);
      cluster.set("ledger.grace", "30s");

      assertThatThrownBy(() -> cluster.startMember(1))
          .isInstanceOf(ConfigException.class)
          .hasMessageStartingWith("ledger: differs");
    }
  }

  private static void jobsRun(TestCluster cluster) {
    final JetService jet = cluster.node(0).hazelcast().getJet();
    for (final Sweep sweep : Sweep.values()) {
      final String job = "tollgrid-" + sweep.label() + "@" + Build.current();
      Eventually.until(
          job + " runs",
          TestCluster.PATIENCE,
          () -> jet.getJob(job).getStatus() == JobStatus.RUNNING);
    }
  }

  private static List<Id128> accounts(LedgerTalk talk) {
    final List<Id128> accounts = new ArrayList<>();
    for (int i = 0; i < ACCOUNTS; i++) {
      accounts.add(talk.account(1_000));
    }
    return accounts;
  }

  private static void everyoneIsServed(LedgerTalk talk, List<Id128> accounts) {
    for (final Id128 account : accounts) {
      assertThat(talk.acquire(account, 10).units()).isEqualTo(10);
    }
  }

  private static Map<Integer, Long> fences(TestCluster cluster) throws SQLException {
    final Map<Integer, Long> fences = new HashMap<>();
    for (final String row :
        cluster.postgres().query("SELECT id || ':' || fence FROM ledger_partition")) {
      final String[] columns = row.split(":", 2);
      fences.put(Integer.valueOf(columns[0]), Long.valueOf(columns[1]));
    }
    return fences;
  }

  private static void assertNoFenceWentBack(Map<Integer, Long> before, Map<Integer, Long> after) {
    assertThat(after).hasSameSizeAs(before);
    after.forEach(
        (partition, fence) ->
            assertThat(fence)
                .as("partition " + partition)
                .isGreaterThanOrEqualTo(before.get(partition)));
  }

  private static boolean balanced(TestCluster cluster) throws SQLException {
    return cluster
            .postgres()
            .number(
                "SELECT count(*) FROM account WHERE deposited + overage"
                    + " <> allowance + top_up + outstanding + billed + loss_resident + loss_archived + expired")
        == 0;
  }
}
