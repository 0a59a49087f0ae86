package io.tollgrid.verification.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.tollgrid.verification.house.Checkout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Witnesses the table of rules itself: `docs/RULES.md` names every rule once, and everything it
 * cites exists.
 *
 * <p>The first test checks the real table. The others check the check: a table in order passes, and
 * each way to be wrong is reported in words.
 */
class RulesTableTest {

  @Test
  void theTableAgreesWithTheTree() throws IOException {
    Path root = Checkout.root();
    RulesTable table = RulesTable.parse(Files.readString(root.resolve("docs/RULES.md")));

    assertThat(TableCheck.problems(table, SourceTree.read(root))).isEmpty();
  }

  /** A small checkout with one rule built, and tables that are wrong about it. */
  @Nested
  class OnASample {

    private static final String GOOD =
        "| R1 | Spend stays bounded. | `Lease#debit`, `sql:lease_conserved` |"
            + " `LeaseTest#neverOverspends` | `Spending.tla!Bounded` | debit without the"
            + " comparison, `R1.patch` | built |";

    private static final String LEASE =
        "/** Mentions class Ghost. */ class Lease { record Tail() {} long debit(long units) {"
            + " return credit(units); } }";

    private static final String PATCH =
        """
        Rule: R1
        Module: ledger
        Witness: LeaseTest#neverOverspends
        Fails: expected: refused

        --- a/ledger/src/main/java/Lease.java
        +++ b/ledger/src/main/java/Lease.java
        @@ -1 +1 @@
        -%s
        +class Lease {}
        """
            .formatted(LEASE);

    @TempDir Path root;

    @BeforeEach
    void writeSources() throws IOException {
      write("ledger/src/main/java/Lease.java", LEASE + "\n");
      write(
          "ledger/src/test/java/LeaseTest.java",
          "/** Witnesses R1. */ class LeaseTest { @Test void neverOverspends() {} }");
      write("ledger/src/test/java/Fixture.java", "/** Helps with R1. */ class Fixture {}");
      write(
          "mapstore/src/main/resources/V1.sql",
          "CREATE TABLE lease (CONSTRAINT lease_conserved CHECK (true)); -- CONSTRAINT"
              + " lease_imagined");
      write("formal/Spending.tla", "Bounded == spent <= given\n");
      write("verification/mutations/R1.patch", PATCH);
    }

    @Test
    void aTableInOrderHasNoProblems() {
      assertThat(check(GOOD)).isEmpty();
    }

    @Test
    void nestedTypesAndTypesWithoutMethodMayBeCited() {
      assertThat(check(GOOD.replace("`Lease#debit`", "`Lease.Tail`"))).isEmpty();
    }

    @Test
    void aMissingRowIsReported() {
      assertThat(check("")).containsExactly("R1: has no row", "R1.patch: is cited by 0 rows; 1");
    }

    @Test
    void aSecondRowIsReported() {
      assertThat(check(GOOD + "\n" + GOOD))
          .containsExactly("R1: has 2 rows", "R1.patch: is cited by 2 rows; 1");
    }

    @Test
    void aRowOfAnUnknownRuleIsReported() {
      assertThat(check(GOOD + "\n" + later("R58"))).containsExactly("R58: there is no such rule");
    }

    @Test
    void aRowWithACellMissingIsReported() {
      assertThat(check(GOOD + "\n| R2 | too | short |"))
          .contains("not a row of seven cells: | R2 | too | short |");
    }

    @Test
    void aTypeThatOnlyACommentMentionsIsReported() {
      assertThat(check(GOOD.replace("`Lease#debit`", "`Ghost`")))
          .containsExactly("R1: cites `Ghost`, and no source declares Ghost");
    }

    @Test
    void aMethodThatIsOnlyCalledIsReported() {
      assertThat(check(GOOD.replace("Lease#debit", "Lease#credit")))
          .containsExactly("R1: cites `Lease#credit`, and the type has no method credit");
    }

    @Test
    void aMissingTestMethodIsReported() {
      assertThat(check(GOOD.replace("#neverOverspends", "#oftenOverspends")))
          .containsExactly(
              "R1: cites `LeaseTest#oftenOverspends`, and the type has no method oftenOverspends",
              "R1: does not cite `LeaseTest#neverOverspends`, the witness of R1.patch");
    }

    @Test
    void aTestClassWithoutTestsIsReported() {
      assertThat(check(GOOD.replace("LeaseTest#neverOverspends", "Fixture")))
          .containsExactly(
              "R1: cites `Fixture` as a test, and it holds none",
              "R1: does not cite `LeaseTest#neverOverspends`, the witness of R1.patch");
    }

    @Test
    void aTestThatDoesNotNameTheRuleIsReported() {
      assertThat(check(GOOD + "\n" + GOOD.replace("R1 |", "R2 |").replace("R1.patch", "R2.patch")))
          .contains(
              "R2: cites `LeaseTest#neverOverspends`, which does not say that it witnesses the"
                  + " rule");
    }

    @Test
    void aConstraintThatIsOnlyInACommentIsReported() {
      assertThat(check(GOOD.replace("lease_conserved", "lease_imagined")))
          .containsExactly("R1: cites `sql:lease_imagined`, and no migration declares it");
    }

    @Test
    void aMissingModuleAndAMissingInvariantAreReported() {
      assertThat(check(GOOD.replace("Spending.tla", "Saving.tla")))
          .containsExactly("R1: cites `Saving.tla!Bounded`, and there is no such module");
      assertThat(check(GOOD.replace("!Bounded", "!Unbounded")))
          .containsExactly(
              "R1: cites `Spending.tla!Unbounded`, and the module does not define Unbounded");
    }

    @Test
    void aMutationThatIsNotRecordedIsReported() {
      assertThat(check(GOOD.replace("R1.patch", "R9.patch")))
          .containsExactly(
              "R1: cites `R9.patch`, and no such mutation is recorded",
              "R1.patch: is cited by 0 rows; 1");
    }

    @Test
    void aMutationOfAnotherRuleIsReported() throws IOException {
      write("verification/mutations/R1.patch", PATCH.replace("Rule: R1", "Rule: R2"));

      assertThat(check(GOOD)).containsExactly("R1: cites `R1.patch`, which is of R2");
    }

    @Test
    void aMutationWhoseWitnessTheRowDoesNotCiteIsReported() throws IOException {
      write("ledger/src/test/java/OtherTest.java", "class OtherTest { @Test void holds() {} }");
      write(
          "verification/mutations/R1.patch",
          PATCH.replace("LeaseTest#neverOverspends", "OtherTest#holds"));

      assertThat(check(GOOD))
          .containsExactly("R1: does not cite `OtherTest#holds`, the witness of R1.patch");
    }

    @Test
    void aMutationWhoseWitnessIsGoneOrElsewhereIsReported() throws IOException {
      write("verification/mutations/R1.patch", PATCH.replace("#never", "#seldom"));
      assertThat(check(GOOD.replace("#neverOverspends", "")))
          .containsExactly("R1.patch: there is no witness LeaseTest#seldomOverspends");

      write(
          "verification/mutations/R1.patch", PATCH.replace("Module: ledger", "Module: admission"));
      assertThat(check(GOOD)).containsExactly("R1.patch: its witness is not in admission");
    }

    @Test
    void aMutationThatDoesNotSayHowItIsSeenIsReported() throws IOException {
      write("verification/mutations/R1.patch", PATCH.replace("Fails: expected: refused\n", ""));

      assertThat(check(GOOD))
          .containsExactly("R1.patch: does not say in which words its witness fails");
    }

    @Test
    void aMutationThatDoesNotApplyAnyMoreIsReported() throws IOException {
      write("ledger/src/main/java/Lease.java", LEASE.replace("long units", "long u") + "\n");
      assertThat(check(GOOD))
          .containsExactly(
              "R1.patch: does not apply any more: ledger/src/main/java/Lease.java has changed");

      write("verification/mutations/R1.patch", PATCH.replace("Lease.java", "Least.java"));
      assertThat(check(GOOD))
          .containsExactly(
              "R1.patch: does not apply any more: there is no ledger/src/main/java/Least.java");
    }

    @Test
    void aMutationThatChangesNothingIsReported() throws IOException {
      write(
          "verification/mutations/R1.patch",
          PATCH.replace("-/**", " /**").replace("+class Lease {}\n", ""));

      assertThat(check(GOOD)).containsExactly("R1.patch: changes nothing");
    }

    @Test
    void aMutationInWordsAloneIsReported() {
      assertThat(check(GOOD.replace("`R1.patch`", "as one would expect")))
          .containsExactly(
              "R1: is built and names no recorded mutation under which its witness fails",
              "R1.patch: is cited by 0 rows; 1");
      assertThat(check(GOOD.replace("debit without the comparison, ", "")))
          .containsExactly("R1: does not say in words what its mutation does");
    }

    @Test
    void aCitationNobodyCanFollowIsReported() {
      assertThat(check(GOOD.replace("`sql:lease_conserved`", "`lease_conserved`")))
          .containsExactly(
              "R1: cites `lease_conserved`, which is neither a Java type nor sql:name");
    }

    @Test
    void aBuiltRuleWithoutEnforcementWitnessOrMutationIsReported() {
      assertThat(check("| R1 | Spend stays bounded. | | | | | built |"))
          .containsExactly(
              "R1: is built and cites nothing that enforces it",
              "R1: is built and cites no test",
              "R1: is built and names no recorded mutation under which its witness fails",
              "R1.patch: is cited by 0 rows; 1");
    }

    @Test
    void aRuleBuiltInPartOwesTheSameAndSaysWhoBuildsTheRest() {
      assertThat(
              check("| R1 | Spend stays bounded. | `Lease` | | | | built in part; not built: x |"))
          .hasSize(3);
      assertThat(check(GOOD.replace("| built |", "| built in part; not built: the kernel |")))
          .isEmpty();
    }

    @Test
    void aStateThatSaysNeitherBuiltNorByWhomIsReported() {
      for (String state :
          List.of("", "not built", "not built:", "in progress: x", "done", "TODO")) {
        assertThat(check("| R1 | Spend stays bounded. | | | | | " + state + " |"))
            .as(state)
            .hasSize(2)
            .anyMatch(problem -> problem.contains("which part of the product will build it"));
      }
    }

    @Test
    void aStatementThatIsALectureIsReported() {
      assertThat(check(GOOD.replace("Spend stays bounded.", "a b c d e f g h i j k l m")))
          .containsExactly("R1: its statement has 13 words; 1 to 12");
    }

    /** Checks a table of the given rows, with every rule they leave out except R1 filled in. */
    private List<String> check(String rows) {
      String others =
          IntStream.rangeClosed(2, 57)
              .mapToObj(number -> "R" + number)
              .filter(rule -> !rows.contains("| " + rule + " |"))
              .map(RulesTableTest::later)
              .collect(Collectors.joining("\n"));
      String table = "| Rule | … |\n|---|---|\n" + rows + "\n" + others + "\n" + later("Formulas");
      return TableCheck.problems(RulesTable.parse(table), SourceTree.read(root));
    }

    private void write(String path, String text) throws IOException {
      Path file = root.resolve(path);
      Files.createDirectories(file.getParent());
      Files.writeString(file, text);
    }
  }

  private static String later(String rule) {
    return "| " + rule + " | Said briefly. | | | | | not built: a later part |";
  }
}
