package io.tollgrid.formal.cli;

import io.tollgrid.formal.Prove;
import io.tollgrid.formal.Prover;
import io.tollgrid.formal.UnusableProofsException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code ./tollgrid prove}: results on standard output, progress on standard error. */
@Command(
    name = "prove",
    description =
        "Proves the arithmetic and checks the models, and that each mutant of them fails.",
    mixinStandardHelpOptions = true,
    exitCodeListHeading = "Exit codes:%n",
    exitCodeList = {
      "0:everything is proved, and every mutant was caught",
      "1:a proof failed, or a mutant passed",
      "2:bad usage, or what is to be proved cannot be read"
    })
public final class ProveCli implements Callable<Integer> {
  private static final int PROVED = 0;
  private static final int NOT_PROVED = 1;
  private static final int BAD_USAGE = 2;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(names = "--json", description = "print one JSON object instead of text")
  private boolean json;

  @Option(names = "--deep", description = "check the larger configurations, which takes hours")
  private boolean deep;

  @Parameters(arity = "0..*", paramLabel = "NAME", description = "what to prove (default: all)")
  private List<String> subjects = List.of();

  private final Path repository;

  private ProveCli(Path repository) {
    this.repository = repository;
  }

  /** Runs the command and ends the process with its exit code. */
  public static void main(String[] args) {
    System.exit(
        commandLine(repository())
            .setOut(new PrintWriter(System.out, true, StandardCharsets.UTF_8))
            .setErr(new PrintWriter(System.err, true, StandardCharsets.UTF_8))
            .execute(args));
  }

  /** The command, over the checkout in {@code repository}. */
  static CommandLine commandLine(Path repository) {
    final CommandLine line = new CommandLine(new ProveCli(repository));
    line.setParameterExceptionHandler(
        (bad, args) -> {
          line.getErr().println("tollgrid prove: " + bad.getMessage());
          return BAD_USAGE;
        });
    line.setExecutionExceptionHandler(
        (failure, command, parsed) -> {
          if (failure instanceof UnusableProofsException) {
            command.getErr().println("tollgrid prove: " + failure.getMessage());
            return BAD_USAGE;
          }
          throw failure;
        });
    return line;
  }

  @Override
  public Integer call() throws Exception {
    final PrintWriter err = spec.commandLine().getErr();
    final Prove.Report report =
        Prove.of(repository).run(new Prover.Scope(deep, subjects), err::println);
    final PrintWriter out = spec.commandLine().getOut();
    if (json) {
      out.println(report.asJson());
    } else {
      out.print(report.asText());
    }
    out.flush();
    return report.holds() ? PROVED : NOT_PROVED;
  }

  /** The checkout that the launcher names, else the one around the working directory. */
  private static Path repository() {
    final Path here = Path.of("").toAbsolutePath();
    final String named = System.getProperty("tollgrid.repository");
    if (named != null) {
      return Path.of(named);
    }
    Path candidate = here;
    while (candidate != null && !Files.isDirectory(candidate.resolve("formal/tla"))) {
      candidate = candidate.getParent();
    }
    return candidate == null ? here : candidate;
  }
}
