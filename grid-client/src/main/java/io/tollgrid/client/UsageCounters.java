package io.tollgrid.client;

import io.tollgrid.ledger.UsageVerdict;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * What became of an instance's usage events, in running totals that outlive their writer (R22,
 * R40). Thread-safe.
 */
public final class UsageCounters {
  private final Map<UsageVerdict, LongAdder> verdicts = new EnumMap<>(UsageVerdict.class);
  final LongAdder batches = new LongAdder();
  final LongAdder retries = new LongAdder();
  final LongAdder refusedEvents = new LongAdder();
  final LongAdder refusedUnits = new LongAdder();
  final AtomicLong lastAnswerNanos = new AtomicLong();

  UsageCounters() {
    for (final UsageVerdict verdict : UsageVerdict.values()) {
      verdicts.put(verdict, new LongAdder());
    }
  }

  void classified(final UsageVerdict verdict) {
    adder(verdict).increment();
  }

  /** Events that were classified so. */
  public long events(final UsageVerdict verdict) {
    return adder(verdict).sum();
  }

  /** Batches sent, repetitions not counted. */
  public long batches() {
    return batches.sum();
  }

  /** Batches sent again because their outcome was unknown or they were not taken. */
  public long retries() {
    return retries.sum();
  }

  /** Events that no ledger will ever record: refused for good, or rejected. */
  public long refusedEvents() {
    return refusedEvents.sum();
  }

  /** Units of the events that no ledger will ever record: spend nobody paid for. */
  public long refusedUnits() {
    return refusedUnits.sum();
  }

  /** When a ledger last answered a batch, epoch nanoseconds; 0 if none ever did. */
  public long lastAnswerNanos() {
    return lastAnswerNanos.get();
  }

  private LongAdder adder(final UsageVerdict verdict) {
    final LongAdder adder = verdicts.get(verdict);
    if (adder == null) {
      throw new IllegalStateException("no counter for " + verdict);
    }
    return adder;
  }
}
