package io.tollgrid.client.config;

import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/**
 * Reads values from one source after the other, later ones winning key by key. What is not among
 * its keys is refused. Not thread-safe.
 */
public final class SettingsReader {
  private static final String TEST_PREFIX = Key.PREFIX + "TEST_";

  /** Variables of the launcher, which are no settings. */
  private static final Set<String> NOT_SETTINGS =
      Set.of("TOLLGRID_JAVA_OPTS", "TOLLGRID_MAVEN_OPTS", "TOLLGRID_NO_BUILD", "TOLLGRID_JDK_ROOT");

  /** What Kubernetes puts into every container beside a service called "tollgrid…". */
  private static final Pattern SERVICE_LINK =
      Pattern.compile(
          "TOLLGRID_([A-Z0-9_]+_)?(SERVICE_HOST|SERVICE_PORT(_[A-Z0-9_]+)?"
              + "|PORT_[0-9]+_(TCP|UDP)(_(PROTO|PORT|ADDR))?)");

  private final List<Key<?>> keys;
  private final Map<Key<?>, Settings.Value> values = new LinkedHashMap<>();

  /** A reader that knows these keys, in the order a person reads them, and no others. */
  public SettingsReader(final List<Key<?>> keys) {
    this.keys = List.copyOf(keys);
  }

  /**
   * Reads a YAML file. Relative paths in it are relative to its directory.
   *
   * @throws ConfigException naming the file, and the key and line where there is one
   */
  public SettingsReader file(final Path file) {
    final Path absolute = file.toAbsolutePath();
    YamlFile.read(absolute).ifPresent(root -> section("", root, absolute));
    return this;
  }

  private void section(final String prefix, final Written.Fields section, final Path file) {
    for (final Map.Entry<String, Written> field : section.values().entrySet()) {
      final String path = prefix + field.getKey();
      final Written written = field.getValue();
      final String origin = file + ", line " + written.line();
      final Optional<Key<?>> key = keyNamed(path);
      if (key.isPresent()) {
        if (written instanceof Written.Nothing) {
          throw new ConfigException(
              path + ": has no value; state one or remove the key (" + origin + ")");
        }
        final ValueType<?> type = key.get().type();
        put(key.get(), origin, () -> type.fromYaml(written, directoryOf(file)));
      } else if (isSection(path)) {
        if (!(written instanceof Written.Fields inner)) {
          throw new ConfigException(path + ": must be a map of settings (" + origin + ")");
        }
        section(path + ".", inner, file);
      } else {
        throw unknown(path, names(), origin);
      }
    }
  }

  private static Path directoryOf(final Path file) {
    final Path parent = file.getParent();
    return parent == null ? file : parent;
  }

  /**
   * Reads environment variables; only names that start with {@code TOLLGRID_} matter.
   *
   * @param workingDirectory what relative paths are relative to
   * @throws ConfigException naming the variable or its key
   */
  public SettingsReader environment(
      final Map<String, String> environment, final Path workingDirectory) {
    final Map<String, Key<?>> byVariable = new LinkedHashMap<>();
    keys.forEach(key -> byVariable.put(key.variable(), key));
    for (final String name : new TreeSet<>(environment.keySet())) {
      if (!name.startsWith(Key.PREFIX)
          || name.startsWith(TEST_PREFIX)
          || NOT_SETTINGS.contains(name)
          || SERVICE_LINK.matcher(name).matches()) {
        continue;
      }
      final Key<?> key = byVariable.get(name);
      if (key == null) {
        throw unknown(name, byVariable.keySet(), "the environment");
      }
      final String text = environment.getOrDefault(name, "");
      put(key, name, () -> key.type().fromText(text, workingDirectory));
    }
    return this;
  }

  /**
   * Reads a value stated in words, as in the environment.
   *
   * @param workingDirectory what a relative path is relative to
   * @throws ConfigException naming the key and the option
   */
  public SettingsReader stated(final Stated stated, final Path workingDirectory) {
    final Key<?> key =
        keyNamed(stated.key()).orElseThrow(() -> unknown(stated.key(), names(), stated.option()));
    put(key, stated.option(), () -> key.type().fromText(stated.text(), workingDirectory));
    return this;
  }

  /**
   * Takes a value that needs no reading.
   *
   * @param origin who stated it, for messages
   * @throws ConfigException naming the key, if the value is out of its bounds
   */
  public <T> SettingsReader value(final Key<T> key, final T value, final String origin) {
    put(key, origin, () -> key.type().checked(value));
    return this;
  }

  /** What was read so far, with defaults for the rest. */
  public Settings settings() {
    return new Settings(keys, values);
  }

  private void put(final Key<?> key, final String origin, final Supplier<?> read) {
    try {
      values.put(key, new Settings.Value(read.get(), origin));
    } catch (ValueType.Refused e) {
      throw new ConfigException(key.path() + ": " + e.getMessage() + " (" + origin + ")", e);
    }
  }

  private Optional<Key<?>> keyNamed(final String path) {
    return keys.stream().filter(key -> key.path().equals(path)).findFirst();
  }

  private boolean isSection(final String path) {
    return keys.stream().anyMatch(key -> key.path().startsWith(path + "."));
  }

  private List<String> names() {
    return keys.stream().<String>map(Key::path).toList();
  }

  private static ConfigException unknown(
      final String written, final Collection<String> valid, final String origin) {
    final String hint =
        Spelling.nearest(written, valid).map(name -> "; did you mean " + name + "?").orElse("");
    return new ConfigException(written + ": there is no such setting" + hint + " (" + origin + ")");
  }
}
