package io.tollgrid.node.cli;

import io.tollgrid.client.config.EffectiveConfig;
import io.tollgrid.client.config.Stated;
import io.tollgrid.node.config.ConfigLoader;
import io.tollgrid.node.config.NodeConfig;
import io.tollgrid.node.local.LocalSystem;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where a command takes a node's configuration from. */
final class Source {
  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "a tollgrid.yaml; every key can be overridden from the environment")
  private @Nullable Path config;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "an embedded PostgreSQL in this directory, everything else by default")
  private @Nullable Path data;

  /** Whether neither was stated. */
  boolean isMissing() {
    return config == null && data == null;
  }

  /** The data directory, if one was stated. */
  @Nullable Path data() {
    return data;
  }

  /** The configuration in force. */
  EffectiveConfig<NodeConfig> load(Map<String, String> environment) {
    final List<Stated> stated =
        data == null
            ? List.of()
            : List.of(new Stated("database.dataDir", data.toString(), "--data"));
    return ConfigLoader.load(config, environment, stated, Path.of("").toAbsolutePath());
  }

  /**
   * Starts the system that was named, or one of its own that is thrown away, and waits until it is
   * ready.
   */
  static LocalSystem startLocal(@Nullable Source source) {
    if (source == null) {
      return LocalSystem.throwAway();
    }
    return source.data != null
        ? LocalSystem.in(source.data)
        : LocalSystem.of(source.load(System.getenv()).config());
  }
}
