package io.tollgrid.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.hazelcast.client.HazelcastClient;
import com.hazelcast.client.config.ClientConfig;
import com.hazelcast.client.impl.clientside.HazelcastClientProxy;
import com.hazelcast.client.impl.protocol.codec.MCRunScriptCodec;
import com.hazelcast.client.impl.spi.impl.ClientInvocation;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.jet.config.JobConfig;
import com.hazelcast.jet.pipeline.Pipeline;
import com.hazelcast.jet.pipeline.Sinks;
import com.hazelcast.jet.pipeline.test.TestSources;
import com.hazelcast.map.IMap;
import io.tollgrid.grid.GridNames;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.LedgerEntry;
import io.tollgrid.ledger.Outcome;
import io.tollgrid.node.testing.Eventually;
import io.tollgrid.node.testing.LedgerTalk;
import io.tollgrid.node.testing.TestCluster;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Witnesses one running node: it serves ledgers, shows them in SQL, says what it is (R39), and
 * refuses what a process on its network should not be able to do (architecture §7, R45).
 */
class SingleNodeTest {
  private static TestCluster cluster;
  private static HazelcastInstance remote;

  @BeforeAll
  static void start() {
    // What lies behind the gate: a client that passes it whole is refused all the same.
    cluster = TestCluster.of(1).set("cluster.unrestrictedClients", "127.0.0.1").start();
    remote = cluster.remote();
    // The mapping is made in the background, so that no node waits for it.
    Eventually.until(
        "the ledgers are a table",
        Duration.ofSeconds(20),
        () -> sql("SELECT count(*) FROM ledgers").size() == 1);
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  @Test
  void ledgersAreServedAndShownInSql() {
    final LedgerTalk talk = new LedgerTalk(cluster.remoteClient());
    final Id128 account = talk.account(1_000);
    final Outcome.Granted lease = talk.acquire(account, 100);
    assertThat(lease.units()).isEqualTo(100);

    assertThat(
            sql("SELECT __key, top_up, outstanding FROM ledgers WHERE __key = '" + account + "'"))
        .containsExactly(account + " 900 100");
    assertThat(sql("SELECT top_up, outstanding, status FROM ledgers WHERE outstanding = 100"))
        .contains("900 100 ACTIVE");
    talk.release(account, lease);
  }

  @Test
  void aReadyNodeSaysSoWithItsCounts() throws Exception {
    final HttpResponse<String> ready = get("/readyz");
    final JsonNode body = new ObjectMapper().readTree(ready.body());

    assertThat(ready.statusCode()).isEqualTo(200);
    assertThat(body.get("ready").booleanValue()).isTrue();
    assertThat(body.get("reasons")).isEmpty();
    assertThat(body.get("partitionsOwned").intValue()).isEqualTo(1_009);
    assertThat(body.get("fencesHeld").intValue()).isEqualTo(1_009);
    assertThat(body.get("database").textValue()).isEqualTo("answers");
    assertThat(get("/livez").statusCode()).isEqualTo(200);
    assertThat(get("/nothing").statusCode()).isEqualTo(404);
    assertThat(
            send(HttpRequest.newBuilder(uri("/readyz"))
                    .POST(HttpRequest.BodyPublishers.ofString("{}"))
                    .build())
                .statusCode())
        .isEqualTo(405);
  }

  @Test
  void metricsNameEveryPartThatCounts() throws Exception {
    final HttpResponse<String> metrics = get("/metrics");

    assertThat(metrics.statusCode()).isEqualTo(200);
    assertThat(metrics.body())
        .contains("tollgrid_fences_held 1009.0")
        .contains("tollgrid_fences_takeovers_total 1009.0")
        .contains("tollgrid_fences_issued_total{source=\"cp\"}")
        .contains("tollgrid_committer_")
        .contains("tollgrid_database_reachable 1.0")
        .contains("tollgrid_clock_ahead_seconds")
        .contains("tollgrid_grid_members 1.0")
        .contains("tollgrid_ledgers_resident")
        .contains("hikaricp_connections_active{pool=\"tollgrid-loads\"}")
        .contains("tollgrid_job_running{job=\"reclaim\"}")
        .contains("tollgrid_sweep_lag_seconds{sweep=\"rollover\"}")
        .contains("tollgrid_alarm{name=\"SWEEP_LAGGING\"} 0.0")
        .contains("jvm_memory_used_bytes");
  }

  @Test
  void aValueThatDoesNotComeFromACommandIsRefused() {
    final LedgerTalk talk = new LedgerTalk(cluster.embeddedClient(0));
    final Id128 account = talk.account(1_000);
    final IMap<String, LedgerEntry> ledgers = remote.getMap(GridNames.LEDGERS);
    final LedgerEntry entry = ledgers.get(account.toHex());

    assertThatThrownBy(() -> ledgers.put(account.toHex(), entry))
        .hasMessageContaining("changes by commands only");
    assertThatThrownBy(() -> ledgers.delete(account.toHex())).hasMessageContaining("never deleted");
    assertThatThrownBy(() -> sql("DELETE FROM ledgers WHERE __key = '" + account + "'"))
        .hasStackTraceContaining("never deleted");
    assertThat(talk.acquire(account, 10).units()).isEqualTo(10);
  }

  @Test
  void javaSerializedObjectsAreNotDeserialized() {
    System.clearProperty(HostileProcessor.DESERIALIZED);

    assertThatThrownBy(
            () -> remote.<String, String>getMap("other").executeOnKey("k", new HostileProcessor()))
        .hasStackTraceContaining("is not allowed")
        .hasStackTraceContaining(HostileProcessor.class.getName());

    assertThat(System.getProperty(HostileProcessor.DESERIALIZED)).isNull();
  }

  @Test
  void noClientBringsCode() {
    final ClientConfig config = new ClientConfig();
    config.setClusterName(cluster.config(0).cluster().name());
    config.setProperty("hazelcast.logging.type", "none");
    config
        .getNetworkConfig()
        .addAddress("127.0.0.1:" + cluster.config(0).cluster().member().port());
    config
        .getConnectionStrategyConfig()
        .getConnectionRetryConfig()
        .setClusterConnectTimeoutMillis(5_000);
    config.getUserCodeDeploymentConfig().setEnabled(true).addClass(HostileProcessor.class);

    assertThatThrownBy(() -> HazelcastClient.newHazelcastClient(config))
        .hasStackTraceContaining("User Code Deployment is not enabled");
    final Pipeline pipeline = Pipeline.create();
    pipeline.readFrom(TestSources.items(1)).writeTo(Sinks.noop());
    assertThatThrownBy(
            () ->
                remote.getJet().newJob(pipeline, new JobConfig().addClass(HostileProcessor.class)))
        .hasStackTraceContaining("is not allowed");
    assertThat(cluster.node(0).hazelcast().getConfig().getJetConfig().isResourceUploadEnabled())
        .isFalse();
  }

  @Test
  void scriptsAreNotRun() {
    final var client = ((HazelcastClientProxy) remote).client;

    assertThatThrownBy(
            () ->
                new ClientInvocation(
                        client,
                        MCRunScriptCodec.encodeRequest("JavaScript", "1 + 1"),
                        "test",
                        remote.getCluster().getMembers().iterator().next().getUuid())
                    .invoke()
                    .get())
        .hasStackTraceContaining("Using ScriptEngine is not allowed");
  }

  @Test
  void theMemberListensOnItsInterfaceAlone() throws IOException {
    final int port = cluster.config(0).cluster().member().port();
    try (Socket named = new Socket()) {
      named.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 5_000);
      assertThat(named.isConnected()).isTrue();
    }
    final InetAddress alsoLoopback = InetAddress.getByAddress(new byte[] {127, 0, 0, 2});
    try (Socket other = new Socket()) {
      assertThatThrownBy(() -> other.connect(new InetSocketAddress(alsoLoopback, port), 5_000))
          .isInstanceOf(IOException.class);
    }
  }

  @Test
  void aSecondNodeOnTheSamePortSaysSoInOneLine() {
    assertThatThrownBy(() -> TollgridNode.start(cluster.config(0)))
        .isInstanceOf(NodeStartException.class)
        .hasMessageContaining(Integer.toString(cluster.config(0).cluster().member().port()))
        .satisfies(e -> assertThat(e.getMessage().lines()).hasSize(1));
  }

  private static List<String> sql(String query) {
    final List<String> rows = new ArrayList<>();
    try (var result = remote.getSql().execute(query)) {
      result.forEach(
          row -> {
            final List<String> columns = new ArrayList<>();
            for (int i = 0; i < row.getMetadata().getColumnCount(); i++) {
              final Object column = row.getObject(i);
              columns.add(String.valueOf(column));
            }
            rows.add(String.join(" ", columns));
          });
    }
    return rows;
  }

  private static HttpResponse<String> get(String path) throws Exception {
    return send(HttpRequest.newBuilder(uri(path)).build());
  }

  private static HttpResponse<String> send(HttpRequest request) throws Exception {
    return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
  }

  private static URI uri(String path) {
    return URI.create("http://127.0.0.1:" + cluster.node(0).httpPort() + path);
  }
}
