package io.tollgrid.admission.rate;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

/** Witnesses R7 and R29: each step of the rate algorithm against unbounded arithmetic. */
class GcraArithmeticTest {
  private static final BigInteger MAX = BigInteger.valueOf(Long.MAX_VALUE);

  @Property
  void costsAreRoundedUp(
      @ForAll("anyLong") final long wishedUnits,
      @ForAll("anyInterval") final long interval,
      @ForAll @IntRange(max = 61) final int shift) {
    final long units = Math.min(wishedUnits, (1L << 62) / interval);

    final BigDecimal exact =
        new BigDecimal(big(units).multiply(big(interval)))
            .divide(new BigDecimal(BigInteger.ONE.shiftLeft(shift)), 62, RoundingMode.UNNECESSARY);
    assertThat(GcraArithmetic.costNanos(units, interval, shift))
        .isEqualTo(exact.setScale(0, RoundingMode.CEILING).longValueExact());
  }

  @Property
  void takingMovesTheFullBucketAheadOrRefuses(
      @ForAll("anyLong") final long fullAt,
      @ForAll("anyLong") final long now,
      @ForAll("anyLong") final long someBurst,
      @ForAll("anyLong") final long someCost) {
    final long burst = Math.max(someBurst, someCost);
    final long cost = Math.min(someBurst, someCost);

    final BigInteger next = big(fullAt).max(big(now)).add(big(cost));
    final boolean holds =
        next.subtract(big(now)).compareTo(big(burst)) <= 0 && next.compareTo(MAX) <= 0;
    assertThat(GcraArithmetic.take(fullAt, now, cost, burst))
        .isEqualTo(holds ? next.longValueExact() : GcraArithmetic.REFUSED);
  }

  @Property
  void theEarliestTimeIsTheFirstAtWhichTakingSucceeds(
      @ForAll("anyTime") final long fullAt,
      @ForAll("anyBurst") final long someBurst,
      @ForAll("anyBurst") final long someCost) {
    final long burst = Math.max(someBurst, someCost);
    final long cost = Math.min(someBurst, someCost);

    final long earliest = GcraArithmetic.earliest(fullAt, cost, burst);
    if (earliest >= 0) {
      assertThat(GcraArithmetic.take(fullAt, earliest, cost, burst))
          .isEqualTo(fullAt > earliest ? fullAt + cost : earliest + cost);
    }
    if (earliest > 0) {
      assertThat(GcraArithmetic.take(fullAt, earliest - 1, cost, burst))
          .isEqualTo(GcraArithmetic.REFUSED);
    }
  }

  @Property
  void aChargeLeavesAtMostOneBurstOfDebt(
      @ForAll("anyLong") final long fullAt,
      @ForAll("anyLong") final long now,
      @ForAll("anyLong") final long cost,
      @ForAll("anyBurst") final long burst) {
    final BigInteger from = big(fullAt).max(big(now));
    final BigInteger mayOwe = big(burst).shiftLeft(1).add(big(now));
    final BigInteger wanted = from.add(big(cost)).min(mayOwe);
    final boolean charged = wanted.compareTo(from) > 0 && wanted.compareTo(MAX) <= 0;

    assertThat(GcraArithmetic.charge(fullAt, now, cost, burst))
        .isEqualTo(charged ? wanted.longValueExact() : fullAt);
  }

  @Property
  void givingBackNeverReachesBeforeTheEpoch(
      @ForAll("anyLong") final long fullAt, @ForAll("anyLong") final long cost) {
    assertThat(GcraArithmetic.giveBack(fullAt, cost))
        .isEqualTo(big(fullAt).subtract(big(cost)).max(BigInteger.ZERO).longValueExact());
  }

  @Example
  void whatIsChargedAndGivenBackLeavesTheBucketAsItWas() {
    final long charged = GcraArithmetic.charge(1_000, 900, 50, 200);

    assertThat(charged).isEqualTo(1_050);
    assertThat(GcraArithmetic.giveBack(charged, 50)).isEqualTo(1_000);
  }

  @Provide
  Arbitrary<Long> anyLong() {
    return Arbitraries.oneOf(
        Arbitraries.longs().between(0, Long.MAX_VALUE), Arbitraries.longs().between(0, 1_000));
  }

  @Provide
  Arbitrary<Long> anyInterval() {
    return Arbitraries.oneOf(
        Arbitraries.longs().between(1, 1L << 62), Arbitraries.longs().between(1, 1_000));
  }

  @Provide
  Arbitrary<Long> anyTime() {
    return Arbitraries.oneOf(
        Arbitraries.longs().between(0, 1L << 62), Arbitraries.longs().between(0, 1_000));
  }

  @Provide
  Arbitrary<Long> anyBurst() {
    return Arbitraries.oneOf(
        Arbitraries.longs().between(0, GcraArithmetic.MAX_SCALED_BURST),
        Arbitraries.longs().between(0, 1_000));
  }

  private static BigInteger big(final long value) {
    return BigInteger.valueOf(value);
  }
}
