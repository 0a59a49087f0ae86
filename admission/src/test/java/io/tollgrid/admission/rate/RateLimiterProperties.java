package io.tollgrid.admission.rate;

import static org.assertj.core.api.Assertions.assertThat;

import io.tollgrid.ledger.RateLimits;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Witnesses R29 and R9: the limiter against naive buckets over unbounded integers. */
class RateLimiterProperties {
  private static final BigInteger NANOS_PER_SECOND = BigInteger.valueOf(1_000_000_000L);
  private static final long START = 1_700_000_000_000_000_000L;

  /**
   * What happens next: time passes, then a request comes.
   *
   * @param waitPerMille of the time a burst takes
   * @param unitsPerMille of the burst
   * @param usedPerMille of its units
   * @param stripe where
   */
  record Step(int waitPerMille, int unitsPerMille, int usedPerMille, int stripe) {}

  /**
   * Limits.
   *
   * @param perSecond the rate
   * @param burst the burst
   * @param shards how many are wanted
   */
  record Setting(long perSecond, long burst, int shards) {}

  /** A token bucket, in billionths of a unit. */
  private static final class NaiveBucket {
    private final BigInteger perNano;
    private final BigInteger burst;
    private BigInteger tokens;
    private long at = START;

    NaiveBucket(final long perSecond, final long burst) {
      this.perNano = BigInteger.valueOf(perSecond);
      this.burst = BigInteger.valueOf(burst).multiply(NANOS_PER_SECOND);
      this.tokens = this.burst;
    }

    void passTo(final long now) {
      tokens = tokens.add(perNano.multiply(BigInteger.valueOf(now - at))).min(burst);
      at = now;
    }

    boolean take(final long units) {
      final BigInteger wanted = BigInteger.valueOf(units).multiply(NANOS_PER_SECOND);
      if (tokens.compareTo(wanted) < 0) {
        return false;
      }
      tokens = tokens.subtract(wanted);
      return true;
    }

    void adjust(final long taken, final long used) {
      final BigInteger more = BigInteger.valueOf(used - taken).multiply(NANOS_PER_SECOND);
      tokens = tokens.subtract(more).max(burst.negate()).min(burst);
    }
  }

  /** A unit's time is a whole number of nanoseconds here, so nothing is rounded. */
  @Property
  void itAdmitsExactlyWhatATokenBucketAdmits(
      @ForAll("exactSettings") final Setting setting, @ForAll("steps") final List<Step> steps) {
    final RateLimiter limiter = new RateLimiter();
    limiter.publish(new RateLimits(0, 0, setting.perSecond(), setting.burst()), 1, setting.burst());
    final NaiveBucket bucket = new NaiveBucket(setting.perSecond(), setting.burst());
    long now = START;
    for (final Step step : steps) {
      now += wait(setting, step);
      bucket.passTo(now);
      final long units = setting.burst() * step.unitsPerMille() / 1_000;
      final boolean peeked = limiter.peek(units, step.stripe(), now) == null;
      final long earliest = limiter.earliestNanos(units, now);
      final boolean taken = limiter.take(units, step.stripe(), now) == null;
      assertThat(peeked).isEqualTo(taken);
      assertThat(taken).isEqualTo(bucket.take(units));
      assertThat(earliest == now).isEqualTo(taken);
      if (taken) {
        final long used = units * step.usedPerMille() / 1_000;
        if (used > units) {
          limiter.charge(used - units, step.stripe(), now);
        } else {
          limiter.refund(units - used, step.stripe());
        }
        bucket.adjust(units, used);
      } else {
        assertThat(limiter.peek(units, step.stripe(), earliest - 1)).isNotNull();
        assertThat(limiter.peek(units, step.stripe(), earliest)).isNull();
      }
    }
  }

  /**
   * A burst's time is rounded up to the nanosecond, once; so the bound holds for a window that is
   * open a nanosecond longer.
   */
  @Property
  void noWindowAdmitsMoreThanItsBurstAndWhatTheRateAddsMeanwhile(
      @ForAll("settings") final Setting setting, @ForAll("steps") final List<Step> steps) {
    final RateLimiter limiter = new RateLimiter();
    limiter.publish(
        new RateLimits(setting.perSecond(), setting.burst(), setting.perSecond(), setting.burst()),
        setting.shards(),
        1);
    final List<long[]> admitted = new ArrayList<>();
    final List<long[]> counted = new ArrayList<>();
    long now = START;
    for (final Step step : steps) {
      now += wait(setting, step);
      final long units =
          (long) (setting.burst() / (double) limiter.shards() * step.unitsPerMille() / 1_000);
      if (limiter.take(units, step.stripe(), now) == null) {
        admitted.add(new long[] {now, units});
        counted.add(new long[] {now, 1});
        assertWithinEveryWindow(setting, admitted);
        assertWithinEveryWindow(setting, counted);
      }
    }
  }

  /** Every window that ends with the newest. */
  private static void assertWithinEveryWindow(final Setting setting, final List<long[]> admitted) {
    BigInteger sum = BigInteger.ZERO;
    final long end = admitted.get(admitted.size() - 1)[0];
    for (int from = admitted.size() - 1; from >= 0; from--) {
      sum = sum.add(BigInteger.valueOf(admitted.get(from)[1]));
      final BigInteger added =
          BigInteger.valueOf(end - admitted.get(from)[0] + 1)
              .multiply(BigInteger.valueOf(setting.perSecond()));
      assertThat(sum.multiply(NANOS_PER_SECOND))
          .isLessThanOrEqualTo(
              BigInteger.valueOf(setting.burst()).multiply(NANOS_PER_SECOND).add(added));
    }
  }

  private static long wait(final Setting setting, final Step step) {
    return BigInteger.valueOf(setting.burst())
        .multiply(NANOS_PER_SECOND)
        .multiply(BigInteger.valueOf(step.waitPerMille()))
        .divide(BigInteger.valueOf(1_000).multiply(BigInteger.valueOf(setting.perSecond())))
        .longValueExact();
  }

  @Provide
  Arbitrary<Setting> exactSettings() {
    return Combinators.combine(
            Arbitraries.of(1L, 2L, 5L, 40L, 1_000L, 500_000L, 1_000_000_000L),
            Arbitraries.longs().between(1, 1_000_000))
        .as((perSecond, burst) -> new Setting(perSecond, burst, 1));
  }

  @Provide
  Arbitrary<Setting> settings() {
    return Combinators.combine(
            Arbitraries.oneOf(
                Arbitraries.longs().between(1, 100_000),
                Arbitraries.longs().between(1, Long.MAX_VALUE)),
            Arbitraries.oneOf(
                Arbitraries.longs().between(1, 10),
                Arbitraries.longs().between(1, 1_000_000),
                Arbitraries.longs().between(1, 1L << 32)),
            Arbitraries.integers().between(1, 8))
        .as(
            (perSecond, burst, shards) ->
                new Setting(perSecond, Math.min(burst, perSecond * 1_000_000), shards))
        .filter(setting -> setting.burst() > 0);
  }

  @Provide
  Arbitrary<List<Step>> steps() {
    return Combinators.combine(
            Arbitraries.oneOf(
                Arbitraries.just(0),
                Arbitraries.integers().between(0, 50),
                Arbitraries.integers().between(0, 2_500)),
            Arbitraries.integers().between(0, 1_000),
            Arbitraries.integers().between(0, 3_000),
            Arbitraries.integers().between(-8, 8))
        .as(Step::new)
        .list()
        .ofMaxSize(40);
  }
}
