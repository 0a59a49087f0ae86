package io.tollgrid.admission.rate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tollgrid.admission.denial.Denial;
import io.tollgrid.ledger.RateLimits;
import org.junit.jupiter.api.Test;

/** Witnesses R29 (rates), R9 (adjustment at settlement) and R42 (a burst nobody can count). */
class RateLimiterTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long NOW = 1_000 * SECOND;

  private final RateLimiter limiter = new RateLimiter();

  @Test
  void withoutLimitsEverythingPassesAndNothingIsKept() {
    assertThat(limiter.peek(Long.MAX_VALUE, 0, NOW)).isNull();
    assertThat(limiter.take(Long.MAX_VALUE, 0, NOW)).isNull();
    assertThat(limiter.isUnpriceable(Long.MAX_VALUE)).isFalse();
    assertThat(limiter.earliestNanos(Long.MAX_VALUE, NOW)).isEqualTo(NOW);
    assertThat(limiter.charge(4, 0, NOW)).isZero();
    limiter.refund(4, 0);
    assertThat(limiter.limitsUnits()).isFalse();
    limiter.publish(RateLimits.NONE, 4, 0);
    assertThat(limiter.shards()).isEqualTo(1);
  }

  @Test
  void aPeekTakesNothingWhetherItPassesOrNot() {
    limiter.publish(new RateLimits(1, 1, 10, 10), 1, 10);

    for (int i = 0; i < 3; i++) {
      assertThat(limiter.peek(10, 0, NOW)).isNull();
      assertThat(limiter.peek(11, 0, NOW)).isEqualTo(Denial.RATE_LIMITED);
    }
    assertThat(limiter.take(10, 0, NOW)).isNull();
    for (int i = 0; i < 3; i++) {
      assertThat(limiter.peek(1, 0, NOW)).isEqualTo(Denial.REQUEST_RATE_LIMITED);
    }
    assertThat(limiter.peek(10, 0, NOW + SECOND)).isNull();
  }

  @Test
  void aRequestTakesACountThenItsUnitsAndTheCountStaysTaken() {
    limiter.publish(new RateLimits(1, 2, 10, 10), 1, 10);

    assertThat(limiter.take(8, 0, NOW)).isNull();
    assertThat(limiter.take(8, 0, NOW)).isEqualTo(Denial.RATE_LIMITED);
    assertThat(limiter.take(2, 0, NOW)).isEqualTo(Denial.REQUEST_RATE_LIMITED);
    assertThat(limiter.take(2, 0, NOW + SECOND)).isNull();
  }

  @Test
  void whatTheCountRefusesTakesNoUnits() {
    limiter.publish(new RateLimits(1, 1, 1, 10), 1, 10);

    assertThat(limiter.take(1, 0, NOW)).isNull();
    assertThat(limiter.take(9, 0, NOW)).isEqualTo(Denial.REQUEST_RATE_LIMITED);
    assertThat(limiter.take(10, 0, NOW + SECOND)).isNull();
  }

  @Test
  void aRequestWithoutUnitsPassesAnEmptyUnitBucketUnlessItOwes() {
    limiter.publish(new RateLimits(0, 0, 10, 10), 1, 10);

    assertThat(limiter.take(10, 0, NOW)).isNull();
    assertThat(limiter.take(0, 0, NOW)).isNull();
    assertThat(limiter.charge(1, 0, NOW)).isEqualTo(1);
    assertThat(limiter.take(0, 0, NOW)).isEqualTo(Denial.RATE_LIMITED);
  }

  @Test
  void aQuoteIsUnpriceableOnlyIfNoBucketCouldEverHoldIt() {
    limiter.publish(new RateLimits(1, 1, 10, 100), 4, 10);
    assertThat(limiter.shards()).isEqualTo(1);
    limiter.publish(new RateLimits(0, 0, 10, 100), 4, 10);
    assertThat(limiter.shards()).isEqualTo(4);

    assertThat(limiter.isUnpriceable(25)).isFalse();
    assertThat(limiter.isUnpriceable(26)).isFalse();
    assertThat(limiter.isUnpriceable(100)).isFalse();
    assertThat(limiter.isUnpriceable(101)).isTrue();
    assertThat(limiter.earliestNanos(101, NOW)).isEqualTo(Long.MAX_VALUE);

    limiter.publish(new RateLimits(0, 0, 10, 100), 4, 60);
    assertThat(limiter.take(100, 0, NOW)).isNull();
  }

  @Test
  void changingOneRateKeepsWhatTheOtherHasTaken() {
    limiter.publish(new RateLimits(1, 2, 10, 10), 1, 10);
    assertThat(limiter.take(10, 0, NOW)).isNull();

    limiter.publish(new RateLimits(5, 6, 10, 10), 1, 10);
    assertThat(limiter.peek(1, 0, NOW)).isEqualTo(Denial.RATE_LIMITED);
    limiter.publish(new RateLimits(1, 2, 1_000, 1_000), 1, 10);
    assertThat(limiter.take(0, 0, NOW)).isNull();
    assertThat(limiter.take(0, 0, NOW)).isEqualTo(Denial.REQUEST_RATE_LIMITED);

    limiter.publish(RateLimits.NONE, 1, 10);
    assertThat(limiter.take(0, 0, NOW)).isNull();
    limiter.publish(new RateLimits(1, 2, 0, 0), 1, 10);
    assertThat(limiter.take(0, 0, NOW)).isEqualTo(Denial.REQUEST_RATE_LIMITED);
  }

  @Test
  void itIsSplitOnlyAsFarAsEachShardHoldsTheLargestQuote() {
    limiter.publish(new RateLimits(100, 3, 0, 0), 8, 0);
    assertThat(limiter.shards()).isEqualTo(3);
    limiter.publish(new RateLimits(100, 30, 100, 100), 8, 30);
    assertThat(limiter.shards()).isEqualTo(3);
    limiter.publish(new RateLimits(100, 30, 100, 100), 8, 51);
    assertThat(limiter.shards()).isEqualTo(1);
    limiter.publish(new RateLimits(100, 30, 100, 100), 8, 1_000);
    assertThat(limiter.shards()).isEqualTo(1);
    limiter.publish(new RateLimits(100, 30, 100, 100), 8, 0);
    assertThat(limiter.shards()).isEqualTo(8);
  }

  @Test
  void siblingsAreAskedBeforeARequestIsRefused() {
    limiter.publish(new RateLimits(0, 0, 4, 4), 4, 1);
    assertThat(limiter.shards()).isEqualTo(4);

    for (int i = 0; i < 4; i++) {
      assertThat(limiter.peek(1, 6, NOW)).isNull();
      assertThat(limiter.take(1, 6, NOW)).isNull();
    }
    for (int stripe = -4; stripe < 4; stripe++) {
      assertThat(limiter.peek(1, stripe, NOW)).isEqualTo(Denial.RATE_LIMITED);
      assertThat(limiter.take(1, stripe, NOW)).isEqualTo(Denial.RATE_LIMITED);
    }
    assertThat(limiter.earliestNanos(1, NOW)).isEqualTo(NOW + SECOND);
    assertThat(limiter.take(1, 0, NOW + SECOND)).isNull();
  }

  @Test
  void aReSplitNeitherLosesWhatWasTakenNorAdmitsMore() {
    final RateLimits limits = new RateLimits(8, 8, 8, 8);
    limiter.publish(limits, 1, 1);
    for (int i = 0; i < 6; i++) {
      assertThat(limiter.take(1, 0, NOW)).isNull();
    }
    limiter.publish(limits, 2, 1);
    assertThat(limiter.take(1, 0, NOW)).isNull();
    assertThat(limiter.take(1, 0, NOW)).isNull();
    assertThat(limiter.take(1, 0, NOW)).isEqualTo(Denial.REQUEST_RATE_LIMITED);

    for (final int shards : new int[] {4, 1, 8, 2}) {
      limiter.publish(limits, shards, 1);
      assertThat(limiter.shards()).isEqualTo(shards);
      assertThat(limiter.peek(1, 0, NOW)).isEqualTo(Denial.REQUEST_RATE_LIMITED);
    }
    assertThat(limiter.peek(8, 0, NOW + SECOND)).isEqualTo(Denial.RATE_LIMITED);
    assertThat(limiter.peek(4, 0, NOW + SECOND)).isNull();
  }

  @Test
  void whatWasNotUsedIsGivenBack() {
    limiter.publish(new RateLimits(0, 0, 10, 10), 1, 10);
    assertThat(limiter.take(10, 0, NOW)).isNull();

    limiter.refund(0, 0);
    assertThat(limiter.peek(1, 0, NOW)).isEqualTo(Denial.RATE_LIMITED);
    limiter.refund(6, 0);
    assertThat(limiter.peek(7, 0, NOW)).isEqualTo(Denial.RATE_LIMITED);
    assertThat(limiter.take(6, 0, NOW)).isNull();
    limiter.refund(Long.MAX_VALUE, 0);
    assertThat(limiter.peek(11, 0, NOW)).isEqualTo(Denial.RATE_LIMITED);
    assertThat(limiter.take(10, 0, NOW)).isNull();
  }

  @Test
  void whatWasUsedBeyondTheQuoteIsChargedUpToOneBurstOfDebt() {
    limiter.publish(new RateLimits(0, 0, 10, 10), 1, 10);
    assertThat(limiter.take(10, 0, NOW)).isNull();

    assertThat(limiter.charge(3, 0, NOW)).isEqualTo(3);
    assertThat(limiter.earliestNanos(0, NOW)).isEqualTo(NOW + 300_000_000L);
    assertThat(limiter.charge(Long.MAX_VALUE, 0, NOW)).isEqualTo(7);
    assertThat(limiter.charge(Long.MAX_VALUE, 0, NOW)).isZero();
    assertThat(limiter.earliestNanos(0, NOW)).isEqualTo(NOW + SECOND);
    assertThat(limiter.earliestNanos(10, NOW)).isEqualTo(NOW + 2 * SECOND);
    assertThat(limiter.take(10, 0, NOW + 2 * SECOND)).isNull();
  }

  /** Three units a nanosecond and a third: a unit costs no whole number of nanoseconds. */
  @Test
  void aRefundIsRoundedDownSoThatTakingAndGivingBackGainsNothing() {
    limiter.publish(new RateLimits(0, 0, 3_333_333_333L, 1_000), 1, 1_000);
    for (int i = 0; i < 200; i++) {
      assertThat(limiter.take(2, 0, NOW)).isNull();
      limiter.refund(1, 0);
    }

    assertThat(limiter.peek(801, 0, NOW)).isEqualTo(Denial.RATE_LIMITED);
  }

  @Test
  void aChargeInShardsNamesTheUnitsThatTheShardPaidFor() {
    limiter.publish(new RateLimits(0, 0, 10, 40), 4, 10);
    assertThat(limiter.shards()).isEqualTo(4);

    assertThat(limiter.charge(7, 1, NOW)).isEqualTo(7);
    assertThat(limiter.charge(100, 1, NOW)).isEqualTo(13);
    limiter.refund(20, 1);
    assertThat(limiter.take(10, 1, NOW)).isNull();
  }

  @Test
  void anAdjustmentOfAnAccountWithoutAUnitRateIsNothing() {
    limiter.publish(new RateLimits(1, 1, 0, 0), 1, 1);

    assertThat(limiter.limitsUnits()).isFalse();
    assertThat(limiter.charge(Long.MAX_VALUE, 0, NOW)).isZero();
    limiter.refund(Long.MAX_VALUE, 0);
    assertThat(limiter.take(1, 0, NOW)).isNull();
  }

  @Test
  void theEarliestTimeIsTheFirstAtWhichBothRatesLetTheRequestIn() {
    limiter.publish(new RateLimits(2, 2, 3, 9), 1, 9);
    assertThat(limiter.earliestNanos(9, NOW)).isEqualTo(NOW);
    assertThat(limiter.take(9, 0, NOW)).isNull();
    assertThat(limiter.take(0, 0, NOW)).isNull();

    assertThat(limiter.earliestNanos(0, NOW)).isEqualTo(NOW + SECOND / 2);
    final long earliest = limiter.earliestNanos(7, NOW);
    assertThat(limiter.earliestNanos(7, NOW)).isEqualTo(earliest);
    assertThat(limiter.peek(7, 0, earliest - 1)).isEqualTo(Denial.RATE_LIMITED);
    assertThat(limiter.peek(7, 0, earliest)).isNull();
    assertThat(limiter.take(7, 0, earliest)).isNull();
  }

  @Test
  void aClockThatStepsBackLocksNobodyOutForLongerThanTwoBurstsAndASecond() {
    limiter.publish(new RateLimits(1, 4, 1, 4), 1, 4);
    assertThat(limiter.take(4, 0, NOW)).isNull();
    final long longest = 2 * 4 * SECOND + SECOND;

    for (long before = NOW - SECOND / 2; before > 0; before -= 100 * SECOND) {
      limiter.peek(4, 0, before);
      assertThat(limiter.peek(4, 0, before + longest)).isNull();
      assertThat(limiter.earliestNanos(4, before)).isLessThanOrEqualTo(before + longest);
    }
  }

  @Test
  void clocksThatDisagreeByLessThanASecondCostNobodyWhatIsTaken() {
    limiter.publish(new RateLimits(0, 0, 1, 4), 1, 4);
    assertThat(limiter.take(4, 0, NOW)).isNull();
    assertThat(limiter.charge(4, 0, NOW)).isEqualTo(4);

    assertThat(limiter.peek(1, 0, NOW - SECOND)).isEqualTo(Denial.RATE_LIMITED);
    assertThat(limiter.earliestNanos(4, NOW)).isEqualTo(NOW + 8 * SECOND);
  }

  @Test
  void theSlowestAndTheFastestRateWork() {
    limiter.publish(new RateLimits(1, 1, Long.MAX_VALUE, 1L << 60), 1, 1L << 60);
    assertThat(limiter.take(1L << 60, 0, NOW)).isNull();
    assertThat(limiter.take(0, 0, NOW + SECOND - 1)).isEqualTo(Denial.REQUEST_RATE_LIMITED);
    assertThat(limiter.take(1L << 60, 0, NOW + SECOND)).isNull();

    limiter.publish(new RateLimits(Long.MAX_VALUE, 1, 1, 1), 1, 1);
    assertThat(limiter.take(1, 0, NOW + 2 * SECOND)).isNull();
    assertThat(limiter.take(0, 0, NOW + 2 * SECOND)).isEqualTo(Denial.REQUEST_RATE_LIMITED);
    assertThat(limiter.take(0, 0, NOW + 2 * SECOND + 1)).isNull();
    assertThat(limiter.take(1, 0, NOW + 3 * SECOND - 1)).isEqualTo(Denial.RATE_LIMITED);
    assertThat(limiter.take(1, 0, NOW + 3 * SECOND)).isNull();
  }

  @Test
  void limitsThatCannotBeCountedLeaveTheOldOnesInForce() {
    limiter.publish(new RateLimits(0, 0, 1, 1), 1, 1);

    assertThatThrownBy(() -> limiter.publish(new RateLimits(0, 0, 1, Long.MAX_VALUE), 1, 1))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(limiter.isUnpriceable(2)).isTrue();
    assertThat(limiter.take(1, 0, NOW)).isNull();
  }

  @Test
  void theTimeOfAnOldDebtIsBoundedByTheBurstInForce() {
    limiter.publish(new RateLimits(0, 0, 1, 3_600), 1, 1);
    assertThat(limiter.take(3_600, 0, NOW)).isNull();

    limiter.publish(new RateLimits(0, 0, 1, 1), 1, 1);
    assertThat(limiter.peek(1, 0, NOW)).isEqualTo(Denial.RATE_LIMITED);
    assertThat(limiter.earliestNanos(1, NOW)).isLessThanOrEqualTo(NOW + 3 * SECOND);
  }
}
