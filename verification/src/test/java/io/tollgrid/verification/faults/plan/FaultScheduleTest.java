package io.tollgrid.verification.faults.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

/**
 * Witnesses that a run's faults follow from its seed, and leave a majority standing at any time.
 */
class FaultScheduleTest {
  private static final long SILENCE_MILLIS = 3_000;

  @Property(tries = 200)
  void oneSeedIsOneSchedule(@ForAll long seed) {
    assertThat(draw(seed, 5, 90_000)).isEqualTo(draw(seed, 5, 90_000));
  }

  @Property(tries = 200)
  void faultsFollowOneAnotherAndFitIntoTheRun(
      @ForAll long seed,
      @ForAll @IntRange(min = 3, max = 7) int members,
      @ForAll @LongRange(min = 20_000, max = 200_000) long durationMillis) {
    long freeFrom = FaultSchedule.LEAD_MILLIS;
    for (final FaultSchedule.Step step : draw(seed, members, durationMillis).steps()) {
      assertThat(step.atMillis()).isGreaterThanOrEqualTo(freeFrom);
      freeFrom = step.atMillis() + step.fault().lastsMillis();
    }
    assertThat(freeFrom).isLessThanOrEqualTo(durationMillis - FaultSchedule.TAIL_MILLIS);
  }

  @Property(tries = 200)
  void aMajorityOutlivesEveryFault(
      @ForAll long seed, @ForAll @IntRange(min = 3, max = 7) int members) {
    for (final FaultSchedule.Step step : draw(seed, members, 200_000).steps()) {
      assertThat(step.fault().members())
          .doesNotHaveDuplicates()
          .hasSizeLessThanOrEqualTo((members - 1) / 2)
          .allMatch(member -> member >= 0 && member < members);
    }
  }

  @Property(tries = 200)
  void aFrozenMemberIsSilentForLongerThanIsTolerated(@ForAll long seed) {
    assertThat(draw(seed, 3, 200_000).steps())
        .extracting(FaultSchedule.Step::fault)
        .filteredOn(Fault.Freeze.class::isInstance)
        .isNotEmpty()
        .allMatch(fault -> fault.lastsMillis() > SILENCE_MILLIS);
  }

  @Property(tries = 200)
  void everyKindIsAmongTheFirstFour(@ForAll long seed) {
    final List<Class<?>> kinds =
        draw(seed, 3, 120_000).steps().stream()
            .<Class<?>>map(step -> step.fault().getClass())
            .limit(4)
            .toList();

    assertThat(kinds)
        .containsExactlyInAnyOrder(
            Fault.Kill.class,
            Fault.Freeze.class,
            Fault.LoseConfirmations.class,
            Fault.SlowStores.class);
  }

  @Property(tries = 200)
  void theFirstMemberThatFreezesHasStoresInHand(@ForAll long seed) {
    assertThat(draw(seed, 3, 120_000).steps())
        .extracting(FaultSchedule.Step::fault)
        .filteredOn(Fault.Freeze.class::isInstance)
        .first()
        .isInstanceOfSatisfying(
            Fault.Freeze.class, freeze -> assertThat(freeze.storing()).isTrue());
  }

  @Test
  void aClusterThatCannotLoseAnybodyIsRefused() {
    assertThatThrownBy(() -> draw(1, 2, 60_000)).hasMessageContaining("2 members");
  }

  private static FaultSchedule draw(long seed, int members, long durationMillis) {
    return FaultSchedule.draw(seed, members, durationMillis, SILENCE_MILLIS);
  }
}
