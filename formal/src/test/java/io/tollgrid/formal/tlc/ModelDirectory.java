package io.tollgrid.formal.tlc;

import io.tollgrid.formal.UnusableProofsException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Finds the models in a directory by the names of their files.
 *
 * <pre>
 * Spec.tla                      a specification; `Mutations` names the guards it can leave out
 * Spec.cfg, Spec-variant.cfg    must pass
 * ….-deep.cfg                   the same, larger
 * ….-mutant-Guard.cfg           must fail; its first line names the property: \* caught by Property
 * </pre>
 *
 * <p>Every mutation a specification declares must have its mutant, and every model at least one:
 * what cannot fail is no evidence.
 */
final class ModelDirectory {
  private static final String SUFFIX = ".cfg";
  private static final String DEEP = "-deep";
  private static final String MUTANT = "-mutant-";
  private static final Pattern CAUGHT_BY = Pattern.compile("\\\\\\* caught by (\\w+)");
  private static final Pattern MUTATIONS = Pattern.compile("(?s)\\nMutations == \\{(.*?)}");
  private static final Pattern QUOTED = Pattern.compile("\"(\\w+)\"");

  private ModelDirectory() {}

  /** The models in {@code directory}, by name. */
  static List<Model> read(Path directory) throws IOException {
    final Map<String, Path> configs = configs(directory);
    final Map<String, List<Model.Mutant>> mutants = new TreeMap<>();
    for (final Map.Entry<String, Path> config : configs.entrySet()) {
      final int at = config.getKey().indexOf(MUTANT);
      if (at >= 0) {
        mutants
            .computeIfAbsent(config.getKey().substring(0, at), base -> new ArrayList<>())
            .add(mutant(config.getKey().substring(at + MUTANT.length()), config.getValue()));
      }
    }
    final List<Model> models = new ArrayList<>();
    for (final Map.Entry<String, Path> config : configs.entrySet()) {
      final String name = config.getKey();
      if (!name.contains(MUTANT) && !name.endsWith(DEEP)) {
        final List<Model.Mutant> own = mutants.remove(name);
        if (own == null) {
          throw new UnusableProofsException(name + SUFFIX + " has no mutant that must fail");
        }
        models.add(
            new Model(
                name,
                module(directory, name),
                config.getValue(),
                Optional.ofNullable(configs.get(name + DEEP)),
                own));
      }
    }
    if (!mutants.isEmpty()) {
      throw new UnusableProofsException("there are mutants, but no model, of " + mutants.keySet());
    }
    requireEveryMutation(directory, models);
    return models;
  }

  private static Map<String, Path> configs(Path directory) throws IOException {
    if (!Files.isDirectory(directory)) {
      throw new UnusableProofsException("there are no specifications in " + directory);
    }
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .filter(file -> file.getFileName().toString().endsWith(SUFFIX))
          .collect(
              Collectors.toMap(ModelDirectory::nameOf, file -> file, (a, b) -> a, TreeMap::new));
    }
  }

  private static String nameOf(Path config) {
    final String file = config.getFileName().toString();
    return file.substring(0, file.length() - SUFFIX.length());
  }

  private static Model.Mutant mutant(String name, Path config) throws IOException {
    final Matcher matcher = CAUGHT_BY.matcher(Files.readString(config));
    if (!matcher.lookingAt()) {
      throw new UnusableProofsException(
          config.getFileName() + " does not begin with the property that catches it");
    }
    return new Model.Mutant(name, config, matcher.group(1));
  }

  private static String module(Path directory, String model) {
    final int dash = model.indexOf('-');
    final String module = dash < 0 ? model : model.substring(0, dash);
    if (!Files.exists(directory.resolve(module + ".tla"))) {
      throw new UnusableProofsException(model + SUFFIX + " is for no specification here");
    }
    return module;
  }

  private static void requireEveryMutation(Path directory, List<Model> models) throws IOException {
    final Map<String, Set<String>> tried = new TreeMap<>();
    for (final Model model : models) {
      final Set<String> names = tried.computeIfAbsent(model.module(), module -> new TreeSet<>());
      model.mutants().forEach(mutant -> names.add(mutant.name()));
    }
    for (final Map.Entry<String, Set<String>> module : tried.entrySet()) {
      final Set<String> declared = mutations(directory.resolve(module.getKey() + ".tla"));
      if (!declared.equals(module.getValue())) {
        throw new UnusableProofsException(
            module.getKey()
                + ".tla declares the mutations "
                + declared
                + ", but there are mutants of "
                + module.getValue());
      }
    }
  }

  private static Set<String> mutations(Path specification) throws IOException {
    final Matcher set = MUTATIONS.matcher(Files.readString(specification));
    if (!set.find()) {
      return Set.of();
    }
    return QUOTED
        .matcher(set.group(1))
        .results()
        .map((MatchResult quoted) -> quoted.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
