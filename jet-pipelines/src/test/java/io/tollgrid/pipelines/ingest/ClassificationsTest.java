package io.tollgrid.pipelines.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.tollgrid.grid.usage.TakenUsage;
import io.tollgrid.grid.usage.UsageBatch;
import io.tollgrid.ledger.UsageVerdict;
import io.tollgrid.pipelines.testing.ManualClock;
import io.tollgrid.pipelines.testing.Usage;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Witnesses R20 and R22: what a batch that is taken again makes of events that are here. */
class ClassificationsTest {
  private final ManualClock clock = new ManualClock();
  private final Classifications classifications =
      new Classifications(clock, 100, new IngestReport(clock, new SimpleMeterRegistry()));
  private final UsageBatch batch = Usage.batch(1);
  private final TakenUsage taken = new TakenUsage(batch.key(), 0, batch.deliveries().get(0));

  @Test
  void anEventIsNotTakenTwiceUntilItComesBack() {
    assertThat(classifications.offered(taken)).isTrue();
    assertThat(classifications.offered(taken)).isFalse();

    classifications.heldBack(List.of(taken));

    assertThat(classifications.offered(taken)).isTrue();
    classifications.notTaken(taken);
    assertThat(classifications.offered(taken)).isTrue();
  }

  /** It would be recorded again, which answers the same and costs the ledger three more visits. */
  @Test
  void anEventWhoseClassificationIsNotWrittenDownYetIsNotTakenAgain() {
    assertThat(classifications.offered(taken)).isTrue();

    classifications.classified(List.of(taken), List.of(UsageVerdict.LEASED));

    assertThat(classifications.offered(taken)).isFalse();
  }
}
