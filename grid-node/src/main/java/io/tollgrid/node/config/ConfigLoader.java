package io.tollgrid.node.config;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
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
import org.jspecify.annotations.Nullable;

/**
 * Reads a configuration: defaults, then the file, then the environment, then the command line,
 * later ones winning key by key.
 */
public final class ConfigLoader {
  private static final ObjectMapper YAML =
      new ObjectMapper(
              YAMLFactory.builder()
                  .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                  .enable(YAMLParser.Feature.PARSE_BOOLEAN_LIKE_WORDS_AS_STRINGS)
                  .build())
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

  private static final String PREFIX = "TOLLGRID_";
  private static final String TEST_PREFIX = PREFIX + "TEST_";

  /** Variables of the launcher, which are no settings. */
  private static final Set<String> NOT_SETTINGS =
      Set.of("TOLLGRID_JAVA_OPTS", "TOLLGRID_MAVEN_OPTS", "TOLLGRID_NO_BUILD", "TOLLGRID_JDK_ROOT");

  /** What Kubernetes puts into every container beside a service called "tollgrid…". */
  private static final Pattern SERVICE_LINK =
      Pattern.compile(
          "TOLLGRID_([A-Z0-9_]+_)?(SERVICE_HOST|SERVICE_PORT(_[A-Z0-9_]+)?"
              + "|PORT_[0-9]+_(TCP|UDP)(_(PROTO|PORT|ADDR))?)");

  private final Map<Key<?>, Value> values = new LinkedHashMap<>();

  private ConfigLoader() {}

  /** A value as it was understood, and where it came from. */
  private record Value(Object value, String origin) {}

  /**
   * Reads and checks a configuration.
   *
   * @param file the YAML file, or null to do without
   * @param environment the environment; only names that start with {@code TOLLGRID_} matter
   * @param stated values from the command line
   * @param workingDirectory what relative paths from the environment and the command line are
   *     relative to; those in the file are relative to its directory
   * @throws ConfigException for anything that is not exactly a valid configuration
   */
  public static EffectiveConfig load(
      @Nullable Path file,
      Map<String, String> environment,
      List<Stated> stated,
      Path workingDirectory) {
    final ConfigLoader loader = new ConfigLoader();
    if (file != null) {
      loader.readFile(file.toAbsolutePath());
    }
    loader.readEnvironment(environment, workingDirectory);
    stated.forEach(value -> loader.readStated(value, workingDirectory));
    final NodeConfig node = new Assembly(loader::find).node();
    return new EffectiveConfig(node, loader.settings());
  }

  private void readFile(Path file) {
    final JsonNode root;
    try {
      root = YAML.readTree(Files.readString(file));
    } catch (NoSuchFileException e) {
      throw new ConfigException("there is no configuration file " + file, e);
    } catch (JacksonException e) {
      throw new ConfigException(
          file + ", line " + line(e) + ": " + e.getOriginalMessage().lines().findFirst().orElse(""),
          e);
    } catch (IOException e) {
      throw new ConfigException("cannot read " + file + ": " + e.getMessage(), e);
    }
    if (root.isMissingNode() || root.isNull()) {
      return;
    }
    if (!root.isObject()) {
      throw new ConfigException(file + ": must be a map of settings");
    }
    readSection("", root, file);
  }

  private static int line(JacksonException e) {
    return e.getLocation() == null ? 0 : e.getLocation().getLineNr();
  }

  private void readSection(String prefix, JsonNode section, Path file) {
    for (final Map.Entry<String, JsonNode> field : section.properties()) {
      final String path = prefix + field.getKey();
      final Optional<Key<?>> key = keyNamed(path);
      if (key.isPresent()) {
        if (field.getValue().isNull()) {
          throw new ConfigException(
              path + ": has no value; state one or remove the key (" + file + ")");
        }
        final ValueType<?> type = key.get().type();
        put(key.get(), file.toString(), () -> type.fromYaml(field.getValue(), directoryOf(file)));
      } else if (isSection(path)) {
        if (!field.getValue().isObject()) {
          throw new ConfigException(path + ": must be a map of settings (" + file + ")");
        }
        readSection(path + ".", field.getValue(), file);
      } else {
        throw unknown(path, names(), file.toString());
      }
    }
  }

  private static Path directoryOf(Path file) {
    final Path parent = file.getParent();
    return parent == null ? file : parent;
  }

  private void readEnvironment(Map<String, String> environment, Path workingDirectory) {
    final Map<String, Key<?>> byVariable = new LinkedHashMap<>();
    Keys.ALL.forEach(key -> byVariable.put(key.variable(), key));
    for (final String name : new TreeSet<>(environment.keySet())) {
      if (!name.startsWith(PREFIX)
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
  }

  private void readStated(Stated stated, Path workingDirectory) {
    final Key<?> key =
        keyNamed(stated.key()).orElseThrow(() -> unknown(stated.key(), names(), stated.option()));
    put(key, stated.option(), () -> key.type().fromText(stated.text(), workingDirectory));
  }

  private void put(Key<?> key, String origin, Supplier<?> read) {
    try {
      values.put(key, new Value(read.get(), origin));
    } catch (ValueType.Refused e) {
      throw new ConfigException(key.path() + ": " + e.getMessage() + " (" + origin + ")", e);
    }
  }

  /** The value of a key, stated or default; the type parameter of the key vouches for the cast. */
  @SuppressWarnings("unchecked")
  private <T> Optional<T> find(Key<T> key) {
    final Value stated = values.get(key);
    return stated == null ? Optional.ofNullable(key.fallback()) : Optional.of((T) stated.value());
  }

  private List<EffectiveConfig.Setting> settings() {
    return Keys.ALL.stream().map(this::setting).toList();
  }

  private <T> EffectiveConfig.Setting setting(Key<T> key) {
    final Value stated = values.get(key);
    return new EffectiveConfig.Setting(
        key.path(),
        find(key).map(key.type()::show).orElse("(unset)"),
        stated == null ? "default" : stated.origin(),
        key.variable(),
        key.meaning());
  }

  private static Optional<Key<?>> keyNamed(String path) {
    return Keys.ALL.stream().filter(key -> key.path().equals(path)).findFirst();
  }

  private static boolean isSection(String path) {
    return Keys.ALL.stream().anyMatch(key -> key.path().startsWith(path + "."));
  }

  private static List<String> names() {
    return Keys.ALL.stream().<String>map(Key::path).toList();
  }

  private static ConfigException unknown(String written, Collection<String> valid, String origin) {
    final String hint =
        Spelling.nearest(written, valid).map(name -> "; did you mean " + name + "?").orElse("");
    return new ConfigException(written + ": there is no such setting" + hint + " (" + origin + ")");
  }
}
