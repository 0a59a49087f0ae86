package io.tollgrid.verification.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Witnesses R53 for the simulation's traces: what is printed fails, and nothing in it is spare. */
class ShrinkerTest {
  private static final List<Integer> HUNDRED = IntStream.range(0, 100).boxed().toList();

  @Test
  void whatDoesNotMatterIsTakenOut() {
    final List<Integer> shrunk =
        new Shrinker(1_000).shrink(HUNDRED, list -> list.containsAll(List.of(3, 57, 58)));

    assertThat(shrunk).containsExactly(3, 57, 58);
  }

  @Test
  void theOrderStays() {
    final List<Integer> shrunk =
        new Shrinker(1_000)
            .shrink(
                HUNDRED,
                list ->
                    list.contains(90) && list.contains(10) && list.indexOf(10) < list.indexOf(90));

    assertThat(shrunk).containsExactly(10, 90);
  }

  @Test
  void noSingleElementOfTheResultIsSpare() {
    // Fails with at least seven even numbers: many lists do, and none of the smallest has eight.
    final List<Integer> shrunk =
        new Shrinker(10_000)
            .shrink(HUNDRED, list -> list.stream().filter(n -> n % 2 == 0).count() >= 7);

    assertThat(shrunk).hasSize(7).allMatch(n -> n % 2 == 0);
  }

  @Test
  void aListOfWhichAllMattersStaysAsItIs() {
    assertThat(new Shrinker(1_000).shrink(HUNDRED, list -> list.size() == 100)).isEqualTo(HUNDRED);
  }

  @Test
  void theEmptyListIsFound() {
    assertThat(new Shrinker(1_000).shrink(HUNDRED, list -> true)).isEmpty();
  }

  @Test
  void theBudgetBoundsHowManyListsAreTried() {
    final AtomicInteger tried = new AtomicInteger();
    final List<Integer> shrunk =
        new Shrinker(20)
            .shrink(
                HUNDRED,
                list -> {
                  tried.incrementAndGet();
                  return list.contains(99);
                });

    assertThat(tried).hasValueLessThanOrEqualTo(20);
    assertThat(new ArrayList<>(shrunk)).contains(99);
  }
}
