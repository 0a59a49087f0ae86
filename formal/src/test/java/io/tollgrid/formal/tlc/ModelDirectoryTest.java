package io.tollgrid.formal.tlc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.tollgrid.formal.UnusableProofsException;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What is to be proved is found by name, and nothing that cannot fail counts. Witnesses no single
 * rule: it guards the proofs of all of them.
 */
class ModelDirectoryTest {
  @TempDir private Path directory;
  private ToySpec toy;

  @BeforeEach
  void aSpecification() throws IOException {
    toy = new ToySpec(directory);
  }

  @Test
  void aModelHasItsMutantsAndItsLargerForm() throws IOException {
    toy.config("Toy", ToySpec.checks("ItStaysSmall", ""))
        .config("Toy-deep", ToySpec.checks("ItStaysSmall", ""))
        .config("Toy-mutant-NoLimit", ToySpec.mutant("ItStaysSmall"));

    final Model model = ModelDirectory.read(directory).get(0);

    assertThat(model.name()).isEqualTo("Toy");
    assertThat(model.module()).isEqualTo("Toy");
    assertThat(model.config(false)).hasFileName("Toy.cfg");
    assertThat(model.config(true)).hasFileName("Toy-deep.cfg");
    assertThat(model.mutants())
        .extracting(Model.Mutant::name, Model.Mutant::property)
        .containsExactly(tuple("NoLimit", "ItStaysSmall"));
  }

  @Test
  void aVariantIsAModelOfItsOwn() throws IOException {
    toy.config("Toy-small", ToySpec.checks("ItStaysSmall", ""))
        .config("Toy-small-mutant-NoLimit", ToySpec.mutant("ItStaysSmall"));

    assertThat(ModelDirectory.read(directory))
        .extracting(Model::name, Model::module)
        .containsExactly(tuple("Toy-small", "Toy"));
  }

  @Test
  void aModelWithoutAMutantIsRefused() throws IOException {
    toy.config("Toy", ToySpec.checks("ItStaysSmall", ""));

    assertRefused("Toy.cfg has no mutant");
  }

  @Test
  void aMutantWithoutItsModelIsRefused() throws IOException {
    toy.config("Tiy-mutant-NoLimit", ToySpec.mutant("ItStaysSmall"));

    assertRefused("there are mutants, but no model, of [Tiy]");
  }

  @Test
  void aMutationWithoutItsMutantIsRefused() throws IOException {
    toy.config("Toy", ToySpec.checks("ItStaysSmall", ""))
        .config("Toy-mutant-NoLimits", ToySpec.mutant("ItStaysSmall"));

    assertRefused("declares the mutations [NoLimit], but there are mutants of [NoLimits]");
  }

  @Test
  void aMutantThatDoesNotSayWhatCatchesItIsRefused() throws IOException {
    toy.config("Toy", ToySpec.checks("ItStaysSmall", ""))
        .config("Toy-mutant-NoLimit", ToySpec.checks("ItStaysSmall", "\"NoLimit\""));

    assertRefused("Toy-mutant-NoLimit.cfg does not begin with the property that catches it");
  }

  @Test
  void aMissingDirectoryIsRefused() {
    assertThatThrownBy(() -> ModelDirectory.read(directory.resolve("nowhere")))
        .isInstanceOf(UnusableProofsException.class);
  }

  private void assertRefused(String message) {
    assertThatThrownBy(() -> ModelDirectory.read(directory))
        .isInstanceOf(UnusableProofsException.class)
        .hasMessageContaining(message);
  }
}
