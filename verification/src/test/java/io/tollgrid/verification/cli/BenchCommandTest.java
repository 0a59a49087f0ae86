package io.tollgrid.verification.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import picocli.CommandLine;

/** The benchmarks run and say what they measured; how fast is not a test's business. */
@Timeout(180)
class BenchCommandTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String... args) {
    final CommandLine commandLine = VerificationCli.commandLine();
    commandLine.setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
    return commandLine.execute(args);
  }

  private void assertRatiosOfOneRound(String... ids) throws JsonProcessingException {
    assertThat(out.toString().lines()).hasSize(1);
    final JsonNode figures = new ObjectMapper().readTree(out.toString());
    for (final String id : ids) {
      final JsonNode figure = figures.get(id);
      assertThat(figure.get("value").asDouble()).as(id).isPositive();
      assertThat(figure.get("goal").asDouble()).as(id).isPositive();
      assertThat(figure.get("met").isBoolean()).as(id).isTrue();
      assertThat(figure.get("detail").get("ratios").size()).as(id).isEqualTo(1);
    }
  }

  @Test
  void theLedgersFiguresAreOneJsonObject() throws Exception {
    assertThat(
            run("bench", "ledger", "--accounts", "64", "--rounds", "1", "--seconds", "1", "--json"))
        .as("%s", err)
        .isZero();

    assertRatiosOfOneRound("P5", "P5-zipf", "P6");
  }

  @Test
  void theGridsFiguresAreOneJsonObject() throws Exception {
    assertThat(run("bench", "grid", "--quick", "--json")).as("%s", err).isZero();

    assertRatiosOfOneRound("P4a", "P4b");
  }

  @Test
  void aColdStartIsOneJsonObject() throws Exception {
    assertThat(run("bench", "start", "--quick", "--json")).as("%s", err).isZero();

    final JsonNode figure = new ObjectMapper().readTree(out.toString()).get("P10");
    assertThat(figure.get("value").asDouble()).isBetween(0.5, 180.0);
    assertThat(figure.get("detail").get("seconds").size()).isEqualTo(1);
  }

  @Test
  @Tag("slow")
  @Timeout(600)
  void theRequestPathsFiguresAreOneJsonObject() throws Exception {
    assertThat(run("bench", "admission", "--quick", "--json")).as("%s", err).isZero();

    assertThat(out.toString().lines()).hasSize(1);
    final JsonNode figures = new ObjectMapper().readTree(out.toString());
    for (final String id : new String[] {"P1", "P2", "P3", "P8", "P8-uniform"}) {
      final JsonNode figure = figures.get(id);
      assertThat(figure.get("value").asDouble()).as(id).isPositive();
      assertThat(figure.get("goal").asDouble()).as(id).isPositive();
      assertThat(figure.get("met").isBoolean()).as(id).isTrue();
      assertThat(figure.get("detail").isEmpty()).as(id).isFalse();
    }
    for (final String measured : new String[] {"cycle", "bucket4j", "guava", "resilience4j"}) {
      final JsonNode detail = figures.get("P1").get("detail").get(measured);
      assertThat(detail.get("nanos").get("median").asDouble()).as(measured).isPositive();
      assertThat(detail.get("bytes").has("max")).as(measured).isTrue();
    }
    assertThat(err.toString().lines()).allMatch(line -> line.startsWith("bench: "));
  }

  /** What a principal keeps in memory is counted, not timed: the bound is twice the goal of P9. */
  @Test
  void anInstancesFootprintIsOneJsonObject() throws Exception {
    assertThat(run("bench", "footprint", "--quick", "--json")).as("%s", err).isZero();

    assertThat(out.toString().lines()).hasSize(1);
    final JsonNode figures = new ObjectMapper().readTree(out.toString());
    final JsonNode heap = figures.get("P9").get("detail");
    assertThat(heap.get("principals").asInt()).isEqualTo(2_000);
    assertThat(heap.get("bytesEachMore").asDouble()).as("%s", heap).isBetween(100.0, 1_200.0);
    final JsonNode threads = figures.get("P9-threads");
    assertThat(threads.get("met").asBoolean()).as("%s", threads).isTrue();
    assertThat(threads.get("detail").get("cleanShutdown").asBoolean()).isTrue();
    final JsonNode idle = figures.get("P9-idle").get("detail");
    assertThat(idle.get("whileLeasesAreHeld").get("leases").asInt()).isEqualTo(1_000);
    assertThat(idle.get("whenLeasesAreHome").get("leases").asInt()).isLessThanOrEqualTo(8);
    assertThat(idle.get("whenAccountsAreRetired").get("commandsPerSecond").asDouble()).isZero();
  }

  @Test
  void badUsageIsOneLineAndExitTwo() {
    assertThat(run("bench", "unknown")).isEqualTo(2);
    assertThat(run("bench", "ledger", "--rounds", "0")).isEqualTo(2);
    assertThat(run("bench", "ledger", "--seconds", "-1")).isEqualTo(2);
    assertThat(run("bench", "admission", "--accounts", "0")).isEqualTo(2);

    assertThat(err.toString().lines()).hasSize(4).allMatch(line -> line.startsWith("tollgrid: "));
    assertThat(out.toString()).isEmpty();
  }
}
