package io.tollgrid.admission.request;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Witnesses R6: one compare-and-set decides, and a late handle of an earlier use is refused. */
class UsageSlotPhaseTest {
  private final UsageSlot slot = new UsageSlot(0, 0);

  @Test
  void aStartedRequestCannotBeReleasedNorStartedAgain() {
    final long use = slot.open();

    assertThat(slot.tryStart(use, use)).isTrue();
    assertThat(slot.tryRelease(use)).isFalse();
    assertThat(slot.tryStart(use, use)).isFalse();
    assertThat(slot.trySettle(use)).isTrue();
    assertThat(slot.trySettle(use)).isFalse();
  }

  @Test
  void aReleasedRequestCannotStart() {
    final long use = slot.open();

    assertThat(slot.tryRelease(use)).isTrue();
    assertThat(slot.tryStart(use, use)).isFalse();
    assertThat(slot.trySettle(use)).isFalse();
  }

  @Test
  void whatRunsCannotBeSettledWhileItsPartsChange() {
    final long use = slot.open();
    assertThat(slot.tryEnter(use)).as("before it started").isFalse();
    slot.tryStart(use, use);

    assertThat(slot.tryEnter(use)).isTrue();
    assertThat(slot.tryEnter(use)).isFalse();
    assertThat(slot.trySettle(use)).isFalse();
    slot.leave();
    assertThat(slot.trySettle(use)).isTrue();
    assertThat(slot.tryEnter(use)).isFalse();
  }

  @Test
  void aHandleOfAnEarlierUseDecidesNothing() {
    final long first = slot.open();
    slot.tryRelease(first);
    final long second = slot.open();

    assertThat(slot.tryStart(first, first)).isFalse();
    assertThat(slot.tryRelease(first)).isFalse();
    assertThat(PhaseWord.sameUse(slot.requestStop(first), first)).isFalse();
    assertThat(PhaseWord.isStopRequested(slot.word())).isFalse();
    assertThat(slot.tryStart(second, second)).isTrue();
  }

  @Test
  void aStopRequestIsRecordedEvenIfItLostAndChangesNoPhase() {
    final long use = slot.open();
    slot.tryStart(use, use);

    assertThat(PhaseWord.phase(slot.requestStop(use))).isEqualTo(PhaseWord.STARTED);
    assertThat(PhaseWord.isStopRequested(slot.word())).isTrue();
    assertThat(slot.trySettle(use)).isTrue();
  }
}
