package io.tollgrid.formal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * The answer of a proof run: what it takes to hold, and its two forms. Witnesses no single rule: it
 * guards the proofs of all of them.
 */
class ProveTest {
  private static final Proof.Mutant CAUGHT = new Proof.Mutant("NoLimit", true, "caught by Small");
  private static final Proof.Mutant MISSED = new Proof.Mutant("NoLimit", false, "missed by Small");

  @Test
  void everyProofMustPassAndEveryMutantBeCaught() throws Exception {
    assertThat(report(passed(CAUGHT)).holds()).isTrue();
    assertThat(report(passed(CAUGHT, MISSED)).holds()).isFalse();
    assertThat(report(passed()).holds()).isFalse();
    assertThat(report(new Proof("A", 4, Optional.of("Small is violated"), List.of(CAUGHT))).holds())
        .isFalse();
    assertThat(report().holds()).isFalse();
  }

  @Test
  void theJsonNamesStatesResultAndMutants() throws Exception {
    assertThat(new ObjectMapper().readTree(report(passed(CAUGHT)).asJson()))
        .isEqualTo(
            new ObjectMapper()
                .readTree(
                    "{\"specs\":{\"A\":{\"states\":4,\"result\":\"pass\","
                        + "\"mutants\":{\"NoLimit\":\"caught by Small\"}}}}"));
  }

  @Test
  void theTextNamesEveryMutantAndSumsUp() throws Exception {
    assertThat(report(passed(CAUGHT, MISSED)).asText())
        .contains("4 examined  pass")
        .contains("caught by Small")
        .contains("missed by Small")
        .endsWith(String.format("0 of 1 proofs hold; 2 mutants%n"));
  }

  @Test
  void aSubjectNobodyKnowsIsRefused() {
    assertThatThrownBy(
            () ->
                new Prove(List.of(prover(passed(CAUGHT))))
                    .run(new Prover.Scope(false, List.of("B")), line -> {}))
        .isInstanceOf(UnusableProofsException.class)
        .hasMessageContaining("nothing called B");
  }

  private static Proof passed(Proof.Mutant... mutants) {
    return new Proof("A", 4, Optional.empty(), List.of(mutants));
  }

  private static Prove.Report report(Proof... proofs) throws Exception {
    return new Prove(List.of(prover(proofs))).run(Prover.Scope.EVERYTHING, line -> {});
  }

  private static Prover prover(Proof... proofs) {
    return new Prover() {
      @Override
      public String section() {
        return "specs";
      }

      @Override
      public List<Proof> prove(Scope scope, Progress progress) {
        return List.of(proofs);
      }
    };
  }
}
