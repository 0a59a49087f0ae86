package io.tollgrid.verification.faults.soak;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.SplittableRandom;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A soak finds what grows, and not what only varies. */
class TrendTest {
  private static final int POINTS = 80;

  private static Trend of(DoubleUnaryOperator value, double noise) {
    final SplittableRandom random = new SplittableRandom(5);
    return Trend.of(
        IntStream.range(0, POINTS)
            .mapToObj(
                i ->
                    new Trend.Point(
                        i / 4.0,
                        value.applyAsDouble(i / 4.0) + noise * (random.nextDouble() - 0.5)))
            .toList());
  }

  @Test
  void whatGrowsIsFoundUnderNoise() {
    final Trend leak = of(minute -> 100 + 0.5 * minute, 5);
    assertThat(leak.perMinute()).isCloseTo(0.5, within(0.1));
    assertThat(leak.grows()).isTrue();
  }

  @Test
  void whatStaysOrShrinksDoesNotGrow() {
    assertThat(of(minute -> 100, 5).grows()).isFalse();
    assertThat(of(minute -> 100, 0).grows()).isFalse();
    assertThat(of(minute -> 100 - minute, 5).grows()).isFalse();
  }

  @Test
  void aStepUpIsGrowth() {
    assertThat(of(minute -> minute < 10 ? 100 : 101, 0).grows()).isTrue();
  }

  @Test
  void tooFewPointsShowNothing() {
    assertThatThrownBy(() -> Trend.of(List.of(new Trend.Point(0, 1), new Trend.Point(1, 2))))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
