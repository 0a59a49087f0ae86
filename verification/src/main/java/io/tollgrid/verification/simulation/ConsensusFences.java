package io.tollgrid.verification.simulation;

import java.util.Arrays;

/** The counters ownership fences are drawn from: consensus among members, held in memory only. */
final class ConsensusFences {
  private final long[] counters = new long[Scale.PARTITIONS];

  /** Draws a fence above the floor and above everything drawn since the last loss. */
  long draw(int partition, long floor) {
    counters[partition] = Math.max(counters[partition], floor) + 1;
    return counters[partition];
  }

  /** A full restart: consensus memory does not survive it. */
  void lose() {
    Arrays.fill(counters, 0);
  }
}
