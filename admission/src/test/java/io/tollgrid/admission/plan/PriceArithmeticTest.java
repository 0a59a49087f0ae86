package io.tollgrid.admission.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Witnesses R7: prices against unbounded arithmetic. */
class PriceArithmeticTest {
  private static final long MAX = Long.MAX_VALUE;

  @Property
  void aQuoteIsTheFixedPriceAndTheItemsOrTheMinimum(
      @ForAll("units") final long fixed,
      @ForAll("units") final long perItem,
      @ForAll("units") final long minimum,
      @ForAll("units") final long items) {
    final BigInteger exact = big(fixed).add(big(perItem).multiply(big(items)));

    assertThat(PriceArithmetic.quote(fixed, perItem, minimum, items))
        .isEqualTo(orOverflow(exact).equals(exact) ? Math.max(exact.longValue(), minimum) : -1);
  }

  @Property
  void aSumIsTheSumUnlessItOrAPartOfItOverflows(
      @ForAll("units") final long one, @ForAll("units") final long other) {
    assertThat(PriceArithmetic.sum(one, other))
        .isEqualTo(orOverflow(big(one).add(big(other))).longValueExact());
    assertThat(PriceArithmetic.sum(one, PriceArithmetic.OVERFLOW))
        .isEqualTo(PriceArithmetic.OVERFLOW);
    assertThat(PriceArithmetic.sum(PriceArithmetic.OVERFLOW, other))
        .isEqualTo(PriceArithmetic.OVERFLOW);
  }

  @Example
  void theLastQuoteThatFitsIsAQuoteAndTheNextIsNot() {
    assertThat(PriceArithmetic.quote(0, 1, 0, MAX)).isEqualTo(MAX);
    assertThat(PriceArithmetic.quote(1, 1, 0, MAX - 1)).isEqualTo(MAX);
    assertThat(PriceArithmetic.quote(1, 1, 0, MAX)).isEqualTo(PriceArithmetic.OVERFLOW);
    assertThat(PriceArithmetic.quote(MAX, 0, 0, MAX)).isEqualTo(MAX);
    assertThat(PriceArithmetic.quote(0, MAX, 0, 1)).isEqualTo(MAX);
    assertThat(PriceArithmetic.quote(0, MAX, MAX, 2)).isEqualTo(PriceArithmetic.OVERFLOW);
    assertThat(PriceArithmetic.quote(0, 0, 7, MAX)).isEqualTo(7);
    assertThat(PriceArithmetic.sum(MAX, 0)).isEqualTo(MAX);
    assertThat(PriceArithmetic.sum(MAX, 1)).isEqualTo(PriceArithmetic.OVERFLOW);
  }

  @Provide
  Arbitrary<Long> units() {
    return Arbitraries.oneOf(
        Arbitraries.longs().between(0, MAX),
        Arbitraries.longs().between(0, 1L << 32),
        Arbitraries.longs().between(0, 10));
  }

  private static BigInteger orOverflow(final BigInteger exact) {
    return exact.bitLength() < Long.SIZE ? exact : big(PriceArithmetic.OVERFLOW);
  }

  private static BigInteger big(final long value) {
    return BigInteger.valueOf(value);
  }
}
