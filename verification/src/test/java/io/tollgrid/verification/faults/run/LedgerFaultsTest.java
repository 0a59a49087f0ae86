package io.tollgrid.verification.faults.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Witnesses R1, R3, R10, R15, R16 and R20 on real processes: about a minute of kills, freezes past
 * a takeover, lost confirmations and slow stores, then a restart of the whole cluster.
 *
 * <p>The full harness is {@code ./tollgrid faults --ledger}. What this run must at least have met
 * is {@link Thresholds#quick}: counts, not times, so that it proves the same on a slow machine.
 */
@Tag("slow")
class LedgerFaultsTest {
  private static final long SEED = 7;

  @Test
  @Timeout(900)
  void aMinuteOfFaultsLeavesEveryLedgerExact() {
    final List<RunResult> results =
        new LedgerFaults(LedgerFaults.Options.quick(SEED, false), line -> System.err.println(line))
            .run();

    assertThat(results).hasSize(1);
    final RunResult result = results.get(0);
    assertThat(result.violations()).as("violations; counts %s", result.counts()).isEmpty();
    assertThat(result.shortfalls()).as("not shown; counts %s", result.counts()).isEmpty();
    assertThat(result.planted()).isNotEmpty().doesNotContainValue(false);
    assertThat(result.good()).isTrue();
  }
}
