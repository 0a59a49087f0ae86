package io.tollgrid.verification.faults.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Witnesses that an ownership fence which is used again or goes back is found (R11). */
class FenceCheckTest {
  @Test
  void fencesThatGrowPass() {
    assertThat(
            FenceCheck.check(
                List.of(raise(1, 7, 0, 1, "a"), raise(3, 7, 1, 5, "b"), raise(2, 8, 0, 1, "a"))))
        .isEmpty();
  }

  @Test
  void aFenceUsedAgainIsFound() {
    assertThat(FenceCheck.check(List.of(raise(1, 7, 0, 5, "a"), raise(2, 7, 5, 5, "b"))))
        .singleElement()
        .hasToString("FENCE_REUSED: expected a fence above 5 on partition 7, found 5 → 5 by b");
  }

  @Test
  void aFenceThatWentBackIsFound() {
    assertThat(FenceCheck.check(List.of(raise(1, 7, 0, 5, "a"), raise(2, 7, 5, 4, "b"))))
        .hasSize(1);
  }

  @Test
  void aFenceThatChangedUnnoticedIsFound() {
    assertThat(FenceCheck.check(List.of(raise(1, 7, 0, 5, "a"), raise(2, 7, 3, 6, "b"))))
        .hasSize(1);
  }

  @Test
  void aTakeoverIsAProcessThatRaisedWhatAnotherOneHad() {
    assertThat(
            FenceCheck.takeovers(
                List.of(
                    raise(1, 7, 0, 1, "a"),
                    raise(2, 8, 0, 1, "a"),
                    raise(3, 7, 1, 2, "a"),
                    raise(4, 7, 2, 3, "b"),
                    raise(5, 8, 1, 2, "b"),
                    raise(6, 8, 2, 3, "a"))))
        .as("b took both from a, then a took one back")
        .isEqualTo(2);
  }

  private static FenceRaise raise(
      long sequence, int partition, long before, long after, String owner) {
    return new FenceRaise(sequence, partition, before, after, owner);
  }
}
