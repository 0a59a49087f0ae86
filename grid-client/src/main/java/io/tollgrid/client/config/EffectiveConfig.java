package io.tollgrid.client.config;

import java.util.List;
import java.util.stream.Collectors;

/**
 * A configuration and where each value of it came from.
 *
 * @param config what something runs with
 * @param settings every setting with its origin, in reading order
 * @param <C> the configuration of a node, or of an instance
 */
public record EffectiveConfig<C>(C config, List<Setting> settings) {
  /**
   * One setting.
   *
   * @param key its name
   * @param value its value as a person would write it; "(unset)" if it has none
   * @param origin where the value was stated, or "default"
   * @param variable the environment variable that overrides it
   * @param meaning what it does
   */
  public record Setting(String key, String value, String origin, String variable, String meaning) {}

  /** Keeps a copy of the list. */
  public EffectiveConfig {
    settings = List.copyOf(settings);
  }

  /** One line per setting: name, value, origin and meaning. Never holds a secret. */
  public String explain() {
    return settings.stream()
        .map(
            setting ->
                "%s = %s%n    from %s; %s; %s"
                    .formatted(
                        setting.key(),
                        setting.value(),
                        setting.origin(),
                        setting.variable(),
                        setting.meaning()))
        .collect(Collectors.joining(System.lineSeparator()));
  }
}
