package io.tollgrid.node.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.tollgrid.grid.RandomIds;
import io.tollgrid.grid.SystemClock;
import io.tollgrid.node.local.LocalSystem;
import io.tollgrid.node.replay.Replay;
import io.tollgrid.node.replay.ReplayPlan;
import io.tollgrid.node.replay.ReplayReport;
import io.tollgrid.node.replay.TraceException;
import io.tollgrid.node.replay.TraceFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Serves a recorded trace of LLM requests through the real path and says where every unit went. */
@Command(
    name = "replay",
    description =
        "Replays recorded requests (TIMESTAMP,ContextTokens,GeneratedTokens) through real instances.",
    mixinStandardHelpOptions = true,
    exitCodeListHeading = "Exit codes:%n",
    exitCodeList = {
      "0:every unit is accounted for",
      "1:a check failed",
      "2:the trace cannot be replayed; nothing was changed"
    })
final class ReplayCommand implements Callable<Integer> {
  private static final int MOST_ACCOUNTS = 1_000_000;
  private static final int MOST_INSTANCES = 64;

  /** How fast rows arrive. */
  enum Pace {
    /** As they were recorded. */
    REAL,
    /** As fast as they are served. */
    MAX
  }

  @Spec private @Nullable CommandSpec spec;

  @Parameters(paramLabel = "FILE", description = "the trace")
  private Path trace = Path.of("");

  @ArgGroup(exclusive = true)
  private @Nullable Source source;

  @Option(
      names = "--accounts",
      defaultValue = "200",
      description = "accounts the rows are drawn over (default: ${DEFAULT-VALUE})")
  private int accounts;

  @Option(
      names = "--seed",
      defaultValue = "1",
      description = "seed of the draw (default: ${DEFAULT-VALUE})")
  private long seed;

  @Option(
      names = "--allowance",
      defaultValue = "40000",
      description = "units each account starts with (default: ${DEFAULT-VALUE})")
  private long allowance;

  @Option(
      names = "--instances",
      defaultValue = "1",
      description = "instances that serve the rows in turn (default: ${DEFAULT-VALUE})")
  private int instances;

  @Option(
      names = "--pace",
      defaultValue = "max",
      description = "real or max (default: ${DEFAULT-VALUE})")
  private Pace pace = Pace.MAX;

  @Option(
      names = "--decisions",
      paramLabel = "FILE",
      description = "write row,account,decision,billed,unfunded here")
  private @Nullable Path decisions;

  @Option(names = "--json", description = "print one JSON object instead of text")
  private boolean json;

  @Override
  public Integer call() throws IOException, SQLException, InterruptedException {
    requireBetween("--accounts", accounts, 1, MOST_ACCOUNTS);
    requireBetween("--instances", instances, 1, MOST_INSTANCES);
    requireBetween("--allowance", allowance, 0, Long.MAX_VALUE);
    final ReplayReport report = replay();
    final PrintWriter out = Console.out(spec);
    if (json) {
      out.println(new ObjectMapper().writeValueAsString(report));
    } else {
      print(out, report);
    }
    out.flush();
    return report.good() ? ExitCode.GOOD : ExitCode.CHECK_FAILED;
  }

  private ReplayReport replay() throws IOException, SQLException, InterruptedException {
    final SystemClock clock = new SystemClock();
    final Progress progress = new Progress(Console.err(spec), clock);
    try {
      final long rows = new TraceFile(trace).check();
      progress.say(() -> rows + " rows checked, starting a node");
      try (LocalSystem system = Source.startLocal(source)) {
        return new Replay(system.node(), clock, new RandomIds())
            .run(
                new ReplayPlan(
                    trace, accounts, seed, allowance, instances, pace == Pace.REAL, decisions),
                done -> progress.say(() -> done + " of " + rows + " rows"));
      }
    } catch (TraceException e) {
      throw new CommandFailure(String.valueOf(e.getMessage()), e);
    }
  }

  private static void requireBetween(String option, long value, long least, long most) {
    if (value < least || value > most) {
      throw new CommandFailure(option + " is between " + least + " and " + most + ", not " + value);
    }
  }

  private static void print(PrintWriter out, ReplayReport report) {
    out.printf(
        "%,d requests: %,d admitted, %,d denied%n",
        report.requests(), report.admitted(), report.requests() - report.admitted());
    report.denied().forEach((reason, count) -> out.printf("  %-28s %,d%n", reason, count));
    final ReplayReport.Units units = report.units();
    out.printf(
        "%,d units funded: %,d billed, %,d left, %,d outstanding, %,d lost, %,d expired; %,d more unfunded%n",
        units.funded(),
        units.billed(),
        units.balance(),
        units.outstanding(),
        units.loss(),
        units.expired(),
        units.unfunded());
    out.printf(
        "conservation %s, %d accounts overspent%n",
        report.conservation(), report.overspentAccounts());
    out.printf(
        "one decision took %,d ns (p50), %,d ns (p99); %.1f s in all%n",
        report.decisionNanos().p50(), report.decisionNanos().p99(), report.elapsedSeconds());
  }
}
