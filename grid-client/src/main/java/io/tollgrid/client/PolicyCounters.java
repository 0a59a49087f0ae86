package io.tollgrid.client;

import java.util.concurrent.atomic.LongAdder;

/** What became of an instance's efforts to stay current, in running totals. Thread-safe. */
public final class PolicyCounters {
  final LongAdder reads = new LongAdder();
  final LongAdder failedReads = new LongAdder();
  final LongAdder movedReads = new LongAdder();
  final LongAdder unsafe = new LongAdder();
  final LongAdder changesHeard = new LongAdder();
  final LongAdder gaps = new LongAdder();

  PolicyCounters() {}

  /** Reads of the authority that were answered. */
  public long reads() {
    return reads.sum();
  }

  /** Reads that failed. */
  public long failedReads() {
    return failedReads.sum();
  }

  /** Readings of credentials that were thrown away because they changed meanwhile (R44). */
  public long movedReads() {
    return movedReads.sum();
  }

  /** Policies that were read and must not come into force here (R42). */
  public long unsafe() {
    return unsafe.sum();
  }

  /** Words of changes that arrived. */
  public long changesHeard() {
    return changesHeard.sum();
  }

  /** Times when word of changes may have been lost. */
  public long gaps() {
    return gaps.sum();
  }
}
