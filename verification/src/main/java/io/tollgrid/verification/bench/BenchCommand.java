package io.tollgrid.verification.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.tollgrid.verification.bench.ledger.LedgerBench;
import java.io.IOException;
import java.io.PrintStream;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

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
      defaultValue = "8",
      description = "Seconds per measurement (${DEFAULT-VALUE}).")
  private int seconds;

  @Override
  public Integer call() throws InterruptedException, SQLException, IOException {
    final PrintStream progress = System.err;
    final Map<String, Figure> figures =
        switch (name) {
          case ledger ->
              new LedgerBench(accounts, rounds, Duration.ofSeconds(seconds), progress).run();
        };
    if (json) {
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT).writeValue(System.out, figures);
      System.out.println();
    } else {
      figures.forEach(
          (id, figure) ->
              System.out.printf(
                  "%-8s %.2f (goal %.2f, %s)%n",
                  id, figure.value(), figure.goal(), figure.met() ? "met" : "not met"));
    }
    return 0;
  }
}
