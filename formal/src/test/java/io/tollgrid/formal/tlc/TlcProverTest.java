package io.tollgrid.formal.tlc;

import static org.assertj.core.api.Assertions.assertThat;

import io.tollgrid.formal.Proof;
import io.tollgrid.formal.Prover;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A proof holds only if TLC passed the model and saw every mutant fail for the named reason.
 * Witnesses no single rule: it guards the proofs of all of them.
 */
@Tag("slow")
class TlcProverTest {
  private static final String LIVE =
      "CONSTANT Weakened = {%s}%nSPECIFICATION FairSpec%nCHECK_DEADLOCK FALSE%nPROPERTY%n  %s%n";

  @TempDir private Path directory;
  private ToySpec toy;

  @BeforeEach
  void aSpecification() throws IOException {
    toy = new ToySpec(directory);
  }

  @Test
  void aModelThatPassesAndWhoseMutantFailsHolds() throws Exception {
    toy.config("Toy", ToySpec.checks("ItStaysSmall", ""))
        .config("Toy-mutant-NoLimit", ToySpec.mutant("ItStaysSmall"));

    final Proof proof = proof();

    assertThat(proof.holds()).isTrue();
    assertThat(proof.states()).isEqualTo(4);
    assertThat(proof.result()).isEqualTo("pass");
    assertThat(proof.mutants())
        .containsExactly(new Proof.Mutant("NoLimit", true, "caught by ItStaysSmall"));
  }

  @Test
  void aModelThatIsViolatedFails() throws Exception {
    toy.config("Toy", ToySpec.checks("ItNeverStarts", ""))
        .config("Toy-mutant-NoLimit", ToySpec.mutant("ItStaysSmall"));

    final Proof proof = proof();

    assertThat(proof.holds()).isFalse();
    assertThat(proof.result()).isEqualTo("fail: ItNeverStarts is violated");
  }

  @Test
  void anActionPropertyIsNamedLikeAnInvariant() throws Exception {
    toy.config(
            "Toy",
            ToySpec.checks("ItStaysSmall", "")
                .replace("INVARIANT ItStaysSmall", "PROPERTY ItOnlyShrinks"))
        .config("Toy-mutant-NoLimit", ToySpec.mutant("ItStaysSmall"));

    assertThat(proof().result()).isEqualTo("fail: ItOnlyShrinks is violated");
  }

  @Test
  void aMutantThatPassesIsMissed() throws Exception {
    toy.config("Toy", ToySpec.checks("ItStaysSmall", ""))
        .config(
            "Toy-mutant-NoLimit",
            "\\* caught by ItStaysSmall\n" + ToySpec.checks("ItStaysSmall", ""));

    assertMissed("missed by ItStaysSmall: every state passes");
  }

  @Test
  void aMutantCaughtByAnotherPropertyIsMissed() throws Exception {
    toy.config("Toy", ToySpec.checks("ItStaysSmall", ""))
        .config("Toy-mutant-NoLimit", ToySpec.mutant("ItOnlyGrows"));

    assertMissed("missed by ItOnlyGrows, although ItStaysSmall is violated");
  }

  @Test
  void aMutantThatDoesNotParseIsMissed() throws Exception {
    toy.config("Toy", ToySpec.checks("ItStaysSmall", ""))
        .config(
            "Toy-mutant-NoLimit",
            "\\* caught by ItStaysSmall\n" + ToySpec.checks("NoSuchInvariant", "\"NoLimit\""));

    final Proof proof = proof();

    assertThat(proof.holds()).isFalse();
    assertThat(proof.mutants().get(0).verdict()).startsWith("broken: ").contains("NoSuchInvariant");
  }

  @Test
  void aLivenessPropertyIsNamedFromItsConfiguration() throws Exception {
    toy.config("Toy", LIVE.formatted("\"NoLimit\"", "ItReachesFive"))
        .config(
            "Toy-mutant-NoLimit",
            "\\* caught by ItReachesFive\n" + LIVE.formatted("", "ItReachesFive"));

    final Proof proof = proof();

    assertThat(proof.result()).isEqualTo("pass");
    assertThat(proof.mutants().get(0).verdict()).isEqualTo("caught by ItReachesFive");
  }

  @Test
  void nothingOutsideTheScopeIsRun() throws Exception {
    toy.config("Toy", ToySpec.checks("ItStaysSmall", ""))
        .config("Toy-mutant-NoLimit", ToySpec.mutant("ItStaysSmall"));

    assertThat(
            new TlcProver(directory).prove(new Prover.Scope(false, List.of("Other")), line -> {}))
        .isEmpty();
  }

  private void assertMissed(String verdict) throws Exception {
    final Proof proof = proof();

    assertThat(proof.holds()).isFalse();
    assertThat(proof.mutants()).containsExactly(new Proof.Mutant("NoLimit", false, verdict));
  }

  private Proof proof() throws IOException, InterruptedException {
    return new TlcProver(directory).prove(Prover.Scope.EVERYTHING, line -> {}).get(0);
  }
}
