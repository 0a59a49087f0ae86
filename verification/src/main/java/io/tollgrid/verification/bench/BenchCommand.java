package io.tollgrid.verification.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.tollgrid.verification.bench.ledger.LedgerBench;
import java.io.IOException;
import java.io.PrintWriter;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Callable;
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
    /** P5 and P6: durable ledger commands. */
    ledger
  }

  @Parameters(paramLabel = "NAME", description = "Which: ${COMPLETION-CANDIDATES}.")
  private Name name = Name.ledger;

  @Option(names = "--json", description = "Print one JSON object on standard output.")
  private boolean json;

  @Option(
      names = "--accounts",
      defaultValue = "10000",
      description = "Accounts per side (${DEFAULT-VALUE}).")
  private int accounts;

  @Option(
      names = "--rounds",
      defaultValue = "3",
      description = "Rounds, alternating (${DEFAULT-VALUE}).")
  private int rounds;

  @Option(
      names = "--seconds",
      defaultValue = "10",
      description = "Seconds per measurement (${DEFAULT-VALUE}).")
  private int seconds;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws InterruptedException, SQLException, IOException {
    require("--accounts", accounts);
    require("--rounds", rounds);
    require("--seconds", seconds);
    final Map<String, Figure> figures =
        switch (name) {
          case ledger ->
              new LedgerBench(
                      accounts, rounds, Duration.ofSeconds(seconds), spec.commandLine().getErr())
                  .run();
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

  private void require(String option, int value) {
    if (value < 1) {
      throw new ParameterException(spec.commandLine(), option + " must be 1 or more, not " + value);
    }
  }
}
