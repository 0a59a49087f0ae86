package io.tollgrid.node.config;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * One setting of a node.
 *
 * @param path its name in the file, sections separated by dots
 * @param type how its value is read
 * @param fallback its value when nobody states one; null if it has none
 * @param meaning what it does, for {@code config --explain}
 * @param <T> what its value becomes
 */
record Key<T>(String path, ValueType<T> type, @Nullable T fallback, String meaning) {
  private static final String PREFIX = "TOLLGRID_";

  /** The environment variable that overrides it: {@code a.bC} is {@code TOLLGRID_A_B_C}. */
  String variable() {
    return PREFIX + path.replaceAll("([A-Z])", "_$1").replace('.', '_').toUpperCase(Locale.ROOT);
  }
}
