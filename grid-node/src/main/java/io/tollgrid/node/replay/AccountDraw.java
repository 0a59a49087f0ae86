package io.tollgrid.node.replay;

import java.util.Arrays;

/**
 * Which of {@code A} accounts a row of a trace belongs to: a seeded, heavy-tailed draw (Zipf with
 * exponent 1.1).
 *
 * <p>Row {@code i} mixes {@code seed + (i + 1) · 0x9E3779B97F4A7C15} with SplitMix64's finalizer
 * (Steele, Lea, Flood 2014), takes the top 53 bits as {@code u} in [0, 1), and picks the smallest
 * rank {@code k} whose cumulative weight {@code Σ r^-1.1} exceeds {@code u} times the total.
 * Immutable and safe to share.
 */
public final class AccountDraw {
  private static final double EXPONENT = -1.1;
  private static final long GOLDEN_GAMMA = 0x9E3779B97F4A7C15L;

  private final long seed;
  private final double[] cumulative;

  /**
   * A draw over this many accounts.
   *
   * @param accounts 1 or more
   */
  public AccountDraw(long seed, int accounts) {
    if (accounts < 1) {
      throw new IllegalArgumentException("a draw needs at least one account, not " + accounts);
    }
    this.seed = seed;
    cumulative = new double[accounts];
    double sum = 0;
    for (int rank = 1; rank <= accounts; rank++) {
      sum += Math.pow(rank, EXPONENT);
      cumulative[rank - 1] = sum;
    }
  }

  /** The rank of the account that row {@code index} belongs to, from 1. */
  public int rankOf(long index) {
    final double threshold =
        uniform(seed + (index + 1) * GOLDEN_GAMMA) * cumulative[cumulative.length - 1];
    final int found = Arrays.binarySearch(cumulative, threshold);
    // The weights are positive, so the sums are distinct; one that is equal does not exceed the
    // threshold.
    final int position = found >= 0 ? found + 1 : -found - 1;
    return Math.min(position, cumulative.length - 1) + 1;
  }

  private static double uniform(long x) {
    long z = (x ^ (x >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    z ^= z >>> 31;
    return (z >>> 11) * 0x1.0p-53;
  }
}
