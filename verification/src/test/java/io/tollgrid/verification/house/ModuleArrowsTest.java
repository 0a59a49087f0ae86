package io.tollgrid.verification.house;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Witnesses the arrows between modules, that CP stays behind its port, and that only the clock
 * reads time.
 *
 * <p>The sample below {@code sample} breaks each of them once, so that a rule that no longer bites
 * is noticed.
 */
class ModuleArrowsTest {

  private static final String SAMPLE = "io.tollgrid.verification.house.sample";

  @Test
  void theModulesKeepToTheirArrows() {
    JavaClasses product =
        new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .withImportOption(location -> !location.contains("-tests.jar"))
            .importPackages("io.tollgrid");

    assertThat(product).as("classes of the product on the class path").isNotEmpty();
    assertThat(new ModuleArrows("io.tollgrid").violations(product)).isEmpty();
  }

  @Test
  void everyModuleIsLookedAt() {
    JavaClasses product = new ClassFileImporter().importPackages("io.tollgrid");

    for (String name :
        List.of("ledger", "admission", "mapstore", "grid", "client", "pipelines", "node")) {
      assertThat(product.that(residesIn("io.tollgrid." + name))).as(name).isNotEmpty();
    }
  }

  @Test
  void eachForbiddenDependencyIsSeen() {
    List<String> violations =
        new ModuleArrows(SAMPLE).violations(new ClassFileImporter().importPackages(SAMPLE));

    assertThat(violations)
        .anyMatch(
            line -> line.contains("ledger.LedgerThatKnowsTheNode") && line.contains("node.Node"))
        .anyMatch(
            line ->
                line.contains("ledger.LedgerThatUsesALibrary")
                    && line.contains("HazelcastInstance"))
        .anyMatch(
            line ->
                line.contains("grid.ProtocolThatKnowsAClient") && line.contains("client.Client"))
        .anyMatch(line -> line.contains("node.NodeThatTouchesCp") && line.contains("IAtomicLong"))
        .anyMatch(line -> line.contains("node.NodeThatReadsTime") && line.contains("nanoTime"))
        .noneMatch(line -> line.contains("ClockAdapter"))
        .noneMatch(line -> line.contains("node.fence"))
        .noneMatch(line -> line.contains("Innocent"));
  }

  private static DescribedPredicate<JavaClass> residesIn(String name) {
    return JavaClass.Predicates.resideInAPackage(name + "..");
  }
}
