package io.tollgrid.verification.faults.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** Witnesses that what befalls a whole system follows from its seed, and that all of it comes. */
class NemesisScheduleTest {
  private static final long SILENCE_MILLIS = 5_000;
  private static final int EVERY_PAIR = 36;

  @Property(tries = 200)
  void oneSeedIsOneSchedule(@ForAll long seed, @ForAll @IntRange(min = 0, max = 99) int run) {
    assertThat(draw(seed, run, 5)).isEqualTo(draw(seed, run, 5));
  }

  @Property(tries = 50)
  void everySortOfFaultMeetsEveryOtherInDueCourse(@ForAll long seed) {
    final Set<Set<String>> pairs = new HashSet<>();
    for (int run = 0; run < EVERY_PAIR; run++) {
      final Set<String> sorts = new HashSet<>();
      draw(seed, run, 3).steps().forEach(step -> step.forEach(fault -> sorts.add(sort(fault))));
      assertThat(sorts).hasSize(2);
      pairs.add(sorts);
    }
    assertThat(pairs).hasSize(EVERY_PAIR);
  }

  @Property(tries = 200)
  void whoeverIsSilentIsSilentForLongerThanOthersWait(
      @ForAll long seed, @ForAll @IntRange(min = 0, max = 99) int run) {
    for (final List<Fault> step : draw(seed, run, 5).steps()) {
      for (final Fault fault : step) {
        if (fault instanceof Fault.Freeze || fault instanceof Fault.Partition) {
          assertThat(fault.lastsMillis()).isGreaterThan(SILENCE_MILLIS + 1_000);
        }
        assertThat(fault.members()).doesNotHaveDuplicates().allMatch(member -> member < 5);
      }
    }
  }

  @Property(tries = 50)
  void nothingLastsWhileMembersAreRestartedInTurn(@ForAll long seed) {
    IntStream.range(0, EVERY_PAIR)
        .mapToObj(run -> draw(seed, run, 3))
        .flatMap(schedule -> schedule.steps().stream())
        .filter(step -> step.stream().anyMatch(Fault.RollingRestart.class::isInstance))
        .forEach(step -> assertThat(step).hasSize(1));
  }

  private static NemesisSchedule draw(long seed, int run, int members) {
    return NemesisSchedule.draw(seed, run, members, 3, SILENCE_MILLIS);
  }

  /** The three partitions are three sorts. */
  private static String sort(Fault fault) {
    if (fault instanceof Fault.Partition partition) {
      return partition.how() + " of " + (partition.members().size() > 1 ? "most" : "one");
    }
    return fault.getClass().getSimpleName();
  }
}
