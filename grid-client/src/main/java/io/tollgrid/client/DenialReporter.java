package io.tollgrid.client;

import io.tollgrid.admission.outcome.DenialMinutes;
import io.tollgrid.grid.PolicySource;
import io.tollgrid.ledger.DenialMinute;
import io.tollgrid.ledger.DenialReport;
import io.tollgrid.ledger.Id128;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports what requests were denied to the authority, minute by minute (R50).
 *
 * <p>Best effort and bounded: a report is sent again, as it was, until it is kept; meanwhile so
 * many minutes wait, and what is more is counted as dropped. Confined to the instance's thread.
 */
final class DenialReporter extends Duty {
  private static final Logger LOG = LoggerFactory.getLogger(DenialReporter.class);
  private static final long INTERVAL_NANOS = 10_000_000_000L;
  private static final int MAX_WAITING = 8 * DenialReport.MAX_MINUTES;

  private final DenialMinutes denials;
  private final PolicySource authority;
  private final InstanceContext context;
  private final DenialCounters counters;
  private final Id128 writer;
  private final Backoff failures;
  private final Deque<DenialMinute> waiting = new ArrayDeque<>();
  private @Nullable DenialReport report;
  private boolean underWay;
  private long reports;
  private long retryAtNanos;

  /**
   * A reporter.
   *
   * @param writer its id, made anew at each process start
   */
  DenialReporter(
      final DenialMinutes denials,
      final PolicySource authority,
      final InstanceContext context,
      final DenialCounters counters,
      final Id128 writer) {
    this.denials = denials;
    this.authority = authority;
    this.context = context;
    this.counters = counters;
    this.writer = writer;
    final PolicySettings policies = context.settings().policies();
    this.failures =
        new Backoff(policies.firstBackoffNanos(), policies.maxBackoffNanos(), context.random());
  }

  @Override
  long perform(final long nowNanos) {
    denials.drain(nowNanos, this::add);
    if (underWay) {
      return NEVER;
    }
    if (nowNanos < retryAtNanos) {
      return retryAtNanos;
    }
    if (report == null && !waiting.isEmpty()) {
      report = new DenialReport(writer, ++reports, some());
    }
    if (report == null) {
      return nowNanos + Backoff.jittered(INTERVAL_NANOS, context.random());
    }
    send(report);
    return NEVER;
  }

  private void add(final DenialMinutes.Entry entry) {
    if (waiting.size() == MAX_WAITING) {
      counters.dropped.add(entry.count());
      return;
    }
    waiting.add(
        new DenialMinute(
            entry.account(),
            entry.principal(),
            entry.denial().label(),
            entry.minute(),
            entry.count(),
            entry.lastQuoteUnits()));
  }

  private List<DenialMinute> some() {
    final List<DenialMinute> some = new ArrayList<>();
    while (!waiting.isEmpty() && some.size() < DenialReport.MAX_MINUTES) {
      some.add(waiting.remove());
    }
    return some;
  }

  private void send(final DenialReport sent) {
    underWay = true;
    final var unused =
        Questions.ask(() -> authority.keep(sent))
            .whenComplete((kept, failure) -> context.loop().post(() -> answered(sent, failure)));
  }

  private void answered(final DenialReport sent, final @Nullable Throwable failure) {
    underWay = false;
    if (failure == null) {
      report = null;
      failures.reset();
      sent.minutes().forEach(minute -> counters.reported.add(minute.denials()));
    } else {
      counters.failedReports.increment();
      retryAtNanos = context.loop().nowNanos() + failures.nextNanos();
      if (failures.isWorthAWarning()) {
        LOG.warn(
            "denials have not been reportable for a while; {} minutes wait",
            waiting.size(),
            failure);
      } else {
        LOG.debug("denials could not be reported; they will be again", failure);
      }
    }
    context.loop().callOn(this, context.loop().nowNanos());
  }
}
