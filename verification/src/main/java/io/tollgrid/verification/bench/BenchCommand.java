package io.tollgrid.verification.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.tollgrid.verification.bench.admission.AdmissionBench;
import io.tollgrid.verification.bench.admission.Scale;
import io.tollgrid.verification.bench.footprint.FootprintBench;
import io.tollgrid.verification.bench.grid.GridBench;
import io.tollgrid.verification.bench.ingest.IngestBench;
import io.tollgrid.verification.bench.ledger.LedgerBench;
import io.tollgrid.verification.bench.start.StartBench;
import java.io.IOException;
import java.io.PrintWriter;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code tollgrid bench NAME}: runs one benchmark and prints its figures. */
@Command(
    name = "bench",
    description = "Measures the product against its peers, side by side in one run.")
public final class BenchCommand implements Callable<Integer> {
  /** The benchmarks there are. */
  public enum Name {
    /** P1, P2, P3 and P8: the request path. */
    admission,
    /** P4: admissions of a fleet against Bucket4j on the same grid. */
    grid,
    /** P5 and P6: durable ledger commands. */
    ledger,
    /** P7: usage from its writer to its durable classification. */
    ingest,
    /** P10: from nothing to ready. */
    start,
    /** P9: heap, threads and idle commands of an instance. */
    footprint
  }

  @Parameters(paramLabel = "NAME", description = "Which: ${COMPLETION-CANDIDATES}.")
  private Name name = Name.ledger;

  @Option(names = "--json", description = "Print one JSON object on standard output.")
  private boolean json;

  @Option(
      names = "--accounts",
      description =
          "Accounts: for grid (1000), per side for ledger (10000), the larger number for admission"
              + " (1000000), with two principals each for footprint (50000), in all for ingest and"
              + " start (100000).")
  private @Nullable Integer accounts;

  @Option(names = "--events", description = "Usage events per round, for ingest (500000).")
  private @Nullable Integer events;

  @Option(
      names = "--rounds",
      defaultValue = "3",
      description = "Rounds, alternating (${DEFAULT-VALUE}).")
  private int rounds;

  @Option(
      names = "--seconds",
      description = "Seconds per measurement: for grid (60), for ledger (10), for admission (2).")
  private @Nullable Integer seconds;

  @Option(
      names = "--quick",
      description = "One short round of few accounts: it shows that everything runs.")
  private boolean quick;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws InterruptedException, SQLException, IOException {
    require("--rounds", rounds);
    final Map<String, Figure> figures =
        switch (name) {
          case admission -> admission();
          case grid -> grid();
          case ledger -> ledger();
          case ingest -> ingest();
          case footprint -> footprint();
          case start -> start();
        };
    final PrintWriter out = spec.commandLine().getOut();
    if (json) {
      out.println(new ObjectMapper().writeValueAsString(figures));
    } else {
      figures.forEach(
          (id, figure) ->
              out.printf(
                  "%-8s %.2f (goal %.2f, %s)%n",
                  id, figure.value(), figure.goal(), figure.met() ? "met" : "not met"));
    }
    out.flush();
    return 0;
  }

  private Map<String, Figure> admission() {
    final int many = given("--accounts", accounts, 1_000_000);
    final Duration window = Duration.ofSeconds(given("--seconds", seconds, 2));
    return new AdmissionBench(
            quick ? Scale.quick() : Scale.full(rounds, window, many), spec.commandLine().getErr())
        .run();
  }

  private Map<String, Figure> grid() throws InterruptedException, SQLException {
    final int many = given("--accounts", accounts, quick ? 32 : 1_000);
    final Duration window = Duration.ofSeconds(given("--seconds", seconds, quick ? 1 : 60));
    return new GridBench(many, quick ? 1 : rounds, window, spec.commandLine().getErr()).run();
  }

  private Map<String, Figure> ledger() throws InterruptedException, SQLException {
    final int perSide = given("--accounts", accounts, quick ? 64 : 10_000);
    final Duration window = Duration.ofSeconds(given("--seconds", seconds, quick ? 1 : 10));
    return new LedgerBench(perSide, quick ? 1 : rounds, window, spec.commandLine().getErr()).run();
  }

  private Map<String, Figure> footprint() throws InterruptedException {
    final int many = given("--accounts", accounts, quick ? 1_000 : 50_000);
    return new FootprintBench(many, spec.commandLine().getErr()).run();
  }

  private Map<String, Figure> ingest() throws InterruptedException, SQLException, IOException {
    final int many = given("--accounts", accounts, quick ? 100 : 100_000);
    final int perRound = given("--events", events, quick ? 2_000 : 500_000);
    return new IngestBench(many, perRound, quick ? 1 : rounds, spec.commandLine().getErr()).run();
  }

  private Map<String, Figure> start() throws InterruptedException, IOException {
    final int many = given("--accounts", accounts, quick ? 100 : 100_000);
    return new StartBench(many, quick ? 1 : rounds, spec.commandLine().getErr()).run();
  }

  private int given(String option, @Nullable Integer value, int otherwise) {
    if (value == null) {
      return otherwise;
    }
    require(option, value);
    return value;
  }

  private void require(String option, int value) {
    if (value < 1) {
      throw new ParameterException(spec.commandLine(), option + " must be 1 or more, not " + value);
    }
  }
}
