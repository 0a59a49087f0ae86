package io.tollgrid.verification.bench.ingest;

import io.tollgrid.client.BulkUsageWriter;
import io.tollgrid.client.UsageSettings;
import io.tollgrid.grid.RandomIds;
import io.tollgrid.grid.SystemClock;
import io.tollgrid.grid.usage.GridUsageInbox;
import io.tollgrid.ledger.Bits256;
import io.tollgrid.ledger.Funding;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.LegRole;
import io.tollgrid.ledger.Outcome;
import io.tollgrid.ledger.UsageEvent;
import io.tollgrid.ledger.UsageVerdict;
import io.tollgrid.node.TollgridNode;
import io.tollgrid.verification.bench.ledger.AccountPick;
import io.tollgrid.verification.bench.ledger.Stopwatch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/** The product: a writer leaves events, each funded by a lease, and hears of each. */
final class IngestSide implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final long NANOS_PER_MILLI = 1_000_000L;

  /** Events between two readings of the clock. */
  private static final long MARK = 1_000_000;

  private final SystemClock clock = new SystemClock();
  private final GridUsageInbox inbox;
  private final List<Id128> accounts;
  private final List<Outcome.Granted> leases;
  private final AtomicLong requests = new AtomicLong();

  IngestSide(TollgridNode node, List<Id128> accounts, List<Outcome.Granted> leases) {
    this.inbox = new GridUsageInbox(node.hazelcast(), Duration.ofSeconds(5));
    this.accounts = accounts;
    this.leases = leases;
  }

  /**
   * One run.
   *
   * @param writer the writer's id
   * @param eventsPerSecond over all of it
   * @param perMillion events per second within each whole million
   */
  record Run(Id128 writer, double eventsPerSecond, List<Double> perMillion) {}

  /** Ships so many events and waits until each was classified. */
  Run run(AccountPick pick, long events) throws InterruptedException {
    final LongAdder others = new LongAdder();
    final AtomicLong answered = new AtomicLong();
    final List<Double> marks = new ArrayList<>();
    try (BulkUsageWriter writer =
        BulkUsageWriter.start(inbox, clock, new RandomIds(), UsageSettings.BULK)) {
      final Stopwatch watch = Stopwatch.start();
      for (long i = 0; i < events; i++) {
        final int account = pick.next();
        writer.write(
            accounts.get(account),
            event(leases.get(account)),
            verdict -> {
              if (verdict != UsageVerdict.LEASED) {
                others.increment();
              }
              if (answered.incrementAndGet() % MARK == 0) {
                marks.add(watch.elapsedSeconds());
              }
            });
      }
      if (!writer.flush(PATIENCE) || others.sum() > 0) {
        throw new IllegalStateException(
            "the run has no figure: "
                + writer.open()
                + " events without an answer, "
                + others.sum()
                + " classified otherwise");
      }
      return new Run(writer.id(), events / watch.elapsedSeconds(), rates(marks));
    }
  }

  private static List<Double> rates(List<Double> marks) {
    final List<Double> rates = new ArrayList<>();
    double before = 0;
    for (final double mark : marks) {
      rates.add(MARK / (mark - before));
      before = mark;
    }
    return rates;
  }

  private UsageEvent event(Outcome.Granted lease) {
    final long now = clock.nowNanos();
    return new UsageEvent(
        Id128.timeOrdered(now / NANOS_PER_MILLI, 0, requests.incrementAndGet()),
        0,
        LegRole.BILLING,
        new Funding.Leased(lease.leaseId(), lease.fence()),
        1,
        1,
        List.of(),
        Id128.ZERO,
        Bits256.ZERO,
        now,
        Id128.ZERO,
        1);
  }

  @Override
  public void close() {
    inbox.close();
  }
}
