package io.tollgrid.formal.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import de.uka.ilkd.key.strategy.StrategyProperties;
import io.tollgrid.formal.Proof;
import io.tollgrid.formal.Prover;
import io.tollgrid.formal.UnusableProofsException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What KeY is asked, and that it can say no. Witnesses no single rule: it guards the proofs of all
 * of them.
 */
@Tag("slow")
class KeyProverTest {
  private static final String SUM = "a > Long.MAX_VALUE - b ? -1 : a + b";
  private static final String TOY =
      """
      package io.tollgrid.toy;

      final class Toy {
        /*@ normal_behavior
        @ requires a >= 0 && b >= 0;
        @ ensures \\result == (a + b <= Long.MAX_VALUE ? a + b : -1);
        @ assignable \\strictly_nothing;
        @*/
        static long sum(long a, long b) {
          return %s;
        }
      }
      """;

  @TempDir private Path directory;

  @Test
  void integersWrapAndTheSearchIsTheNamedOne() {
    assertThat(KeySettings.LOGIC).containsEntry("intRules", "javaSemantics");
    assertThat(KeySettings.SEARCH)
        .containsEntry(
            StrategyProperties.NON_LIN_ARITH_OPTIONS_KEY, StrategyProperties.NON_LIN_ARITH_DEF_OPS);
  }

  @Test
  void aPlantedOverflowStaysOpenAndAHarmlessChangeIsMissed() throws IOException {
    final Proof proof =
        prove(
            SUM,
            new Mutation("Toy#sum", "Overflow", "return " + SUM, "return a + b"),
            new Mutation("Toy#sum", "Harmless", "return a", "return b >= 0 && a"));

    assertThat(proof.result()).isEqualTo("pass");
    assertThat(proof.mutants()).extracting(Proof.Mutant::caught).containsExactly(true, false);
    assertThat(proof.mutants().get(1).verdict()).startsWith("missed");
    assertThat(proof.holds()).isFalse();
  }

  @Test
  void aSumThatWrapsIsNotProved() throws IOException {
    assertThat(prove("a + b").result()).startsWith("fail: ");
  }

  @Test
  void aMutantWhoseTextIsNotThereOrIsThereTwiceIsRefused() {
    final Mutation mutation = new Mutation("Toy#sum", "Overflow", "x + y", "x");

    assertThat(mutation.applyTo("return x + y;")).isEqualTo("return x;");
    for (final String source : List.of("return y + x;", "x + y == x + y")) {
      assertThatThrownBy(() -> mutation.applyTo(source))
          .isInstanceOf(UnusableProofsException.class)
          .hasMessageContaining("Overflow of Toy#sum does not apply");
    }
  }

  @Test
  void aMutantOfNoProofIsRefused() {
    assertThatThrownBy(() -> prove(SUM, new Mutation("Toy#product", "Overflow", "a + b", "a * b")))
        .isInstanceOf(UnusableProofsException.class)
        .hasMessageContaining("Toy#product");
  }

  private Proof prove(String sum, Mutation... mutations) throws IOException {
    Files.writeString(directory.resolve("Toy.java"), TOY.formatted(sum));
    return new KeyProver(directory, List.of("Toy.java"), List.of(), List.of(mutations))
        .prove(Prover.Scope.EVERYTHING, line -> {})
        .get(0);
  }
}
