package io.tollgrid.verification.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Witnesses R1, R3, R10, R11, R13, R16, R20, R35 and R57 over the whole fleet: twenty seeds of the
 * simulation, every step checked. Any mutation of a verdict in {@code CommitRules} turns it red.
 */
@Tag("slow")
class FleetSimulationTest {
  private static final int SEEDS = 20;
  private static final int STEPS = 5_000;

  private static CampaignReport report;

  @BeforeAll
  static void runTheSeeds() throws InterruptedException {
    report = new Campaign(1, SEEDS, STEPS, progress -> {}).run(2);
  }

  @Test
  void noStepOfAnySeedBreaksARule() {
    assertThat(report.traces()).isEmpty();
    assertThat(report.violations()).isZero();
    assertThat(report.runs()).isEqualTo(SEEDS);
    assertThat(report.steps()).isGreaterThanOrEqualTo((long) SEEDS * STEPS);
  }

  @Test
  void everyCommandAnswerFaultAndScenarioIsMet() {
    assertThat(report.emptySums()).isEmpty();
  }

  @Test
  void noAnswerComesThatTheTableCallsImpossible() {
    assertThat(report.unexpectedCells()).isEmpty();
  }

  @Test
  void mostCellsAreReachedAlready() {
    assertThat(report.emptyCells().size()).isLessThan(report.coverage().size() / 10);
  }
}
