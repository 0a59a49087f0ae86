package io.tollgrid.verification.cli;

import io.tollgrid.verification.bench.BenchCommand;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The commands of {@code ./tollgrid} that live in this module. Each is a class of its own, listed
 * here and nowhere else.
 *
 * <p>Results go to standard output, everything else to standard error. The exit code is 0 if all
 * was good, 1 if a check failed, 2 if the command line was not understood.
 */
@Command(
    name = "tollgrid",
    subcommands = {SimulateCommand.class, FaultsCommand.class, BenchCommand.class},
    mixinStandardHelpOptions = true,
    description = "Evidence about the checkout.")
public final class VerificationCli implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  /** Runs the command line and ends the process with its exit code. */
  public static void main(String[] args) {
    System.exit(commandLine().execute(args));
  }

  /** The command line, for tests that run it within their own process. */
  static CommandLine commandLine() {
    return new CommandLine(new VerificationCli())
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setParameterExceptionHandler(VerificationCli::notUnderstood);
  }

  /** A command is needed: asking for none is bad usage. */
  @Override
  public Integer call() {
    throw new ParameterException(spec.commandLine(), "a command is missing; see --help");
  }

  /** One line, and the exit code for bad usage. */
  private static int notUnderstood(ParameterException failure, String[] args) {
    final CommandLine command = failure.getCommandLine();
    command.getErr().println("tollgrid: " + failure.getMessage());
    command.getErr().flush();
    return CommandLine.ExitCode.USAGE;
  }
}
