package io.tollgrid.admission.rate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.jspecify.annotations.Nullable;

/** Witnesses R7 and R29: a rate in the form requests compute with is never faster than stated. */
class RateDimensionTest {
  private static final BigInteger NANOS_PER_SECOND = BigInteger.valueOf(1_000_000_000L);

  @Example
  void noRateIsNoDimension() {
    assertThat(RateDimension.of("units", 0, 0)).isNull();
  }

  @Example
  void aBurstTakesAsLongAsItsUnitsAtTheRate() {
    final RateDimension dimension = dimension(1_000, 50);

    assertThat(dimension.burstNanos).isEqualTo(50_000_000L);
    assertThat(dimension.costNanos(1, 1)).isEqualTo(1_000_000L);
    assertThat(dimension.costNanos(0, 1)).isZero();
  }

  @Example
  void aShardPaysForItselfAndItsSiblings() {
    final RateDimension dimension = dimension(1_000, 50);

    assertThat(dimension.costNanos(10, 5)).isEqualTo(50_000_000L);
    assertThat(dimension.canEverHold(10, 5)).isTrue();
    assertThat(dimension.canEverHold(11, 5)).isFalse();
    assertThat(dimension.canEverHold(50, 1)).isTrue();
    assertThat(dimension.canEverHold(51, 1)).isFalse();
  }

  @Example
  void aRefundIsWorthWhatItCostAndTwoBurstsAtMost() {
    final RateDimension tens = dimension(10, 40);
    final long tenth = 100_000_000L;

    assertThat(tens.refundNanos(3, 1)).isEqualTo(3 * tenth);
    assertThat(tens.refundNanos(3, 4)).isEqualTo(12 * tenth);
    assertThat(tens.refundNanos(20, 4)).isEqualTo(80 * tenth);
    assertThat(tens.refundNanos(21, 4)).isEqualTo(80 * tenth);
    assertThat(tens.refundNanos(Long.MAX_VALUE, 1)).isEqualTo(80 * tenth);
    assertThat(tens.refundNanos(Long.MAX_VALUE, 4)).isEqualTo(80 * tenth);
  }

  @Example
  void theSlowestAndTheFastestRateAreCounted() {
    final RateDimension slow = dimension(1, 1);
    assertThat(slow.burstNanos).isEqualTo(1_000_000_000L);

    final RateDimension fast = dimension(Long.MAX_VALUE, 1);
    assertThat(fast.burstNanos).isEqualTo(1);

    final RateDimension wide = dimension(Long.MAX_VALUE, 1L << 60);
    assertThat(wide.canEverHold(1L << 60, 1)).isTrue();
    assertThat(wide.burstNanos).isBetween(125_000_000L, 135_000_000L);
  }

  @Example
  void aBurstThatCannotBeCountedIsRefusedByBothItsNumbers() {
    assertThatThrownBy(() -> RateDimension.of("requests", 1, 10_000_000_000L))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("10000000000 requests")
        .hasMessageContaining("1/s");
    assertThatThrownBy(() -> RateDimension.of("units", Long.MAX_VALUE, Long.MAX_VALUE))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("burst of 9223372036854775807 units")
        .hasMessageContaining("2^61");
  }

  @Property
  void noQuantityIsCheaperThanTheRateSays(
      @ForAll("rate") final long perSecond,
      @ForAll("burst") final long burst,
      @ForAll("burst") final long wished,
      @ForAll @IntRange(min = 1, max = 64) final int shards) {
    final @Nullable RateDimension dimension = dimensionIfCountable(perSecond, burst);
    if (dimension == null) {
      return;
    }
    final long quantity = Math.min(wished, burst / shards);

    final BigInteger nanosTimesRate =
        BigInteger.valueOf(dimension.costNanos(quantity, shards))
            .multiply(BigInteger.valueOf(perSecond));
    final BigInteger exact =
        BigInteger.valueOf(quantity)
            .multiply(BigInteger.valueOf(shards))
            .multiply(NANOS_PER_SECOND);
    assertThat(nanosTimesRate).isGreaterThanOrEqualTo(exact);
    assertThat(dimension.costNanos(quantity, shards)).isLessThanOrEqualTo(dimension.burstNanos);
  }

  @Property
  void roundingCostsAtMostAMillionthAndANanosecond(
      @ForAll("rate") final long perSecond, @ForAll("usualBurst") final long burst) {
    final @Nullable RateDimension dimension = dimensionIfCountable(perSecond, burst);
    if (dimension == null) {
      return;
    }
    final BigInteger exact =
        BigInteger.valueOf(burst).multiply(NANOS_PER_SECOND).divide(BigInteger.valueOf(perSecond));
    final BigInteger most =
        exact.add(exact.divide(BigInteger.valueOf(1_000_000))).add(BigInteger.TWO);
    assertThat(BigInteger.valueOf(dimension.burstNanos)).isBetween(exact, most);
  }

  @Property
  void anAdjustmentStopsAtTwoBursts(
      @ForAll("rate") final long perSecond,
      @ForAll("burst") final long burst,
      @ForAll("burst") final long quantity,
      @ForAll @IntRange(min = 1, max = 64) final int shards) {
    final @Nullable RateDimension dimension = dimensionIfCountable(perSecond, burst);
    if (dimension == null) {
      return;
    }
    final long cost = dimension.adjustmentNanos(quantity, shards);
    if (quantity <= burst / shards) {
      assertThat(cost).isEqualTo(dimension.costNanos(quantity, shards));
    }
    if (quantity >= 2 * burst / shards) {
      assertThat(cost).isGreaterThanOrEqualTo(2 * dimension.burstNanos - 1 - shardRest(dimension));
    }
    assertThat(cost).isBetween(0L, 2 * dimension.burstNanos);
  }

  /** What a shard's even share leaves of two bursts. */
  private static long shardRest(final RateDimension dimension) {
    return dimension.costNanos(Math.min(64, dimension.burst), 1);
  }

  @Provide
  Arbitrary<Long> rate() {
    return Arbitraries.oneOf(
        Arbitraries.longs().between(1, Long.MAX_VALUE), Arbitraries.longs().between(1, 100_000));
  }

  @Provide
  Arbitrary<Long> burst() {
    return Arbitraries.oneOf(
        Arbitraries.longs().between(1, 1L << 61), Arbitraries.longs().between(1, 100_000));
  }

  @Provide
  Arbitrary<Long> usualBurst() {
    return Arbitraries.longs().between(1, 1L << 40);
  }

  private static RateDimension dimension(final long perSecond, final long burst) {
    final RateDimension dimension = RateDimension.of("units", perSecond, burst);
    if (dimension == null) {
      throw new AssertionError("a rate of " + perSecond + " is a dimension");
    }
    return dimension;
  }

  private static @Nullable RateDimension dimensionIfCountable(
      final long perSecond, final long burst) {
    try {
      return RateDimension.of("units", perSecond, burst);
    } catch (IllegalArgumentException e) {
      return null;
    }
  }
}
