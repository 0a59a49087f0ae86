package io.tollgrid.node;

import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.cp.CPMember;
import com.hazelcast.cp.CPSubsystemManagementService;
import io.tollgrid.ledger.Id128;
import io.tollgrid.node.testing.Eventually;
import io.tollgrid.node.testing.LedgerTalk;
import io.tollgrid.node.testing.TestCluster;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Witnesses that a cluster which keeps its own majority outlives the loss of CP's (architecture
 * §3.4): grants go on under fences that PostgreSQL issues, and CP repairs itself.
 */
@Tag("slow")
@Timeout(600)
class CpRecoveryTest {
  private static final int MEMBERS = 5;
  private static final int ACCOUNTS = 8;

  @Test
  void twoOfThreeCpMembersDieAtOnceAndTheOthersFormCpAnew() throws Exception {
    try (TestCluster cluster = start()) {
      final List<Integer> cpMembers = cpMembers(cluster);
      final LedgerTalk talk = new LedgerTalk(cluster.remoteClient());
      final List<Id128> accounts = accounts(talk);

      cluster.kill(cpMembers.get(0));
      cluster.kill(cpMembers.get(1));

      everyoneIsServed(talk, accounts);
      awaitWholeCp(cluster);
      everyoneIsServed(talk, accounts);
      Eventually.until(
          "fences come from CP again",
          TestCluster.PATIENCE,
          () -> cluster.running().stream().allMatch(CpRecoveryTest::cpAnswers));
    }
  }

  @Test
  void aCpThatWasResetIsCompletedByMembersThatComeBackAndSurvivesTheNextLoss() throws Exception {
    try (TestCluster cluster = start()) {
      final List<Integer> first = cpMembers(cluster).subList(0, 2);
      first.forEach(cluster::kill);
      awaitWholeCp(cluster);
      first.forEach(cluster::startMember);
      cluster.awaitReady();

      final List<Integer> second = cpMembers(cluster).subList(1, 3);
      second.forEach(cluster::kill);

      awaitWholeCp(cluster);
      final LedgerTalk talk = new LedgerTalk(cluster.embeddedClient(first.get(0)));
      everyoneIsServed(talk, accounts(talk));
    }
  }

  /** One member after the other: a busy machine starts five sooner that way. */
  private static TestCluster start() {
    final TestCluster cluster =
        TestCluster.of(MEMBERS)
            .set("cluster.heartbeatTimeout", "5s")
            .set("fences.cpAutoRemoval", "5s")
            .set("fences.cpResetAfter", "5s")
            .set("fences.repairInterval", "500ms")
            .build();
    try {
      for (int member = 0; member < MEMBERS; member++) {
        cluster.startMember(member);
      }
      cluster.awaitReady();
      awaitWholeCp(cluster);
      return cluster;
    } catch (RuntimeException | Error e) {
      cluster.close();
      throw e;
    }
  }

  /** Three members take themselves for CP members, and CP names those three and nobody else. */
  private static void awaitWholeCp(TestCluster cluster) {
    Eventually.until(
        "CP has three members",
        TestCluster.PATIENCE,
        () -> {
          final Set<UUID> local = new HashSet<>();
          for (final TollgridNode node : cluster.running()) {
            final CPMember self = management(node).getLocalCPMember();
            if (self != null) {
              local.add(self.getUuid());
            }
          }
          final Set<UUID> listed = new HashSet<>();
          for (final CPMember member : listed(cluster.running().get(0))) {
            listed.add(member.getUuid());
          }
          return listed.size() == 3 && listed.equals(local);
        });
  }

  private static Collection<CPMember> listed(TollgridNode node) throws Exception {
    return management(node).getCPMembers().toCompletableFuture().get(2, TimeUnit.SECONDS);
  }

  private static CPSubsystemManagementService management(TollgridNode node) {
    return node.hazelcast().getCPSubsystem().getCPSubsystemManagementService();
  }

  private static List<Integer> cpMembers(TestCluster cluster) {
    final List<Integer> members = new ArrayList<>();
    for (int member = 0; member < MEMBERS; member++) {
      if (management(cluster.node(member)).getLocalCPMember() != null) {
        members.add(member);
      }
    }
    assertThat(members).hasSize(3);
    return members;
  }

  private static boolean cpAnswers(TollgridNode node) {
    return "answers".equals(node.readiness().counts().get("cp"));
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
}
