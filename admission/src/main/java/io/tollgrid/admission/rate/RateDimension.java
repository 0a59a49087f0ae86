package io.tollgrid.admission.rate;

import java.math.BigInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * So many of something per second, and so many at once, in the form requests compute with.
 *
 * <p>A unit's time is kept in 2^-shift nanoseconds, with the finest shift for which two bursts fit
 * a long, so that the price of rounding up is at most a nanosecond a request. The time of the burst
 * is rounded up as well, once: a window can hold what the rate adds in less than a nanosecond
 * beyond the burst and the rate.
 */
final class RateDimension {
  private static final int FINEST_SHIFT = 40;
  private static final BigInteger NANOS_PER_SECOND = BigInteger.valueOf(1_000_000_000L);
  private static final BigInteger MAX_SCALED_BURST =
      BigInteger.valueOf(GcraArithmetic.MAX_SCALED_BURST);

  /**
   * Those made lately, by hash: accounts of one tier have the same limits, and a process with a
   * million accounts need not keep, nor read, them a million times.
   */
  private static final AtomicReferenceArray<@Nullable RateDimension> MADE =
      new AtomicReferenceArray<>(1 << 8);

  final long burst;
  final long burstNanos;
  private final long perSecond;
  private final long scaledInterval;
  private final int shift;

  private RateDimension(
      final long perSecond, final long burst, final long scaledInterval, final int shift) {
    this.perSecond = perSecond;
    this.burst = burst;
    this.scaledInterval = scaledInterval;
    this.shift = shift;
    this.burstNanos = costNanos(burst);
  }

  /** The dimension, or null for a rate of 0: no limit. Refuses a burst that cannot be counted. */
  static @Nullable RateDimension of(final String what, final long perSecond, final long burst) {
    if (perSecond == 0) {
      return null;
    }
    final int place = (int) (((perSecond * 31 + burst) * 0x9E3779B97F4A7C15L) >>> 56);
    final RateDimension made = MADE.getAcquire(place);
    if (made != null && made.perSecond == perSecond && made.burst == burst) {
      return made;
    }
    final RateDimension dimension = make(what, perSecond, burst);
    MADE.setRelease(place, dimension);
    return dimension;
  }

  private static RateDimension make(final String what, final long perSecond, final long burst) {
    for (int shift = FINEST_SHIFT; shift >= 0; shift--) {
      final BigInteger interval =
          NANOS_PER_SECOND
              .shiftLeft(shift)
              .add(BigInteger.valueOf(perSecond - 1))
              .divide(BigInteger.valueOf(perSecond));
      if (interval.multiply(BigInteger.valueOf(burst)).compareTo(MAX_SCALED_BURST) <= 0) {
        return new RateDimension(perSecond, burst, interval.longValueExact(), shift);
      }
    }
    throw new IllegalArgumentException(
        "a burst of "
            + burst
            + " "
            + what
            + " at "
            + perSecond
            + "/s cannot be counted: it takes more than 73 years to refill, or is above 2^61;"
            + " raise the rate or lower the burst");
  }

  /** Whether a full bucket of one shard of {@code shards} holds this much. */
  boolean canEverHold(final long quantity, final int shards) {
    return shards == 1 ? quantity <= burst : quantity <= burst / shards;
  }

  /**
   * The time {@code quantity} costs one shard of {@code shards}, where {@code quantity * shards} is
   * at most the burst.
   */
  long costNanos(final long quantity, final int shards) {
    return costNanos(quantity * shards);
  }

  /** The time an adjustment costs one shard of {@code shards}; two bursts stand for all beyond. */
  long adjustmentNanos(final long quantity, final int shards) {
    final long most = 2 * burst;
    return costNanos(quantity > most / shards ? most : quantity * shards);
  }

  /**
   * The time that giving back {@code quantity} is worth to one shard of {@code shards}, rounded
   * down (R7); two bursts stand for all beyond.
   */
  long refundNanos(final long quantity, final int shards) {
    final long most = 2 * burst;
    final long whole = quantity > most / shards ? most : quantity * shards;
    return (whole * scaledInterval) >> shift;
  }

  /**
   * How much {@code nanos} of one shard of {@code shards} pay for, rounded down; two bursts at
   * most.
   */
  long paidBy(final long nanos, final int shards) {
    return (nanos << shift) / scaledInterval / shards;
  }

  private long costNanos(final long quantity) {
    return GcraArithmetic.costNanos(quantity, scaledInterval, shift);
  }
}
