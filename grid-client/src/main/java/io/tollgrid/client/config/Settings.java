package io.tollgrid.client.config;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The value of each key, stated or default, and where it came from. Immutable. */
public final class Settings {
  private final List<Key<?>> keys;
  private final Map<Key<?>, Value> values;

  Settings(final List<Key<?>> keys, final Map<Key<?>, Value> values) {
    this.keys = keys;
    this.values = new LinkedHashMap<>(values);
  }

  /** A value as it was understood, and where it came from. */
  record Value(Object value, String origin) {}

  /** The value of a key; empty if nobody stated one and there is no default. */
  // The type parameter of the key vouches for the cast: only values of its type are put there.
  @SuppressWarnings("unchecked")
  public <T> Optional<T> find(final Key<T> key) {
    final Value stated = values.get(key);
    return stated == null ? Optional.ofNullable(key.fallback()) : Optional.of((T) stated.value());
  }

  /**
   * The value of a key.
   *
   * @throws ConfigException if it has none
   */
  public <T> T must(final Key<T> key) {
    return find(key).orElseThrow(() -> key.refused("is missing"));
  }

  /** A configuration made of these values, with the explanation of each. */
  public <C> EffectiveConfig<C> explain(final C config) {
    return new EffectiveConfig<>(config, keys.stream().map(this::setting).toList());
  }

  private <T> EffectiveConfig.Setting setting(final Key<T> key) {
    final Value stated = values.get(key);
    return new EffectiveConfig.Setting(
        key.path(),
        find(key).map(key.type()::show).orElse("(unset)"),
        stated == null ? "default" : stated.origin(),
        key.variable(),
        key.meaning());
  }
}
