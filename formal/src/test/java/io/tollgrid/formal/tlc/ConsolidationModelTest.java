package io.tollgrid.formal.tlc;

import static org.assertj.core.api.Assertions.assertThat;

import io.tollgrid.formal.Proof;
import io.tollgrid.formal.Prover;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The smallest of the models, checked with every mutant in each build. Witnesses R2: no unit is
 * lost or doubled when leases are folded. The other models are the business of {@code ./tollgrid
 * prove}.
 */
@Tag("slow")
class ConsolidationModelTest {
  private static final Path REPOSITORY =
      Path.of(System.getProperty("tollgrid.repository", "..")).toAbsolutePath().normalize();

  @Test
  void itPassesEveryMutantOfItFailsAndThePageCountsItsStates()
      throws IOException, InterruptedException {
    final List<Proof> proofs =
        new TlcProver(REPOSITORY.resolve("formal/tla"))
            .prove(new Prover.Scope(false, List.of("Consolidation")), line -> {});

    assertThat(proofs).singleElement().matches(Proof::holds, "holds");
    assertThat(Files.readString(REPOSITORY.resolve("formal/README.md")))
        .contains("| `Consolidation` | " + Math.round(proofs.get(0).states() / 1e3) + " k |");
  }
}
