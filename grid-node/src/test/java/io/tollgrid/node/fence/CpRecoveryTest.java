package io.tollgrid.node.fence;

import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.cluster.Address;
import com.hazelcast.cp.CPMember;
import io.tollgrid.ledger.Id128;
import io.tollgrid.node.TollgridNode;
import io.tollgrid.node.testing.Eventually;
import io.tollgrid.node.testing.LedgerTalk;
import io.tollgrid.node.testing.TestCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Witnesses, on real members, that ledgers go on without CP and that CP comes back by itself
 * (architecture §3.4): a majority of it lost for ever, and a member restarted at its old address.
 */
@Tag("slow")
class CpRecoveryTest {
  private static final Duration PATIENCE = Duration.ofMinutes(4);

  @Test
  void fiveMembersLoseTwoOfThreeCpMembersAndGoOnUntilCpIsWholeAgain() throws Exception {
    try (TestCluster cluster =
        TestCluster.of(5)
            .set("fences.cpAutoRemoval", "10s")
            .set("fences.cpResetAfter", "10s")
            .set("fences.repairInterval", "1s")
            .start()) {
      final LedgerTalk talk = new LedgerTalk(cluster.remoteClient());
      final List<Id128> accounts = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        accounts.add(talk.account(1_000_000));
      }
      Eventually.until("a whole CP", PATIENCE, () -> cpAddresses(cluster.node(0)).size() == 3);
      final Set<Address> before = cpAddresses(cluster.node(0));

      int killed = 0;
      for (int i = 0; i < 5 && killed < 2; i++) {
        if (before.contains(
            cluster.node(i).hazelcast().getCluster().getLocalMember().getAddress())) {
          cluster.kill(i);
          killed++;
        }
      }

      assertThat(killed).isEqualTo(2);
      for (final Id128 account : accounts) {
        assertThat(talk.acquire(account, 10).units()).isEqualTo(10);
      }
      for (final TollgridNode node : cluster.running()) {
        Eventually.until(
            "a whole CP, seen by every member",
            PATIENCE,
            () ->
                cpAddresses(node).size() == 3
                    && node.readiness().counts().get("cp").equals("answers"));
      }
      for (final TollgridNode node : cluster.running()) {
        assertThat(node.alive()).isTrue();
      }
      for (final Id128 account : accounts) {
        assertThat(talk.acquire(account, 10).units()).isEqualTo(10);
      }
    }
  }

  @Test
  void aMemberRestartedAtItsAddressTakesItsOwnPlaceInCp() throws Exception {
    try (TestCluster cluster = TestCluster.of(3).set("fences.repairInterval", "1s").start()) {
      Eventually.until("a whole CP", PATIENCE, () -> cpAddresses(cluster.node(0)).size() == 3);
      final LedgerTalk talk = new LedgerTalk(cluster.embeddedClient(0));
      final Id128 account = talk.account(1_000);

      cluster.kill(2);
      assertThat(talk.acquire(account, 10).units()).isEqualTo(10);
      cluster.startMember(2);
      cluster.awaitReady();

      // Long before the automatic removal, after 90 s, would even begin.
      Eventually.until(
          "its own place",
          Duration.ofSeconds(80),
          () ->
              cpAddresses(cluster.node(0)).size() == 3
                  && new HazelcastCpGroup(cluster.node(2).hazelcast()).localId().isPresent());
      assertThat(talk.acquire(account, 10).units()).isEqualTo(10);
    }
  }

  private static Set<Address> cpAddresses(TollgridNode node) throws Exception {
    final Set<Address> addresses = new HashSet<>();
    for (final CPMember member :
        node.hazelcast()
            .getCPSubsystem()
            .getCPSubsystemManagementService()
            .getCPMembers()
            .toCompletableFuture()
            .get(3, TimeUnit.SECONDS)) {
      addresses.add(member.getAddress());
    }
    return addresses;
  }
}
