package io.tollgrid.node.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** What there is to do with usage. */
@Command(
    name = "usage",
    description = "Loads usage that was recorded elsewhere.",
    mixinStandardHelpOptions = true,
    subcommands = {UsageLoadCommand.class, HelpCommand.class})
final class UsageCommand implements Runnable {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(), "a command is missing; try: tollgrid usage help");
  }
}
