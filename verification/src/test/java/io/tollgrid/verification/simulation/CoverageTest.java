package io.tollgrid.verification.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.tollgrid.ledger.LedgerCode;
import io.tollgrid.ledger.Refusal;
import io.tollgrid.ledger.UsageVerdict;
import org.junit.jupiter.api.Test;

/**
 * Witnesses R53 for the coverage table: a cell nobody reached is reported, and so is a wrong one.
 */
class CoverageTest {
  private final Coverage coverage = new Coverage();

  @Test
  void aCellIsEmptyUntilItIsReached() {
    assertThat(coverage.empty()).hasSameSizeAs(coverage.cells().keySet());

    coverage.answered(CommandKind.RETURN, AnswerKind.STEP_GAP);
    coverage.struck(FaultKind.OWNER_CRASHED, CommandKind.CROSS);
    coverage.classified(UsageVerdict.STRAGGLER);
    coverage.saw(Scenario.RECALL_HONOURED);

    assertThat(coverage.empty())
        .hasSize(coverage.cells().size() - 4)
        .doesNotContain(
            "answer RETURN STEP_GAP",
            "fault OWNER_CRASHED CROSS",
            "usage STRAGGLER",
            "scenario RECALL_HONOURED");
  }

  @Test
  void anAnswerTheTableCallsImpossibleIsReported() {
    coverage.answered(CommandKind.DEPOSIT, AnswerKind.STEP_GAP);

    assertThat(coverage.unexpected()).containsExactly("answer DEPOSIT STEP_GAP");
  }

  @Test
  void countsOfManyRunsAddUp() {
    final Coverage other = new Coverage();
    coverage.answered(CommandKind.CROSS, AnswerKind.NOT_DUE);
    other.answered(CommandKind.CROSS, AnswerKind.NOT_DUE);
    other.saw(Scenario.CONSENSUS_LOST);
    coverage.add(other);

    assertThat(coverage.cells())
        .containsEntry("answer CROSS NOT_DUE", 2L)
        .containsEntry("scenario CONSENSUS_LOST", 1L);
    assertThat(coverage.sums())
        .containsEntry("command CROSS", 2L)
        .containsEntry("answer NOT_DUE", 2L)
        .containsEntry("in flight CROSS", 0L);
    assertThat(coverage.emptySums()).contains("answer STEP_GAP").doesNotContain("answer NOT_DUE");
  }

  @Test
  void everyRefusalAndCodeHasAColumnOrAReason() {
    for (final Refusal refusal : Refusal.values()) {
      if (refusal != Refusal.UNAUTHENTICATED) {
        assertThat(AnswerKind.of(refusal)).isNotNull();
      }
    }
    for (final LedgerCode code : LedgerCode.values()) {
      if (code != LedgerCode.CORRUPT && code != LedgerCode.AUTHORITY_REGRESSED) {
        assertThat(AnswerKind.of(code)).isNotNull();
      }
    }
  }

  @Test
  void everyColumnCanBeReachedBySomeCommand() {
    for (final AnswerKind answer : AnswerKind.values()) {
      assertThat(CommandKind.values())
          .as(answer.toString())
          .anyMatch(command -> Reachable.answers(command).contains(answer));
    }
  }
}
