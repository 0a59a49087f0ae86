package io.tollgrid.verification.faults.ingest;

import java.util.SplittableRandom;

/**
 * What one of several writers delivers, in its order: blocks of events that are its own, each with
 * what others delivered first a block ago or long ago, shuffled. Memory is bounded by a block. Not
 * thread-safe.
 */
final class DeliveryOrder {
  private static final int BLOCK_EVENTS = 1_024;

  /** Blocks until a late redelivery; no multiple of the number of writers. */
  private static final int LATE_BLOCKS = 16;

  private final UsagePlan plan;
  private final int writers;
  private final long[] block = new long[3 * BLOCK_EVENTS];
  private int size;
  private int next;
  private int number;

  /**
   * The order of one writer.
   *
   * @param writer which, from 0
   * @param writers of how many, 2 or 3
   */
  DeliveryOrder(UsagePlan plan, int writer, int writers) {
    if (writers < 2 || LATE_BLOCKS % writers == 0) {
      throw new IllegalArgumentException(writers + " writers cannot deliver for one another");
    }
    this.plan = plan;
    this.writers = writers;
    this.number = writer - writers;
  }

  /** Goes on. Returns whether there is one more. */
  boolean advance() {
    next++;
    while (next >= size) {
      number += writers;
      if ((long) (number - LATE_BLOCKS) * BLOCK_EVENTS >= plan.events()) {
        return false;
      }
      fill();
      next = 0;
    }
    return true;
  }

  /** The event that is delivered. */
  int event() {
    return (int) (block[next] >>> 1);
  }

  /** 0 if its first delivery is this writer's, 1 if this is its second. */
  int copy() {
    return (int) block[next] & 1;
  }

  private void fill() {
    size = 0;
    add(number, 0, false);
    add(number - 1, 1, false);
    add(number - LATE_BLOCKS, 1, true);
    final SplittableRandom random = new SplittableRandom(plan.seed() * 31 + number);
    for (int last = size - 1; last > 0; last--) {
      final int other = random.nextInt(last + 1);
      final long swapped = block[last];
      block[last] = block[other];
      block[other] = swapped;
    }
  }

  private void add(int from, int copy, boolean late) {
    if (from < 0) {
      return;
    }
    final long first = (long) from * BLOCK_EVENTS;
    for (long event = first; event < Math.min(first + BLOCK_EVENTS, plan.events()); event++) {
      if (copy == 0
          || (plan.isRedelivered((int) event) && plan.isRedeliveredLate((int) event) == late)) {
        block[size] = event << 1 | copy;
        size++;
      }
    }
  }
}
