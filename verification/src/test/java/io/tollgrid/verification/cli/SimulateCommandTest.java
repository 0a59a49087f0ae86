package io.tollgrid.verification.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/**
 * Witnesses R42 for the command line: what is not understood is refused in one line, with exit 2.
 */
class SimulateCommandTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String... args) {
    final CommandLine commandLine = VerificationCli.commandLine();
    commandLine.setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
    return commandLine.execute(args);
  }

  @Test
  void oneSeedIsRunAgainAndReportedAsJson() throws Exception {
    assertThat(run("simulate", "--seed", "3", "--steps", "400", "--json")).isZero();

    final JsonNode report = new ObjectMapper().readTree(out.toString());
    assertThat(report.get("runs").asInt()).isEqualTo(1);
    assertThat(report.get("steps").asLong()).isGreaterThanOrEqualTo(400);
    assertThat(report.get("violations").asInt()).isZero();
    assertThat(report.get("coverage").size()).isGreaterThan(400);
    assertThat(report.get("planted").isObject()).isTrue();
    assertThat(out.toString().lines()).hasSize(1);
  }

  @Test
  void forAPersonItEndsWithWhatWasChecked() {
    assertThat(run("simulate", "--seed", "3", "--steps", "400")).isZero();

    assertThat(out.toString()).contains("1 seeds, ").contains(" steps checked, 0 violations");
  }

  @Test
  void badUsageIsOneLineAndExitTwo() {
    assertThat(run("simulate", "--seeds", "0")).isEqualTo(2);
    assertThat(run("simulate", "--seeds", "many")).isEqualTo(2);
    assertThat(run("simulate", "--no-such-option")).isEqualTo(2);
    assertThat(run()).isEqualTo(2);

    assertThat(err.toString().lines()).hasSize(4).allMatch(line -> line.startsWith("tollgrid: "));
    assertThat(out.toString()).isEmpty();
  }
}
