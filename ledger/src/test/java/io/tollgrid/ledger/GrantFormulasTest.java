package io.tollgrid.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Witnesses the formulas: at their edges, and against the published text in unbounded arithmetic.
 */
class GrantFormulasTest {
  private static final long MAX = Long.MAX_VALUE;

  @ParameterizedTest
  @CsvSource({
    "0, 1, 1, 1",
    "0, 5, 2, 5",
    "10, 1, 2, 5",
    "11, 1, 2, 5",
    "10, 5, 2, 5",
    "10, 6, 2, 6",
    "10, 1, 1, 10",
    "9223372036854775807, 1, 1, 9223372036854775807",
    "9223372036854775807, 1, 2, 4611686018427387903",
    "9223372036854775807, 1, 9223372036854775807, 1",
    "1, 9223372036854775807, 1, 9223372036854775807",
  })
  void theCapIsTheMinimumOrTheShare(long balance, long minimum, long shrink, long expected) {
    assertThat(GrantFormulas.cap(balance, minimum, shrink)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({
    // balance, want, minimum, shrink, max grant, granted
    "0, 1, 1, 1, 1, 0",
    "1, 1, 1, 1, 1, 1",
    "1, 9223372036854775807, 9223372036854775807, 1, 9223372036854775807, 1",
    "9223372036854775807, 9223372036854775807, 1, 1, 9223372036854775807, 9223372036854775807",
    "9223372036854775807, 9223372036854775807, 1, 1, 1, 1",
    "9223372036854775807, 1, 1, 1, 9223372036854775807, 1",
    "100, 80, 10, 2, 1000, 50",
    "100, 80, 60, 2, 1000, 60",
    "100, 80, 10, 2, 49, 49",
    "100, 49, 10, 2, 1000, 49",
    "15, 80, 60, 2, 1000, 15",
  })
  void anAcquireIsGrantedTheLeastOfFour(
      long balance, long want, long minimum, long shrink, long maxGrant, long expected) {
    assertThat(
            GrantFormulas.acquire(
                balance, want, GrantFormulas.cap(balance, minimum, shrink), maxGrant))
        .isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({
    // balance, restored, want, minimum, shrink, demand, granted
    "1, 0, 1, 1, 1, 0, 1",
    "100, 0, 80, 10, 2, 0, 50",
    "100, 60, 80, 10, 2, 0, 60",
    "100, 100, 1, 1, 2, 0, 100",
    "100, 0, 80, 10, 2, 100, 100",
    "100, 0, 80, 10, 2, 101, 50",
    "100, 60, 80, 10, 2, 61, 61",
    "100, 60, 80, 10, 2, 60, 60",
    "100, 60, 80, 10, 2, 59, 60",
    "9223372036854775807, 0, 1, 1, 1, 9223372036854775807, 9223372036854775807",
    "9223372036854775807, 9223372036854775807, 1, 1, 1, 0, 9223372036854775807",
    "0, 0, 1, 1, 1, 0, 0",
  })
  void aConsolidationIsGrantedItsFloorItsPolicyOrItsDemand(
      long balance,
      long restored,
      long want,
      long minimum,
      long shrink,
      long demand,
      long expected) {
    assertThat(
            GrantFormulas.consolidate(
                balance, restored, want, GrantFormulas.cap(balance, minimum, shrink), demand))
        .isEqualTo(expected);
  }

  @Provide
  Arbitrary<Long> units() {
    return Arbitraries.oneOf(
        Arbitraries.longs().between(0, 20),
        Arbitraries.longs().between(0, MAX),
        Arbitraries.longs().between(MAX - 20, MAX));
  }

  @Provide
  Arbitrary<Long> positive() {
    return units().filter(n -> n > 0);
  }

  private static BigInteger big(long n) {
    return BigInteger.valueOf(n);
  }

  private static BigInteger publishedCap(long balance, long minimum, long shrink) {
    return big(minimum).max(big(balance).divide(big(shrink)));
  }

  @Property(tries = 2_000, seed = "20260304", edgeCases = EdgeCasesMode.NONE)
  void anAcquireIsThePublishedFormula(
      @ForAll("units") long balance,
      @ForAll("positive") long want,
      @ForAll("positive") long minimum,
      @ForAll("positive") long shrink,
      @ForAll("positive") long maxGrant) {
    final BigInteger published =
        big(want).min(publishedCap(balance, minimum, shrink)).min(big(balance)).min(big(maxGrant));

    assertThat(
            big(
                GrantFormulas.acquire(
                    balance, want, GrantFormulas.cap(balance, minimum, shrink), maxGrant)))
        .isEqualTo(published);
  }

  @Property(tries = 2_000, seed = "20260304", edgeCases = EdgeCasesMode.NONE)
  void aConsolidationIsThePublishedFormula(
      @ForAll("units") long one,
      @ForAll("units") long other,
      @ForAll("positive") long want,
      @ForAll("positive") long minimum,
      @ForAll("positive") long shrink,
      @ForAll("units") long demand) {
    final long restored = Math.min(one, other);
    final long balance = Math.max(one, other);
    BigInteger published =
        big(restored).max(big(want).min(publishedCap(balance, minimum, shrink)).min(big(balance)));
    if (demand <= balance) {
      published = published.max(big(demand));
    }

    final long granted =
        GrantFormulas.consolidate(
            balance, restored, want, GrantFormulas.cap(balance, minimum, shrink), demand);
    assertThat(big(granted)).isEqualTo(published);
    assertThat(granted).isBetween(restored, balance);
  }

  @Property(tries = 2_000, seed = "20260304", edgeCases = EdgeCasesMode.NONE)
  void theHalvesOfALeaseAddUp(
      @ForAll("units") long units, @ForAll("units") long allowance, @ForAll("units") long topUp) {
    final long ofGrant = LeaseArithmetic.allowanceOfGrant(units, allowance);
    assertThat(ofGrant).isEqualTo(Math.min(units, allowance));

    final long grantedAllowance = allowance / 4;
    final long grantedTopUp = topUp / 4;
    final long granted = grantedAllowance + grantedTopUp;
    final long billed = granted == 0 ? 0 : units % (granted + 1);
    final long remaining = LeaseArithmetic.remaining(granted, 0, billed);
    assertThat(remaining).isEqualTo(granted - billed);
    // Allowance first: what is billed beyond the allowance was top-up.
    final long topUpLeft = grantedTopUp - Math.max(0, billed - grantedAllowance);
    final long back = remaining == 0 ? 0 : allowance % (remaining + 1);
    assertThat(LeaseArithmetic.topUpOfReturn(back, remaining, grantedTopUp, 0))
        .isEqualTo(Math.min(back, topUpLeft));
    assertThat(LeaseArithmetic.lossAtEnd(remaining, back)).isEqualTo(remaining - back);
  }

  @Example
  void whatWasReturnedOfTheTopUpIsNotReturnedAgain() {
    assertThat(LeaseArithmetic.topUpOfReturn(30, 50, 40, 15)).isEqualTo(25);
    assertThat(LeaseArithmetic.topUpOfReturn(20, 50, 40, 15)).isEqualTo(20);
    assertThat(LeaseArithmetic.topUpOfReturn(9, 10, 40, 15)).isEqualTo(9);
    assertThat(LeaseArithmetic.topUpOfReturn(10, 10, 40, 40)).isZero();
  }
}
