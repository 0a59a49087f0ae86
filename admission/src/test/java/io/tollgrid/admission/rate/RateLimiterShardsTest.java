package io.tollgrid.admission.rate;

import static org.assertj.core.api.Assertions.assertThat;

import io.tollgrid.admission.denial.Denial;
import io.tollgrid.ledger.RateLimits;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Witnesses R29 and R9 where a limiter is split: what is taken, charged and given back is that of
 * the shard it is about, of both its words, and of no other.
 */
class RateLimiterShardsTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long NOW = 1_000 * SECOND;

  /** Two shards of five requests and of ten units a second each. */
  private static final RateLimits BOTH = new RateLimits(10, 10, 20, 20);

  private final RateLimiter limiter = new RateLimiter();

  @Test
  void aChargeIsTheShardsOwn() {
    limiter.publish(BOTH, 2, 10);
    assertThat(limiter.shards()).isEqualTo(2);
    assertThat(limiter.take(10, 0, NOW)).isNull();

    assertThat(limiter.charge(4, 1, NOW)).isEqualTo(4);

    assertThat(limiter.peek(7, 0, NOW)).isEqualTo(Denial.RATE_LIMITED);
    assertThat(limiter.peek(6, 0, NOW)).isNull();
  }

  @Test
  void aRefundIsTheShardsOwn() {
    limiter.publish(BOTH, 2, 10);
    assertThat(limiter.take(10, 0, NOW)).isNull();
    assertThat(limiter.take(4, 1, NOW)).isNull();

    limiter.refund(3, 1);

    assertThat(limiter.peek(10, 0, NOW)).isEqualTo(Denial.RATE_LIMITED);
    assertThat(limiter.peek(9, 0, NOW)).isNull();
    limiter.refund(10, 0);
    assertThat(limiter.peek(10, 1, NOW)).isNull();
  }

  @Test
  void aRefundOfWhatWasNeverTakenLeavesAFullBucket() {
    limiter.publish(new RateLimits(0, 0, 10, 10), 1, 10);
    limiter.refund(3, 0);
    assertThat(limiter.charge(3, 0, 0)).isEqualTo(3);

    assertThat(limiter.peek(8, 0, 0)).isEqualTo(Denial.RATE_LIMITED);
    assertThat(limiter.peek(7, 0, 0)).isNull();
  }

  @Test
  void theEarliestTimeIsThatOfTheFirstShardThatHoldsIt() {
    limiter.publish(BOTH, 2, 10);
    for (final int stripe : List.of(0, 1)) {
      assertThat(limiter.take(10, stripe, NOW)).isNull();
    }
    limiter.refund(5, 1);

    // Ten units a second and shard: five are missing in one, ten in the other.
    assertThat(limiter.earliestNanos(10, NOW)).isEqualTo(NOW + SECOND / 2);
    assertThat(limiter.earliestNanos(5, NOW)).isEqualTo(NOW);
    assertThat(limiter.earliestNanos(11, NOW)).isEqualTo(Long.MAX_VALUE);
    assertThat(limiter.pass(10, 0, NOW + SECOND / 2 - 1)).isEqualTo(Denial.RATE_LIMITED);
    assertThat(limiter.pass(10, 0, NOW + SECOND / 2)).isNull();
  }

  @Test
  void requestsAreCountedShardByShard() {
    limiter.publish(BOTH, 2, 10);
    for (int i = 0; i < 10; i++) {
      assertThat(limiter.earliestNanos(0, NOW)).isEqualTo(NOW);
      assertThat(limiter.pass(0, 0, NOW)).isNull();
    }

    assertThat(limiter.pass(0, 0, NOW)).isEqualTo(Denial.REQUEST_RATE_LIMITED);
    assertThat(limiter.earliestNanos(0, NOW)).isEqualTo(NOW + SECOND / 5);
  }

  @Test
  void newLimitsForAsManyShardsLeaveEachShardAsItIs() {
    limiter.publish(BOTH, 2, 10);
    assertThat(limiter.take(10, 0, NOW)).isNull();

    limiter.publish(new RateLimits(10, 10, 20, 24), 2, 10);

    assertThat(limiter.peek(10, 0, NOW)).as("by the sibling").isNull();
    assertThat(limiter.take(10, 1, NOW)).isNull();
    assertThat(limiter.peek(3, 1, NOW)).isEqualTo(Denial.RATE_LIMITED);
  }

  @Test
  void aReSplitGoesOnWithTheEmptiestShard() {
    limiter.publish(BOTH, 2, 10);
    assertThat(limiter.take(10, 1, NOW)).isNull();
    assertThat(limiter.take(2, 0, NOW)).isNull();

    limiter.publish(BOTH, 4, 5);

    assertThat(limiter.shards()).isEqualTo(4);
    for (int stripe = 0; stripe < 4; stripe++) {
      assertThat(limiter.peek(1, stripe, NOW)).isEqualTo(Denial.RATE_LIMITED);
      assertThat(limiter.peek(5, stripe, NOW + SECOND)).isNull();
    }
  }

  @Test
  void aPassTakesFromBothOrSaysWhichRefused() {
    limiter.publish(new RateLimits(2, 2, 20, 20), 1, 10);
    assertThat(limiter.pass(21, 0, NOW)).isEqualTo(Denial.RATE_LIMITED);
    assertThat(limiter.pass(15, 0, NOW)).isNull();
    assertThat(limiter.pass(6, 0, NOW)).isEqualTo(Denial.RATE_LIMITED);
    assertThat(limiter.pass(5, 0, NOW)).isNull();
    assertThat(limiter.pass(0, 0, NOW)).isEqualTo(Denial.REQUEST_RATE_LIMITED);

    assertThat(limiter.earliestNanos(0, NOW)).isEqualTo(NOW + SECOND / 2);
    assertThat(limiter.earliestNanos(20, NOW)).isEqualTo(NOW + SECOND);
  }

  @Test
  void anAccountWithOneRateIsHeldToThatOne() {
    limiter.publish(new RateLimits(0, 0, 20, 20), 1, 10);
    assertThat(limiter.pass(20, 0, NOW)).isNull();
    assertThat(limiter.pass(1, 0, NOW)).isEqualTo(Denial.RATE_LIMITED);
    limiter.publish(new RateLimits(1, 1, 0, 0), 1, 10);
    assertThat(limiter.pass(1_000, 0, NOW)).isNull();
    assertThat(limiter.pass(1_000, 0, NOW)).isEqualTo(Denial.REQUEST_RATE_LIMITED);
  }

  @Test
  void aQuantityBeyondAllNumbersIsRefusedByAnyNumberOfShards() {
    for (final int shards : new int[] {1, 2}) {
      final RateLimiter split = new RateLimiter();
      split.publish(BOTH, shards, 10);
      for (final long units : new long[] {Long.MAX_VALUE, Long.MAX_VALUE / 2 + 1, 1L << 62}) {
        assertThat(split.peek(units, 0, NOW)).isEqualTo(Denial.RATE_LIMITED);
        assertThat(split.pass(units, 0, NOW)).isEqualTo(Denial.RATE_LIMITED);
        assertThat(split.take(units, 0, NOW)).isEqualTo(Denial.RATE_LIMITED);
        assertThat(split.earliestNanos(units, NOW)).isEqualTo(Long.MAX_VALUE);
      }
    }
  }

  /** Ten a second, ten at once: pulled back to a debt of one burst, a unit can be had in 1.1 s. */
  @Test
  void aClockThatStepsBackLeavesAFullDebtAndNoLess() {
    for (final int shards : new int[] {1, 2}) {
      final RateLimiter split = new RateLimiter();
      split.publish(new RateLimits(0, 0, 10L * shards, 10L * shards), shards, 10);
      for (int stripe = 0; stripe < shards; stripe++) {
        assertThat(split.take(10, stripe, NOW)).isNull();
      }

      assertThat(split.peek(1, 1, 0)).isEqualTo(Denial.RATE_LIMITED);

      assertThat(split.peek(1, 0, 0)).isEqualTo(Denial.RATE_LIMITED);
      assertThat(split.earliestNanos(1, 0)).isEqualTo(SECOND + SECOND / 10);
    }
  }

  @Test
  void withoutAnyLimitItIsNotSplit() {
    limiter.publish(RateLimits.NONE, 4, 1);
    assertThat(limiter.shards()).isEqualTo(1);
    assertThat(limiter.pass(Long.MAX_VALUE, 3, NOW)).isNull();
  }
}
