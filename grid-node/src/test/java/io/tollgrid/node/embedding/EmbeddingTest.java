package io.tollgrid.node.embedding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.linecorp.armeria.client.WebClient;
import com.linecorp.armeria.common.AggregatedHttpResponse;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.server.Server;
import io.tollgrid.admission.denial.Denial;
import io.tollgrid.client.InstanceConfig;
import io.tollgrid.client.InstanceRuntime;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.policy.Assignment;
import io.tollgrid.ledger.policy.AssignmentLeg;
import io.tollgrid.ledger.policy.MeterPrice;
import io.tollgrid.ledger.policy.OperationPrice;
import io.tollgrid.ledger.policy.Plan;
import io.tollgrid.ledger.policy.PrincipalSnapshot;
import io.tollgrid.ledger.policy.Subject;
import io.tollgrid.node.testing.Eventually;
import io.tollgrid.node.testing.LedgerTalk;
import io.tollgrid.node.testing.TestCluster;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the guide to embedding shows does what it says, and is what the guide shows. */
class EmbeddingTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final String PRINCIPAL = "principal";
  private static TestCluster cluster;
  private static InstanceRuntime tollgrid;
  private static Id128 account;
  private static final Id128 ADA = LedgerTalk.id();

  @BeforeAll
  static void start() throws SQLException {
    cluster = TestCluster.of(1).start();
    account = new LedgerTalk(cluster.embeddedClient(0)).account(1_000_000);
    final var publications = cluster.node(0).publications();
    publications.publish(
        Plan.open("api", OperationPrice.of("call", MeterPrice.perItem("api.calls"))));
    publications.publish(PrincipalSnapshot.of(ADA, "api", account));
    tollgrid =
        InstanceRuntime.connect(
            InstanceConfig.builder()
                .clusterName(cluster.config(0).cluster().name())
                .addresses("127.0.0.1:" + cluster.config(0).cluster().member().port())
                .tracked(ADA)
                .build());
    Eventually.until("ready", PATIENCE, () -> tollgrid.readiness().isReady());
  }

  @AfterAll
  static void stop() {
    tollgrid.close();
    cluster.close();
  }

  private static long billed() throws Exception {
    assertThat(tollgrid.flush(PATIENCE)).isTrue();
    return cluster.postgres().number("SELECT billed FROM account WHERE id = '" + account + "'");
  }

  @Test
  void theDecoratorBillsWhatWorked() throws Exception {
    final long before = billed();
    final Server server =
        Server.builder()
            .http(0)
            .service("/works", (context, asked) -> HttpResponse.of("done"))
            .service("/fails", (context, asked) -> HttpResponse.of(HttpStatus.BAD_GATEWAY))
            .decorator(
                service ->
                    new TollgridDecorator(
                        service,
                        tollgrid,
                        "call",
                        context -> Id128.parse(context.request().headers().get(PRINCIPAL, ""))))
            .build();
    server.start().join();
    try {
      final WebClient client = WebClient.of("http://127.0.0.1:" + server.activeLocalPort());

      Eventually.until(
          "admitted", PATIENCE, () -> get(client, "/works", ADA).contentUtf8().equals("done"));
      assertThat(get(client, "/fails", ADA).status()).isEqualTo(HttpStatus.BAD_GATEWAY);
      final AggregatedHttpResponse denied = get(client, "/works", LedgerTalk.id());
      assertThat(denied.status().code()).isEqualTo(401);
      assertThat(denied.contentUtf8()).isEqualTo("UNKNOWN_PRINCIPAL");
      assertThat(denied.headers().contains(HttpHeaderNames.RETRY_AFTER)).isFalse();
    } finally {
      server.stop().join();
    }
    Eventually.until("one call is billed", PATIENCE, () -> billed() == before + 1);
  }

  private static AggregatedHttpResponse get(WebClient client, String path, Id128 principal) {
    return client
        .execute(HttpRequest.of(RequestHeaders.of(HttpMethod.GET, path, PRINCIPAL, principal)))
        .aggregate()
        .join();
  }

  @Test
  void theFilterBillsWhatWorked() throws Exception {
    final long before = billed();
    final TollgridFilter filter =
        new TollgridFilter(tollgrid, "call", asked -> Id128.parse(asked.getHeader(PRINCIPAL)));
    final List<String> done = new ArrayList<>();
    final FilterChain works = (asked, answer) -> done.add("work");
    final FilterChain fails =
        (asked, answer) -> {
          throw new ServletException("it broke");
        };

    Eventually.until(
        "admitted",
        PATIENCE,
        () -> {
          filter.doFilter(asking(ADA), answering(new ArrayList<>()), works);
          return !done.isEmpty();
        });
    assertThatThrownBy(() -> filter.doFilter(asking(ADA), answering(new ArrayList<>()), fails))
        .hasMessage("it broke");
    final List<String> said = new ArrayList<>();
    filter.doFilter(asking(LedgerTalk.id()), answering(said), works);

    assertThat(said).containsExactly("sendError [401, UNKNOWN_PRINCIPAL]");
    assertThat(done).containsExactly("work");
    assertThat(billed()).isEqualTo(before + 1);
  }

  private static HttpServletRequest asking(Id128 principal) {
    return (HttpServletRequest)
        Proxy.newProxyInstance(
            EmbeddingTest.class.getClassLoader(),
            new Class<?>[] {HttpServletRequest.class},
            (proxy, method, arguments) -> principal.toHex());
  }

  private static HttpServletResponse answering(List<String> said) {
    return (HttpServletResponse)
        Proxy.newProxyInstance(
            EmbeddingTest.class.getClassLoader(),
            new Class<?>[] {HttpServletResponse.class},
            (proxy, method, arguments) -> {
              said.add(method.getName() + " " + Arrays.toString(arguments));
              return null;
            });
  }

  @Test
  void aNewcomerIsIntroduced() throws SQLException {
    final Subject eve = Subject.of("guests/" + LedgerTalk.id());
    cluster
        .node(0)
        .assignments()
        .publish(Assignment.of("guests/", "api", AssignmentLeg.shared(account)));

    new Newcomers(tollgrid).met(eve);

    Eventually.until(
        "she has a snapshot",
        PATIENCE,
        () ->
            cluster
                    .postgres()
                    .number(
                        "SELECT count(*) FROM snapshot WHERE principal = '" + eve.principal() + "'")
                == 1);
  }

  @Test
  void aTransientDenialIsWorthAnotherTrySoonAndAFinalOneIsNot() {
    try (var request = tollgrid.newRequest()) {
      final long now = tollgrid.clock().nowNanos();
      final Denial denial = request.begin(LedgerTalk.id(), now);

      assertThat(denial).isEqualTo(Denial.UNKNOWN_PRINCIPAL);
      assertThat(RetryAfter.seconds(denial, request, now)).isZero();
      assertThat(RetryAfter.seconds(Denial.NO_LEASE, request, now)).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"TollgridFilter", "TollgridDecorator", "RetryAfter", "Newcomers"})
  void theGuideShowsWhatIsCompiled(String name) throws IOException {
    final Path root = Path.of(System.getProperty("tollgrid.repository", ".."));
    final String source =
        Files.readString(
            root.resolve("grid-node/src/test/java/io/tollgrid/node/embedding/" + name + ".java"));

    assertThat(Files.readString(root.resolve("docs/embedding.md")))
        .contains("```java\n" + source.substring(source.indexOf("/** ")) + "```");
  }
}
