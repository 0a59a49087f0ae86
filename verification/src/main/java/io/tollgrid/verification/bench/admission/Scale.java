package io.tollgrid.verification.bench.admission;

import java.time.Duration;

/**
 * How much a run measures.
 *
 * @param rounds how often everything is measured, the peers in between; 1 or more
 * @param window time of one measurement, and about of the warm-up before it; positive
 * @param iterations into how many parts it falls; 1 or more
 * @param accounts the large number of accounts
 * @param fewAccounts the small one
 * @param largeHeapMegabytes heap of the forks that hold the large number of accounts
 * @param apart whether every measurement has a process of its own
 */
public record Scale(
    int rounds,
    Duration window,
    int iterations,
    int accounts,
    int fewAccounts,
    int largeHeapMegabytes,
    boolean apart) {
  /** Heap of every other fork. */
  static final int HEAP_MEGABYTES = 1_024;

  private static final int ITERATIONS = 3;
  private static final int FEW_ACCOUNTS = 1_000;
  private static final int LARGE_HEAP_MEGABYTES = 6_144;

  /** What a figure needs: a million accounts against a thousand. */
  public static Scale full(int rounds, Duration window, int accounts) {
    return new Scale(
        rounds, window, ITERATIONS, accounts, FEW_ACCOUNTS, LARGE_HEAP_MEGABYTES, true);
  }

  /** Enough to see that everything runs; its numbers mean nothing. */
  public static Scale quick() {
    return new Scale(
        1, Duration.ofMillis(20), 1, 4 * FEW_ACCOUNTS, FEW_ACCOUNTS, HEAP_MEGABYTES, false);
  }
}
