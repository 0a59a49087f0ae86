package io.tollgrid.node.config;

import io.tollgrid.client.config.EffectiveConfig;
import io.tollgrid.client.config.Settings;
import io.tollgrid.client.config.SettingsReader;
import io.tollgrid.client.config.Stated;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads the configuration of a node: defaults, then the file, then the environment, then the
 * command line, later ones winning key by key.
 */
public final class ConfigLoader {
  private ConfigLoader() {}

  /**
   * Reads and checks a configuration.
   *
   * @param file the YAML file, or null to do without
   * @param environment the environment; only names that start with {@code TOLLGRID_} matter
   * @param stated values from the command line
   * @param workingDirectory what relative paths from the environment and the command line are
   *     relative to; those in the file are relative to its directory
   * @throws io.tollgrid.client.config.ConfigException for anything that is not exactly a valid
   *     configuration
   */
  public static EffectiveConfig<NodeConfig> load(
      @Nullable Path file,
      Map<String, String> environment,
      List<Stated> stated,
      Path workingDirectory) {
    final SettingsReader reader = new SettingsReader(Keys.ALL);
    if (file != null) {
      reader.file(file);
    }
    reader.environment(environment, workingDirectory);
    stated.forEach(value -> reader.stated(value, workingDirectory));
    final Settings settings = reader.settings();
    return settings.explain(new Assembly(settings).node());
  }
}
