package io.tollgrid.verification.house;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.EvaluationResult;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The allowed dependencies between modules, and from each module to the libraries it may use.
 *
 * <p>Whatever is not listed is forbidden. The rules are built for a root package, so that a test
 * can apply them to a small sample and see them fail.
 */
final class ModuleArrows {

  /** What every module may use. */
  private static final List<String> EVERYWHERE =
      List.of("java..", "org.slf4j..", "org.jspecify.annotations..");

  /**
   * One module.
   *
   * @param name its directory
   * @param packages its packages below the root package
   * @param dependsOn the packages of other modules that it may use
   * @param libraries what it may use besides; empty means everything
   */
  private record Module(
      String name, List<String> packages, List<String> dependsOn, List<String> libraries) {}

  private static final List<String> ANY_LIBRARY = List.of();

  private static final List<Module> MODULES =
      List.of(
          new Module("ledger", List.of("ledger"), List.of(), List.of("java..")),
          new Module("admission", List.of("admission"), List.of("ledger"), List.of("java..")),
          new Module(
              "mapstore",
              List.of("mapstore"),
              List.of("ledger"),
              List.of(
                  "javax.sql..",
                  "com.hazelcast.core..",
                  "com.hazelcast.map..",
                  "com.zaxxer.hikari..",
                  "org.postgresql..",
                  "org.flywaydb..",
                  "io.micrometer..")),
          new Module(
              "grid-client",
              List.of("grid", "client"),
              List.of("ledger", "admission"),
              List.of(
                  "javax.crypto..",
                  "com.hazelcast..",
                  "io.micrometer..",
                  "org.snakeyaml.engine..")),
          new Module(
              "jet-pipelines",
              List.of("pipelines"),
              List.of("ledger", "mapstore", "grid", "client"),
              List.of("com.hazelcast..", "io.micrometer..")),
          new Module(
              "grid-node",
              List.of("node"),
              List.of("ledger", "admission", "mapstore", "grid", "client", "pipelines"),
              ANY_LIBRARY));

  private final String root;

  ModuleArrows(String root) {
    this.root = root;
  }

  /** Every forbidden dependency among the given classes, one line each. */
  List<String> violations(JavaClasses classes) {
    return rules()
        .map(rule -> rule.allowEmptyShould(true).evaluate(classes))
        .flatMap(ModuleArrows::lines)
        .toList();
  }

  private static Stream<String> lines(EvaluationResult result) {
    return result.getFailureReport().getDetails().stream();
  }

  private Stream<ArchRule> rules() {
    return Stream.concat(
        MODULES.stream().map(this::arrowsOf),
        Stream.of(protocolKnowsNoClient(), onlyFencesTouchCp(), onlyTheClockReadsTime()));
  }

  private ArchRule arrowsOf(Module module) {
    List<String> allowed = new ArrayList<>(EVERYWHERE);
    allowed.addAll(inside(module.packages()));
    allowed.addAll(inside(module.dependsOn()));
    DescribedPredicate<JavaClass> ours = JavaClass.Predicates.resideInAnyPackage(root + "..");
    DescribedPredicate<JavaClass> permitted =
        JavaClass.Predicates.resideInAnyPackage(allowed.toArray(String[]::new))
            .or(primitivesAndTheirArrays());
    if (module.libraries().equals(ANY_LIBRARY)) {
      permitted = permitted.or(DescribedPredicate.not(ours));
    } else {
      permitted =
          permitted.or(
              JavaClass.Predicates.resideInAnyPackage(module.libraries().toArray(String[]::new)));
    }
    return classes()
        .that()
        .resideInAnyPackage(inside(module.packages()).toArray(String[]::new))
        .should()
        .onlyDependOnClassesThat(permitted)
        .as("module " + module.name() + " depends only on what its arrows allow");
  }

  /** Members load the protocol and must not need what a service embeds. */
  private ArchRule protocolKnowsNoClient() {
    return noClasses()
        .that()
        .resideInAPackage(root + ".grid..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage(root + ".client..");
  }

  /** CP is behind one port, so that a grid with another CP can replace it (docs/decisions/0001). */
  private ArchRule onlyFencesTouchCp() {
    return noClasses()
        .that()
        .resideInAPackage(root + "..")
        .and()
        .resideOutsideOfPackages(root + ".node.fence..", root + ".verification..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("com.hazelcast.cp..");
  }

  /** Time is passed in, or comes from an implementation of the clock port. */
  private ArchRule onlyTheClockReadsTime() {
    return noClasses()
        .that()
        .resideInAPackage(root + "..")
        .and()
        .resideOutsideOfPackage(root + ".verification..")
        .and(DescribedPredicate.not(implementsTheClock()))
        .should()
        .callMethod(System.class, "currentTimeMillis")
        .orShould()
        .callMethod(System.class, "nanoTime")
        .orShould()
        .callMethod(java.time.Instant.class, "now")
        .orShould()
        .callMethod(java.time.Clock.class, "systemUTC")
        .as("time is read only by an implementation of the clock port");
  }

  private DescribedPredicate<JavaClass> implementsTheClock() {
    return DescribedPredicate.describe(
        "implement the clock port",
        type ->
            type.getAllRawInterfaces().stream()
                .anyMatch(port -> port.getName().equals(root + ".ledger.port.LedgerClock")));
  }

  private static DescribedPredicate<JavaClass> primitivesAndTheirArrays() {
    return DescribedPredicate.describe(
        "are primitive", type -> type.getBaseComponentType().isPrimitive());
  }

  private List<String> inside(List<String> packages) {
    return packages.stream().map(name -> root + "." + name + "..").toList();
  }
}
