package io.tollgrid.verification.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Witnesses that `docs/dependencies.md` names every library a node runs with, at its version.
 *
 * <p>The first test looks at the class path that the build of `grid-node` wrote for the launcher;
 * it turns red when a version changes in `pom.xml` and the table is not reviewed with it. The
 * others check the check.
 */
class DependencyTableTest {

  private static final String GOOD =
      "| `org.example`: `one`, `two` | 1.2 | MIT | examples | none found |";
  private static final List<String> SHIPPED =
      List.of(
          "/repository/org/example/one/1.2/one-1.2.jar",
          "/repository/org/example/two/1.2/two-1.2-linux.jar",
          "/repository/org/example/two/1.2/two-1.2.jar");

  @Test
  void theTableNamesWhatANodeRunsWith() throws IOException {
    Path written = Checkout.root().resolve("grid-node/target/classpath.txt");
    assertThat(written).as("the class path that a build of grid-node writes").exists();
    List<String> jars = List.of(Files.readString(written).strip().split(File.pathSeparator));

    DependencyTable table =
        DependencyTable.parse(Files.readString(Checkout.root().resolve("docs/dependencies.md")));

    assertThat(table.problems(jars)).isEmpty();
  }

  @Test
  void aTableInOrderPasses() {
    assertThat(DependencyTable.parse(GOOD).problems(SHIPPED)).isEmpty();
  }

  @Test
  void aJarThatIsNotNamedIsSeen() {
    assertThat(problems(GOOD.replace(", `two`", "")))
        .containsExactly(
            "/repository/org/example/two/1.2/two-1.2-linux.jar: is shipped and not in the table",
            "/repository/org/example/two/1.2/two-1.2.jar: is shipped and not in the table");
  }

  @Test
  void anotherVersionIsSeen() {
    assertThat(problems(GOOD.replace("1.2", "1.3")))
        .hasSize(3)
        .allMatch(problem -> problem.endsWith("is in the table at 1.3"));
  }

  @Test
  void anotherGroupIsSeen() {
    assertThat(problems(GOOD.replace("org.example", "net.example")))
        .contains("net.example:one: is in the table and not shipped")
        .anyMatch(problem -> problem.contains("one-1.2.jar: is shipped"));
  }

  @Test
  void whatIsNoLongerShippedIsSeen() {
    assertThat(problems(GOOD.replace("`two`", "`two`, `three`")))
        .containsExactly("org.example:three: is in the table and not shipped");
  }

  @Test
  void anEmptyCellIsSeen() {
    assertThat(problems(GOOD.replace("none found", "")))
        .containsExactly("org.example: names no artifact, or does not fill 5 cells");
  }

  private static List<String> problems(String page) {
    return DependencyTable.parse(page).problems(SHIPPED);
  }
}
