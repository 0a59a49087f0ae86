package io.tollgrid.node.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hazelcast.client.HazelcastClient;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import io.tollgrid.admission.denial.Denial;
import io.tollgrid.admission.plan.Operation;
import io.tollgrid.admission.request.AdmissionRequest;
import io.tollgrid.client.GridUnreachableException;
import io.tollgrid.client.InstanceConfig;
import io.tollgrid.client.InstanceConfig.Mode;
import io.tollgrid.client.InstanceRuntime;
import io.tollgrid.client.ShutdownReport;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.policy.MeterPrice;
import io.tollgrid.ledger.policy.OperationPrice;
import io.tollgrid.ledger.policy.Plan;
import io.tollgrid.ledger.policy.PrincipalSnapshot;
import io.tollgrid.node.config.NodeConfig;
import io.tollgrid.node.local.FreePorts;
import io.tollgrid.node.policy.Publications;
import io.tollgrid.node.testing.Eventually;
import io.tollgrid.node.testing.LedgerTalk;
import io.tollgrid.node.testing.TestCluster;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Witnesses, for a service that connects as configured, R41 (one shutdown, which leaves the grid
 * too) and that a grid that is not there is said to be missing in bounded time (R40).
 */
class ConnectTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static TestCluster cluster;

  @BeforeAll
  static void start() {
    cluster = TestCluster.of(1).start();
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  @ParameterizedTest
  @EnumSource(Mode.class)
  void aServiceThatConnectsIsServedAndLeavesNothingBehind(Mode mode) throws Exception {
    final Id128 account = new LedgerTalk(cluster.embeddedClient(0)).account(1_000);
    final Id128 principal = principalOf(account);
    final Set<HazelcastInstance> before = grids();

    final InstanceRuntime tollgrid = InstanceRuntime.connect(here(mode, principal).build());
    Eventually.until("ready", PATIENCE, () -> tollgrid.readiness().isReady());
    serve(tollgrid, principal);
    final boolean recorded = tollgrid.flush(PATIENCE);
    final ShutdownReport report = tollgrid.shutdown(PATIENCE);

    assertThat(recorded).isTrue();
    assertThat(report.isClean()).as(report.toString()).isTrue();
    assertThat(tollgrid.readiness().isReady()).isFalse();
    assertThat(billed(account)).isEqualTo(5);
    Eventually.until("nothing of it runs", PATIENCE, () -> grids().equals(before));
    Eventually.until("its threads are gone", PATIENCE, () -> instanceThreads().isEmpty());
    Eventually.until(
        "the member is alone again",
        PATIENCE,
        () ->
            cluster.node(0).hazelcast().getCluster().getMembers().size() == 1
                && cluster.node(0).hazelcast().getClientService().getConnectedClients().isEmpty());
  }

  /** The first connection is bounded in time; a later absence is not. */
  @Test
  void aServiceOutlivesAClusterThatIsAwayForLongerThanItWouldHaveWaitedAtFirst() throws Exception {
    final Id128 account = new LedgerTalk(cluster.embeddedClient(0)).account(1_000);
    final Id128 principal = principalOf(account);
    final InstanceRuntime tollgrid =
        InstanceRuntime.connect(
            here(Mode.CLIENT, principal).connectTimeout(Duration.ofSeconds(2)).build());
    serve(tollgrid, principal);

    cluster.stop(0);
    Thread.sleep(3_000); // the absence itself is what this is about
    cluster.startMember(0);
    cluster.awaitReady();
    serve(tollgrid, principal);
    final boolean recorded = tollgrid.flush(PATIENCE);
    final ShutdownReport report = tollgrid.shutdown(PATIENCE);

    assertThat(recorded).isTrue();
    assertThat(report.isClean()).as(report.toString()).isTrue();
    assertThat(billed(account)).isEqualTo(10);
  }

  private static Id128 principalOf(Id128 account) throws SQLException {
    final Id128 principal = LedgerTalk.id();
    final Publications publications = cluster.node(0).publications();
    publications.publish(
        Plan.open("chat", OperationPrice.of("completion", MeterPrice.perItem("llm.tokens"))));
    publications.publish(PrincipalSnapshot.of(principal, "chat", account));
    return principal;
  }

  private static InstanceConfig.Builder here(Mode mode, Id128 principal) {
    final NodeConfig.Cluster there = cluster.config(0).cluster();
    return InstanceConfig.builder()
        .clusterName(there.name())
        .addresses("127.0.0.1:" + there.member().port())
        .set("cluster.port", FreePorts.take(1).get(0).toString())
        .mode(mode)
        .tracked(principal);
  }

  private static void serve(InstanceRuntime tollgrid, Id128 principal) {
    final Operation completion = tollgrid.operation("completion");
    final AdmissionRequest request = tollgrid.newRequest();
    final AtomicReference<Denial> denied = new AtomicReference<>();
    Eventually.until(
        "admitted, not " + denied,
        PATIENCE,
        () -> {
          final long now = tollgrid.clock().nowNanos();
          Denial denial = request.begin(principal, now);
          if (denial == null) {
            denial = request.admit(completion, 7, now);
          }
          if (denial == null) {
            denial = request.start(now);
          }
          denied.set(denial);
          return denial == null;
        });
    request.settle(5, tollgrid.clock().nowNanos());
    request.close();
  }

  private static long billed(Id128 account) throws SQLException {
    return cluster.postgres().number("SELECT billed FROM account WHERE id = '" + account + "'");
  }

  @ParameterizedTest
  @EnumSource(Mode.class)
  void aGridThatIsNotThereIsSaidToBeMissingInTime(Mode mode) {
    final Set<HazelcastInstance> before = grids();
    final InstanceConfig config =
        InstanceConfig.builder()
            .clusterName("nowhere")
            .addresses("127.0.0.1:" + FreePorts.take(1).get(0))
            .set("cluster.port", FreePorts.take(1).get(0).toString())
            .mode(mode)
            .connectTimeout(Duration.ofSeconds(2))
            .build();

    final long startNanos = System.nanoTime();
    assertThatThrownBy(() -> InstanceRuntime.connect(config))
        .isInstanceOf(GridUnreachableException.class)
        .hasMessageContaining("the cluster \"nowhere\" did not answer at 127.0.0.1:")
        .hasMessageContaining("within 2s")
        .satisfies(e -> assertThat(e.getMessage().lines()).hasSize(1));

    assertThat(Duration.ofNanos(System.nanoTime() - startNanos)).isLessThan(PATIENCE);
    assertThat(grids()).isEqualTo(before);
    assertThat(instanceThreads()).isEmpty();
  }

  @Test
  void aLiteMemberWhosePortIsTakenSaysSo() {
    final int taken = cluster.config(0).cluster().member().port();
    final Set<HazelcastInstance> before = grids();
    final InstanceConfig config =
        InstanceConfig.builder()
            .addresses("127.0.0.1:" + taken)
            .set("cluster.port", Integer.toString(taken))
            .mode(Mode.LITE)
            .build();

    assertThatThrownBy(() -> InstanceRuntime.connect(config))
        .isInstanceOf(GridUnreachableException.class)
        .hasMessageContaining("could not be entered")
        .hasMessageContaining(Integer.toString(taken))
        .satisfies(e -> assertThat(e.getMessage().lines()).hasSize(1));

    assertThat(grids()).isEqualTo(before);
  }

  private static Set<HazelcastInstance> grids() {
    return Stream.concat(
            Hazelcast.getAllHazelcastInstances().stream(),
            HazelcastClient.getAllHazelcastClients().stream())
        .collect(Collectors.toSet());
  }

  private static Set<String> instanceThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> name.startsWith("tollgrid-instance"))
        .collect(Collectors.toSet());
  }
}
