package io.tollgrid.node.cli;

import io.tollgrid.client.config.ConfigException;
import io.tollgrid.grid.JavaDeserialization;
import io.tollgrid.mapstore.database.UnsafeDatabaseException;
import io.tollgrid.node.NodeStartException;
import io.tollgrid.node.local.LocalSystemException;
import io.tollgrid.node.postgres.DataDirectoryException;
import java.io.PrintWriter;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The {@code tollgrid} command. */
@Command(
    name = "tollgrid",
    description = "Meters and admits work that costs money, exactly.",
    mixinStandardHelpOptions = true,
    version = "tollgrid 0.1.0",
    subcommands = {
      DemoCommand.class,
      UpCommand.class,
      ReplayCommand.class,
      UsageCommand.class,
      VerifyCommand.class,
      DoctorCommand.class,
      ConfigCommand.class,
      HelpCommand.class,
    })
public final class TollgridCli implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(TollgridCli.class);

  /** Failures whose message is meant for the person at the command line. */
  private static final Set<Class<? extends RuntimeException>> FOR_PEOPLE =
      Set.of(
          CommandFailure.class,
          ConfigException.class,
          LocalSystemException.class,
          DataDirectoryException.class,
          NodeStartException.class,
          UnsafeDatabaseException.class);

  @Spec private CommandSpec spec = CommandSpec.create();

  /** Runs a command and ends the process with its exit code. */
  public static void main(String[] args) {
    JavaDeserialization.guardProcess();
    System.exit(commandLine().execute(args));
  }

  /** The command with everything that is the same for all of its parts. */
  public static CommandLine commandLine() {
    return new CommandLine(new TollgridCli())
        .setParameterExceptionHandler(TollgridCli::badUsage)
        .setExecutionExceptionHandler(TollgridCli::failed)
        .setCaseInsensitiveEnumValuesAllowed(true);
  }

  /** Without a command there is nothing to do. */
  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "a command is missing; try: tollgrid help");
  }

  private static int badUsage(ParameterException e, String[] args) {
    return complain(e.getCommandLine(), e.getMessage(), ExitCode.BAD_INPUT);
  }

  private static int failed(Exception e, CommandLine command, CommandLine.ParseResult parsed) {
    if (FOR_PEOPLE.contains(e.getClass())) {
      LOG.debug("{} failed", command.getCommandName(), e);
      return complain(command, e.getMessage(), ExitCode.BAD_INPUT);
    }
    LOG.error("{} failed", command.getCommandName(), e);
    return complain(command, "it failed unexpectedly: " + e, ExitCode.CHECK_FAILED);
  }

  private static int complain(CommandLine command, @Nullable String message, int exitCode) {
    final PrintWriter err = command.getErr();
    err.println(
        "tollgrid: " + String.valueOf(message).lines().findFirst().orElse("no reason given"));
    err.flush();
    return exitCode;
  }
}
