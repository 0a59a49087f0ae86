package io.tollgrid.verification.bench.admission;

import java.util.Arrays;
import java.util.SplittableRandom;

/** Which account the next request is for, drawn beforehand so that drawing costs nothing. */
public enum Draws {
  /** Every account as likely as every other. */
  UNIFORM,
  /**
   * The account of rank r with a weight of 1/r; neighbours in rank are not neighbours in memory.
   */
  ZIPF;

  /** Draws in a row before they repeat; a power of two. */
  static final int LENGTH = 1 << 21;

  private static final long SEED = 20_261_130;

  /** Positions from 0 to {@code accounts - 1}. */
  int[] of(int accounts) {
    final SplittableRandom random = new SplittableRandom(SEED);
    final int[] draws = new int[LENGTH];
    if (this == UNIFORM) {
      Arrays.setAll(draws, i -> random.nextInt(accounts));
      return draws;
    }
    final int[] accountOfRank = shuffled(accounts, random);
    final double[] weightUpTo = new double[accounts];
    double sum = 0;
    for (int rank = 0; rank < accounts; rank++) {
      sum += 1.0 / (rank + 1);
      weightUpTo[rank] = sum;
    }
    for (int i = 0; i < LENGTH; i++) {
      final int found = Arrays.binarySearch(weightUpTo, random.nextDouble() * sum);
      draws[i] = accountOfRank[Math.min(found < 0 ? -found - 1 : found, accounts - 1)];
    }
    return draws;
  }

  private static int[] shuffled(int count, SplittableRandom random) {
    final int[] order = new int[count];
    for (int i = 0; i < count; i++) {
      final int other = random.nextInt(i + 1);
      order[i] = order[other];
      order[other] = i;
    }
    return order;
  }
}
