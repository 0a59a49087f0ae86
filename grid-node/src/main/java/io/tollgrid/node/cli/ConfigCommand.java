package io.tollgrid.node.cli;

import io.tollgrid.client.config.EffectiveConfig;
import io.tollgrid.node.config.NodeConfig;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Checks a configuration, and explains it. Starts nothing. */
@Command(
    name = "config",
    description = "Checks a configuration; with --explain, says what is in force and why.",
    mixinStandardHelpOptions = true)
final class ConfigCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @ArgGroup(exclusive = true, multiplicity = "0..1")
  private Source source = new Source();

  @Option(names = "--explain", description = "print every setting, its value and its origin")
  private boolean explain;

  @Override
  public Integer call() {
    final EffectiveConfig<NodeConfig> config = source.load(System.getenv());
    if (explain) {
      spec.commandLine().getOut().println(config.explain());
    }
    return ExitCode.GOOD;
  }
}
