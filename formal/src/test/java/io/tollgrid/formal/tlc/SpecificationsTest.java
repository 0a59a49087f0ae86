package io.tollgrid.formal.tlc;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The specifications of this checkout, and the page that ties them to code. Witnesses no single
 * rule: it guards the proofs of R1–R6, R8, R10–R16, R18, R20, R21, R30, R31 and R35–R38. What TLC
 * says of them is the business of {@code ./tollgrid prove}.
 */
class SpecificationsTest {
  private static final int FEWEST_MUTANTS = 3;
  private static final Pattern CITATION = Pattern.compile("`([A-Z]\\w*[a-z]\\w*)(?:#(\\w+))?`");

  private static final Path REPOSITORY =
      Path.of(System.getProperty("tollgrid.repository", "..")).toAbsolutePath().normalize();
  private static final Path SPECIFICATIONS = REPOSITORY.resolve("formal/tla");

  /** The sources of each Java type, by its name; two types may share one. */
  private static Map<String, String> types = Map.of();

  private static String specifications = "";

  @BeforeAll
  static void readTheCheckout() throws IOException {
    types = new TreeMap<>();
    try (Stream<Path> modules = Files.list(REPOSITORY)) {
      for (final Path module : modules.filter(m -> Files.isDirectory(m.resolve("src"))).toList()) {
        sources(module.resolve("src"), ".java")
            .forEach(
                file ->
                    types.merge(
                        file.getFileName().toString().replace(".java", ""),
                        read(file),
                        String::concat));
      }
    }
    specifications =
        sources(SPECIFICATIONS, ".tla").stream()
            .map(file -> file.getFileName() + read(file))
            .collect(Collectors.joining());
  }

  @Test
  void everySpecificationCanFailInSeveralWays() throws IOException {
    final List<Model> models = ModelDirectory.read(SPECIFICATIONS);

    assertThat(models)
        .extracting(Model::name)
        .contains("LedgerFencing", "LeaseLifecycle", "Consolidation", "Reservation", "Capacity")
        .contains("RefillOwner", "Status", "Generations", "UsageIngest");
    assertThat(models).allSatisfy(model -> assertThat(model.deeper()).isPresent());
    assertThat(models)
        .allSatisfy(
            model -> assertThat(model.mutants()).hasSizeGreaterThanOrEqualTo(FEWEST_MUTANTS));
  }

  @Test
  void aMutantDiffersFromItsModelInItsGuardAndNeverInWhatItChecks() throws IOException {
    for (final Model model : ModelDirectory.read(SPECIFICATIONS)) {
      final String properties = properties(model.config());
      for (final Model.Mutant mutant : model.mutants()) {
        final String config = read(mutant.config());
        assertThat(config).contains("Weakened = {\"" + mutant.name() + "\"}\n");
        assertThat(properties(mutant.config())).isEqualTo(properties).contains(mutant.property());
      }
    }
  }

  @Test
  void everythingThePageCitesExists() {
    final List<MatchResult> citations =
        CITATION.matcher(read(REPOSITORY.resolve("formal/README.md"))).results().toList();

    assertThat(citations).hasSizeGreaterThan(100);
    assertThat(citations.stream().filter(citation -> !exists(citation)).map(MatchResult::group))
        .isEmpty();
  }

  @Test
  void thePageNamesEveryModelAndEveryMutant() throws IOException {
    final String page = read(REPOSITORY.resolve("formal/README.md"));
    for (final Model model : ModelDirectory.read(SPECIFICATIONS)) {
      assertThat(page).contains("| `" + model.name() + "` |");
      assertThat(model.mutants())
          .allSatisfy(mutant -> assertThat(page).contains("`" + mutant.name() + "`"));
    }
  }

  @Test
  void thePageCountsTheStatesOfEveryModel() throws IOException {
    final String page = read(REPOSITORY.resolve("formal/README.md"));

    for (final Model model : ModelDirectory.read(SPECIFICATIONS)) {
      assertThat(page).containsPattern("\\| `" + model.name() + "` \\| \\d+ k \\|");
    }
  }

  /** A Java type, perhaps with a method, or a word of a specification. */
  private static boolean exists(MatchResult citation) {
    final String name = citation.group(1);
    final String method = citation.group(2);
    if (method != null) {
      return types.getOrDefault(name, "").contains(" " + method + "(");
    }
    return types.containsKey(name)
        || Pattern.compile("\\b" + name + "\\b").matcher(specifications).find();
  }

  private static String properties(Path config) {
    final String text = read(config);
    return text.substring(text.indexOf("SPECIFICATION"));
  }

  private static List<Path> sources(Path directory, String suffix) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      return files.filter(file -> file.toString().endsWith(suffix)).toList();
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
