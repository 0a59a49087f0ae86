package io.tollgrid.admission.request;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** Witnesses R6: the fields of the phase word are independent of each other. */
class PhaseWordTest {

  @Property
  void theFundingOfOneLegTouchesNothingElse(
      @ForAll final long word,
      @ForAll @IntRange(max = PhaseWord.MAX_LEGS - 1) final int leg,
      @ForAll @IntRange(max = 2) final int funding) {
    final long changed = PhaseWord.withFunding(word, leg, funding);

    assertThat(PhaseWord.funding(changed, leg)).isEqualTo(funding);
    for (int other = 0; other < PhaseWord.MAX_LEGS; other++) {
      if (other != leg) {
        assertThat(PhaseWord.funding(changed, other)).isEqualTo(PhaseWord.funding(word, other));
      }
    }
    assertThat(PhaseWord.phase(changed)).isEqualTo(PhaseWord.phase(word));
    assertThat(PhaseWord.generation(changed)).isEqualTo(PhaseWord.generation(word));
    assertThat(PhaseWord.isBusy(changed)).isEqualTo(PhaseWord.isBusy(word));
    assertThat(PhaseWord.isStopRequested(changed)).isEqualTo(PhaseWord.isStopRequested(word));
  }

  @Property
  void everyMoveKeepsTheUse(@ForAll final long word, @ForAll final long funded) {
    assertThat(PhaseWord.sameUse(PhaseWord.started(word, funded), word)).isTrue();
    assertThat(PhaseWord.sameUse(PhaseWord.released(word), word)).isTrue();
    assertThat(PhaseWord.sameUse(PhaseWord.settled(word), word)).isTrue();
    assertThat(PhaseWord.sameUse(PhaseWord.busy(word), word)).isTrue();
    assertThat(PhaseWord.sameUse(PhaseWord.idle(word), word)).isTrue();
    assertThat(PhaseWord.sameUse(PhaseWord.stopRequested(word), word)).isTrue();
    assertThat(PhaseWord.sameUse(PhaseWord.nextUse(word), word)).isFalse();
  }

  @Property
  void startingTakesTheNewFundingsAndKeepsAStopRequest(
      @ForAll final long word, @ForAll final long funded) {
    final long started = PhaseWord.started(word, funded);

    assertThat(PhaseWord.phase(started)).isEqualTo(PhaseWord.STARTED);
    assertThat(PhaseWord.isStopRequested(started)).isEqualTo(PhaseWord.isStopRequested(word));
    assertThat(PhaseWord.isBusy(started)).isEqualTo(PhaseWord.isBusy(funded));
    for (int leg = 0; leg < PhaseWord.MAX_LEGS; leg++) {
      assertThat(PhaseWord.funding(started, leg)).isEqualTo(PhaseWord.funding(funded, leg));
    }
  }

  @Property
  void theNextUseIsPendingAndBlank(@ForAll final long word) {
    final long next = PhaseWord.nextUse(word);

    assertThat(PhaseWord.phase(next)).isEqualTo(PhaseWord.PENDING);
    assertThat(PhaseWord.isStopRequested(next)).isFalse();
    assertThat(PhaseWord.isBusy(next)).isFalse();
    assertThat(PhaseWord.generation(next))
        .isEqualTo((PhaseWord.generation(word) + 1) & ((1L << 40) - 1));
    for (int leg = 0; leg < PhaseWord.MAX_LEGS; leg++) {
      assertThat(PhaseWord.funding(next, leg)).isEqualTo(PhaseWord.FUNDED_BY_NONE);
    }
  }
}
