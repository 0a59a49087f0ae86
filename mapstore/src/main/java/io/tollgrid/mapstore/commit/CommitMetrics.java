package io.tollgrid.mapstore.commit;

import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.tollgrid.ledger.LedgerCode;
import io.tollgrid.ledger.store.Verdict;
import io.tollgrid.mapstore.lane.Line;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * What a committer counts: changes, each one transition of an account or a chain of them.
 * Thread-safe.
 */
final class CommitMetrics {
  private static final double MEDIAN = 0.5;
  private static final double TAIL = 0.99;

  /** What a percentile looks back on. */
  private static final Duration RECENT = Duration.ofSeconds(10);

  private final MeterRegistry registry;
  private final DistributionSummary batchSize;
  private final Timer batchTime;
  private final Timer commitTime;
  private final Counter bisects;
  private final Counter unknowns;
  private final Counter unattributable;
  private final Map<Verdict, Counter> verdicts = new EnumMap<>(Verdict.class);
  private final Map<LedgerCode, Counter> failures = new EnumMap<>(LedgerCode.class);

  CommitMetrics(MeterRegistry registry) {
    this.registry = registry;
    batchSize =
        DistributionSummary.builder("tollgrid.committer.batch.size")
            .description("Changes judged in one transaction")
            .publishPercentiles(MEDIAN, TAIL)
            .distributionStatisticExpiry(RECENT)
            .register(registry);
    batchTime =
        Timer.builder("tollgrid.committer.batch")
            .description("One batch: locks, reads, judgement, writes and flush")
            .publishPercentiles(MEDIAN, TAIL)
            .distributionStatisticExpiry(RECENT)
            .register(registry);
    commitTime =
        Timer.builder("tollgrid.committer.commit")
            .description("COMMIT alone, of transactions that wrote")
            .publishPercentiles(MEDIAN, TAIL)
            .distributionStatisticExpiry(RECENT)
            .register(registry);
    bisects =
        Counter.builder("tollgrid.committer.bisects")
            .description("Batches that failed as a whole and were split")
            .register(registry);
    unknowns =
        Counter.builder("tollgrid.committer.unknown")
            .description("Changes whose COMMIT did not answer with plain success")
            .register(registry);
    unattributable =
        Counter.builder("tollgrid.usage.unattributable")
            .description("Usage events that were billed and name no credential")
            .register(registry);
    for (final Verdict verdict : Verdict.values()) {
      verdicts.put(
          verdict,
          Counter.builder("tollgrid.committer.verdicts")
              .description("Changes by what the store judged")
              .tag("verdict", verdict.name().toLowerCase(Locale.ROOT))
              .register(registry));
    }
    for (final LedgerCode code : new LedgerCode[] {LedgerCode.CORRUPT, LedgerCode.UNAVAILABLE}) {
      failures.put(
          code,
          Counter.builder("tollgrid.committer.failures")
              .description("Changes not written for a reason outside the rules")
              .tag("code", code.name().toLowerCase(Locale.ROOT))
              .register(registry));
    }
  }

  void watch(String kind, Line<?, ?> line) {
    Gauge.builder("tollgrid.committer.waiting", line, Line::waitingCallers)
        .description("Callers waiting for a lane")
        .tag("kind", kind)
        .register(registry);
  }

  /** The clock that ages and durations are measured with. */
  Clock clock() {
    return registry.config().clock();
  }

  long now() {
    return clock().monotonicTime();
  }

  void batch(int transitions, long sinceNanos) {
    batchSize.record(transitions);
    batchTime.record(now() - sinceNanos, TimeUnit.NANOSECONDS);
  }

  void committed(long sinceNanos) {
    commitTime.record(now() - sinceNanos, TimeUnit.NANOSECONDS);
  }

  void unattributable(int events) {
    unattributable.increment(events);
  }

  void bisected() {
    bisects.increment();
  }

  void answered(CommitOutcome outcome) {
    if (outcome instanceof CommitOutcome.Judged judged) {
      increment(verdicts.get(judged.verdict()));
    } else if (outcome instanceof CommitOutcome.Failed failed) {
      increment(failures.get(failed.code()));
    } else {
      unknowns.increment();
    }
  }

  long judged(Verdict verdict) {
    final Counter counter = verdicts.get(verdict);
    return counter == null ? 0 : Math.round(counter.count());
  }

  private static void increment(@org.jspecify.annotations.Nullable Counter counter) {
    if (counter != null) {
      counter.increment();
    }
  }
}
