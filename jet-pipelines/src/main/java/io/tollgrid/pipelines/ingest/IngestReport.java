package io.tollgrid.pipelines.ingest;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.tollgrid.grid.usage.UsageRecorder;
import io.tollgrid.ledger.UsageVerdict;
import io.tollgrid.ledger.port.LedgerClock;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** What became of the usage on this member, in running totals. Thread-safe. */
final class IngestReport {
  private static final double NANOS_PER_SECOND = Duration.ofSeconds(1).toNanos();
  private static final String BATCHES = "tollgrid.usage.batches";

  private final LedgerClock clock;
  private final MeterRegistry registry;
  private final Map<UsageVerdict, Counter> events = new EnumMap<>(UsageVerdict.class);
  private final Counter heldBack;
  private final Counter notWrittenDown;
  private final Counter taken;
  private final Counter takenAgain;
  private final Counter malformed;
  private volatile int open;
  private volatile long oldestNanos = Long.MAX_VALUE;

  IngestReport(LedgerClock clock, MeterRegistry registry) {
    this.clock = clock;
    this.registry = registry;
    for (final UsageVerdict verdict : UsageVerdict.values()) {
      events.put(
          verdict,
          Counter.builder("tollgrid.usage.events")
              .tag("verdict", verdict.name())
              .register(registry));
    }
    this.heldBack = Counter.builder("tollgrid.usage.held.back").register(registry);
    this.notWrittenDown = Counter.builder("tollgrid.usage.not.written.down").register(registry);
    this.taken = Counter.builder(BATCHES).tag("result", "taken").register(registry);
    this.takenAgain = Counter.builder(BATCHES).tag("result", "taken-again").register(registry);
    this.malformed = Counter.builder(BATCHES).tag("result", "malformed").register(registry);
    Gauge.builder("tollgrid.usage.open.batches", this, it -> it.open)
        .strongReference(true)
        .register(registry);
    Gauge.builder("tollgrid.usage.lag", this, it -> it.lagNanos() / NANOS_PER_SECOND)
        .baseUnit("seconds")
        .strongReference(true)
        .register(registry);
  }

  void watch(UsageRecorder recorder) {
    Gauge.builder("tollgrid.usage.under.way", recorder, UsageRecorder::events)
        .strongReference(true)
        .register(registry);
    Gauge.builder("tollgrid.usage.accounts.stuck", recorder, UsageRecorder::stuck)
        .strongReference(true)
        .register(registry);
  }

  void classified(List<UsageVerdict> verdicts) {
    for (final UsageVerdict verdict : verdicts) {
      final Counter counter = events.get(verdict);
      if (counter != null) {
        counter.increment();
      }
    }
  }

  void heldBack(int howMany) {
    heldBack.increment(howMany);
  }

  void failed(String code) {
    Counter.builder("tollgrid.usage.failures").tag("code", code).register(registry).increment();
  }

  void notWrittenDown() {
    notWrittenDown.increment();
  }

  /** A batch was taken; {@code sinceNanos} is when it was seen first. */
  void taken(boolean again, long sinceNanos) {
    (again ? takenAgain : taken).increment();
    // The next look may be long in coming, where whoever records has no room.
    if (oldestNanos == Long.MAX_VALUE) {
      oldestNanos = sinceNanos;
    }
  }

  void malformed() {
    malformed.increment();
  }

  /** What a look has shown: batches with open events, and since when the oldest is there. */
  void open(int batches, long sinceNanos) {
    open = batches;
    oldestNanos = batches == 0 ? Long.MAX_VALUE : sinceNanos;
  }

  long lagNanos() {
    final long since = oldestNanos;
    return since == Long.MAX_VALUE ? 0 : Math.max(0, clock.nowNanos() - since);
  }
}
