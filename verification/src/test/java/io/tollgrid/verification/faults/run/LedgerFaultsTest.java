package io.tollgrid.verification.faults.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Witnesses R3, R10, R11, R15, R16 and R20 on three members in processes of their own, while each
 * kind of fault happens at least once: no acknowledgement is lost, no refusal contradicted, no
 * fence used again, no account unbalanced; and every break planted into that very evidence is
 * found.
 */
@Tag("slow")
class LedgerFaultsTest {
  private static final long SEED = 7;

  @Test
  @Timeout(600)
  void aShortRunIsExactAndItsFaultsBit() throws Exception {
    final LedgerFaults harness =
        new LedgerFaults(
            new LedgerFaults.Options(
                true, false, List.of(3), SEED, Duration.ofSeconds(40), true, false, false),
            System.err::println);

    final List<RunResult> results = harness.run();

    assertThat(results).hasSize(1);
    final RunResult run = results.get(0);
    assertThat(run.violations()).isEmpty();
    assertThat(run.shortfalls()).isEmpty();
    assertThat(run.planted())
        .isNotEmpty()
        .allSatisfy((name, found) -> assertThat(found).as("planted %s", name).isTrue());
    assertThat(run.good()).isTrue();
  }
}
