package io.tollgrid.client;

import java.util.SplittableRandom;

/**
 * Pauses that double up to a bound, each with jitter between half of it and all of it, so that
 * instances that failed together do not retry together. Confined to one thread.
 */
public final class Backoff {
  /** So many failures in a row deserve a person's attention. */
  public static final int FIRST_WARNING = 4;

  private final long firstNanos;
  private final long longestNanos;
  private final SplittableRandom random;
  private int streak;

  /**
   * Pauses that begin with the first.
   *
   * @param firstNanos the first, 1 or more
   * @param longestNanos the longest
   */
  public Backoff(final long firstNanos, final long longestNanos, final SplittableRandom random) {
    this.firstNanos = firstNanos;
    this.longestNanos = longestNanos;
    this.random = random;
  }

  /** The next pause. */
  public long nextNanos() {
    return nanos(firstNanos, longestNanos, streak++, random);
  }

  /** Begins again with the first pause. */
  public void reset() {
    streak = 0;
  }

  /** Whether so many failures in a row deserve a person's attention (R40). */
  public boolean isWorthAWarning() {
    return isWorthAWarning(streak);
  }

  /**
   * The pause after a failure, for owners that keep nothing but how many there were.
   *
   * @param before how many failures came before it, in a row
   */
  public static long nanos(
      final long firstNanos,
      final long longestNanos,
      final int before,
      final SplittableRandom random) {
    long full = firstNanos;
    for (int i = 0; i < before && full < longestNanos; i++) {
      full = full > longestNanos / 2 ? longestNanos : full * 2;
    }
    return jittered(full, random);
  }

  /**
   * Whether {@code streak} failures in a row deserve a person's attention: the fourth, then each
   * doubling (R40).
   */
  public static boolean isWorthAWarning(final int streak) {
    return streak >= FIRST_WARNING && Integer.bitCount(streak) == 1;
  }

  /** Between half of {@code nanos} and all of it. */
  public static long jittered(final long nanos, final SplittableRandom random) {
    return nanos - random.nextLong(nanos / 2 + 1);
  }
}
