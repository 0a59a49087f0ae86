package io.tollgrid.node.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.tollgrid.grid.RandomIds;
import io.tollgrid.grid.SystemClock;
import io.tollgrid.grid.usage.GridUsageInbox;
import io.tollgrid.node.TollgridNode;
import io.tollgrid.node.local.LocalSystem;
import io.tollgrid.node.usage.LoadReport;
import io.tollgrid.node.usage.UnreadableInputException;
import io.tollgrid.node.usage.UsageInput;
import io.tollgrid.node.usage.UsageLoad;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Loads usage from a file or standard input, and says of every line what became of it. */
@Command(
    name = "load",
    description = {
      "Loads usage events, one JSON object per line, plain or gzip.",
      "Loading the same again changes nothing. The form of a line: docs/usage-import.md"
    },
    mixinStandardHelpOptions = true,
    exitCodeListHeading = "Exit codes:%n",
    exitCodeList = {
      "0:every line was accepted, or is the same as what was recorded before",
      "1:a line was malformed, rejected, or differs from what was recorded before",
      "2:the input cannot be used"
    })
final class UsageLoadCommand implements Callable<Integer> {
  private static final Duration ANSWER_WITHIN = Duration.ofSeconds(5);
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(paramLabel = "FILE|-", description = "the events, - for standard input")
  private String input = "";

  @ArgGroup(exclusive = true, multiplicity = "1")
  private Source source = new Source();

  @Option(
      names = "--errors",
      paramLabel = "FILE",
      description =
          "write a JSON object with line, code and reason here for every line that was not accepted")
  private @Nullable Path errors;

  @Option(names = "--json", description = "print one JSON object instead of text")
  private boolean json;

  @Override
  public Integer call() throws IOException, SQLException, InterruptedException {
    final LoadReport report;
    try (InputStream in = open();
        FaultReport faults = FaultReport.open(errors, spec.commandLine().getErr());
        LocalSystem system = Source.startLocal(source)) {
      report = load(system.node(), in, faults);
    }
    final PrintWriter out = spec.commandLine().getOut();
    if (json) {
      out.println(new ObjectMapper().writeValueAsString(report));
    } else {
      print(out, report);
    }
    out.flush();
    return report.good() ? ExitCode.GOOD : ExitCode.CHECK_FAILED;
  }

  private LoadReport load(TollgridNode node, InputStream in, FaultReport faults)
      throws SQLException, InterruptedException {
    try (GridUsageInbox inbox = new GridUsageInbox(node.hazelcast(), ANSWER_WITHIN)) {
      return new UsageLoad(
              inbox, node.recordedUsage(), new SystemClock(), new RandomIds(), PATIENCE)
          .run(in, faults);
    } catch (UnreadableInputException e) {
      throw new CommandFailure(input + ": " + e.getMessage(), e);
    }
  }

  /** Before anything is started, so that an input that is no good costs nothing. */
  private InputStream open() {
    try {
      if (input.equals("-")) {
        return UsageInput.open(System.in);
      }
      final Path file = Path.of(input);
      if (errors != null && Files.exists(errors) && Files.isSameFile(file, errors)) {
        throw new CommandFailure("--errors would overwrite " + input);
      }
      final InputStream in = Files.newInputStream(file);
      try {
        return UsageInput.open(in);
      } catch (IOException e) {
        in.close();
        throw e;
      }
    } catch (NoSuchFileException e) {
      throw new CommandFailure(input + ": there is no such file", e);
    } catch (IOException e) {
      throw new CommandFailure(input + ": it cannot be read: " + e.getMessage(), e);
    }
  }

  private static void print(PrintWriter out, LoadReport report) {
    out.printf(
        "%,d lines: %,d events accepted, %,d the same as before; %,d malformed, %,d rejected, %,d differ from"
            + " what was recorded, %,d unanswered%n",
        report.lines(),
        report.accepted(),
        report.duplicates().same(),
        report.malformed(),
        report.rejected().values().stream().mapToLong(Long::longValue).sum(),
        report.duplicates().differing(),
        report.unanswered());
    report.verdicts().forEach((verdict, count) -> out.printf("  %-20s %,d%n", verdict, count));
    out.printf(
        "%,d units billed, %,d unfunded; %,d of duplicates, %,d rejected%n",
        report.units().billed(),
        report.units().unfunded(),
        report.units().duplicate(),
        report.units().rejected());
    out.printf(
        "%.1f s, %,.0f events per second%n", report.elapsedSeconds(), report.eventsPerSecond());
    if (report.unanswered() > 0) {
      out.printf(
          "gave up behind line %,d: no event was answered for %d s; load it again%n",
          report.lines(), PATIENCE.toSeconds());
    }
  }
}
