package io.tollgrid.client.config;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * One setting. Immutable.
 *
 * @param path its name in the file, sections separated by dots
 * @param type how its value is read
 * @param fallback its value when nobody states one; null if it has none
 * @param meaning what it does, for a person
 * @param <T> what its value becomes
 */
public record Key<T>(String path, ValueType<T> type, @Nullable T fallback, String meaning) {
  /** What the name of every variable begins with. */
  static final String PREFIX = "TOLLGRID_";

  /** The environment variable that overrides it: {@code a.bC} is {@code TOLLGRID_A_B_C}. */
  public String variable() {
    return PREFIX + path.replaceAll("([A-Z])", "_$1").replace('.', '_').toUpperCase(Locale.ROOT);
  }

  /**
   * Refuses a combination of values that this key could change.
   *
   * @param problem what is wrong, in words that follow the key
   * @throws ConfigException unless {@code holds}
   */
  public void check(final boolean holds, final String problem) {
    if (!holds) {
      throw refused(problem);
    }
  }

  /** The refusal of this key; {@code problem} says what is wrong, in words that follow the key. */
  public ConfigException refused(final String problem) {
    return new ConfigException(path + ": " + problem);
  }
}
