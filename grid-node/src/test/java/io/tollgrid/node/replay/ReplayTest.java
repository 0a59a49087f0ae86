package io.tollgrid.node.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tollgrid.grid.RandomIds;
import io.tollgrid.grid.SystemClock;
import io.tollgrid.node.cli.TollgridCli;
import io.tollgrid.node.demo.Demo;
import io.tollgrid.node.local.LocalSystem;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/**
 * Witnesses, on one node with a real PostgreSQL, that strict accounts never overspend (R1), that
 * every funded unit is reached (R2) and that the books balance to the unit at the end (R10), on
 * real and on made-up traffic.
 */
@Tag("slow")
class ReplayTest {
  private static final String HEADER = "TIMESTAMP,ContextTokens,GeneratedTokens";

  private static LocalSystem system;

  @TempDir private static Path directory;

  @BeforeAll
  static void start() {
    system = LocalSystem.throwAway();
  }

  @AfterAll
  static void stop() {
    system.close();
  }

  @Test
  void oneHourOfRealTrafficComesToExactlyTheSequentialFigures() throws Exception {
    final Path hour =
        Path.of(System.getProperty("tollgrid.repository", "."))
            .resolve("../shared/data/azure-llm-2023/code.csv");
    assumeTrue(
        Files.exists(hour), "the recorded hour is not part of the repository and is not here");

    final ReplayReport report = replay(new ReplayPlan(hour, 200, 7, 40_000, 1, false, null));

    assertThat(report.requests()).isEqualTo(8_819);
    assertThat(report.admitted()).isEqualTo(2_682);
    assertThat(report.denied().values().stream().mapToLong(Long::longValue).sum()).isEqualTo(6_137);
    assertThat(report.units().billed()).isEqualTo(5_101_589);
    assertThat(report.units().unfunded()).isEqualTo(805);
    assertThat(report.good()).isTrue();
  }

  @Test
  void severalInstancesShareAccountsWithoutOverspendingOrStrandingAUnit() throws Exception {
    final Path decisions = directory.resolve("decisions.csv");
    final ReplayReport report =
        replay(new ReplayPlan(trace(600, 11), 12, 3, 30_000, 3, false, decisions));

    assertThat(report.good()).isTrue();
    assertThat(report.units().funded()).isEqualTo(12 * 30_000);
    assertThat(report.units().balance() + report.units().billed())
        .isEqualTo(report.units().funded());
    final List<String> lines = Files.readAllLines(decisions);
    assertThat(lines).hasSize(600);
    assertThat(lines).allMatch(line -> line.matches("\\d+,\\d+,[A-Z_]+,\\d+,\\d+"));
    assertThat(lines.stream().filter(line -> line.contains(",ADMITTED,")).count())
        .isEqualTo(report.admitted());
  }

  @Test
  void otherSeedsAndAllowancesAgreeWithTheOracleToo() throws Exception {
    for (final long allowance : new long[] {0, 64, 9_999, 1_000_000}) {
      final ReplayReport report =
          replay(
              new ReplayPlan(trace(150, allowance), 5, allowance + 1, allowance, 1, false, null));

      assertThat(report.good()).isTrue();
      assertThat(report.requests()).isEqualTo(150);
    }
  }

  @Test
  void aBadTraceIsOneLineAndTwoAndCreatesNothing() throws Exception {
    final Path bad = directory.resolve("bad.csv");
    Files.writeString(bad, HEADER + "\n2023-11-16 18:17:03,1,-1\n");

    assertThatThrownBy(() -> replay(new ReplayPlan(bad, 5, 1, 10, 1, false, null)))
        .isInstanceOf(TraceException.class);
    for (final Map.Entry<String, String> input :
        Map.of(
                bad.toString(),
                "bad.csv:2: GeneratedTokens is negative",
                directory.resolve("no.csv").toString(),
                "there is no such file")
            .entrySet()) {
      final StringWriter err = new StringWriter();
      final CommandLine cli = TollgridCli.commandLine().setErr(new PrintWriter(err, true));

      assertThat(cli.execute("replay", input.getKey())).isEqualTo(2);
      assertThat(err.toString().lines().toList()).hasSize(1);
      assertThat(err.toString()).contains(input.getValue());
    }
  }

  @Test
  void theDemoEndsWithEveryUnitAccountedFor() throws Exception {
    final List<Demo.Snapshot> seen = new ArrayList<>();
    final Demo.Result result =
        new Demo(system.node(), new SystemClock(), new RandomIds())
            .run(Duration.ofSeconds(6), seen::add);

    assertThat(result.good()).as("%s", result).isTrue();
    assertThat(result.total().served()).isPositive();
    assertThat(result.books().outstanding()).isZero();
    assertThat(result.books().loss()).isZero();
    assertThat(seen).isNotEmpty();
  }

  private static ReplayReport replay(ReplayPlan plan) throws Exception {
    return new Replay(system.node(), new SystemClock(), new RandomIds()).run(plan, done -> {});
  }

  private static Path trace(int rows, long seed) throws Exception {
    final SplittableRandom random = new SplittableRandom(seed);
    final StringBuilder text = new StringBuilder(HEADER + "\n");
    for (int i = 0; i < rows; i++) {
      text.append("2023-11-16 18:17:03.97,")
          .append(random.nextInt(3_000))
          .append(',')
          .append(random.nextInt(200))
          .append('\n');
    }
    return Files.writeString(directory.resolve("trace-" + seed + ".csv"), text);
  }
}
