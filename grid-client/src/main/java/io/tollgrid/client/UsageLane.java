package io.tollgrid.client;

import io.tollgrid.grid.LedgerAnswer;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.LedgerCode;
import io.tollgrid.ledger.LedgerCommand;
import io.tollgrid.ledger.Outcome;
import io.tollgrid.ledger.Refusal;
import io.tollgrid.ledger.UsageVerdict;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The events of one account on their way to its ledger, one batch at a time, in the order in which
 * they were recorded. It lasts while there are any. Confined to the instance's thread.
 */
final class UsageLane extends Duty {
  /*
   * A batch that was not answered is sent again as it was: its events keep their ids, so an attempt that did take effect
   * is answered with its first classification (R20). A batch that is refused is halved until the event that spoils it
   * stands alone; that one is given up, counted and reported, and its neighbours go on (R22).
   */
  private static final Logger LOG = LoggerFactory.getLogger(UsageLane.class);

  private final LeaseManager leases;
  private final InstanceContext context;
  private final UsageCounters counters;
  private final UsageWriter writer;
  private final Backoff backoff;
  private final Deque<PendingEvent> waiting = new ArrayDeque<>();
  private final Deque<List<PendingEvent>> batches = new ArrayDeque<>();
  private boolean underWay;
  private boolean everSent;
  private long oldestNanos;
  private long retryAtNanos;

  UsageLane(
      final LeaseManager leases,
      final InstanceContext context,
      final UsageCounters counters,
      final UsageWriter writer) {
    this.leases = leases;
    this.context = context;
    this.counters = counters;
    this.writer = writer;
    this.backoff =
        new Backoff(
            context.settings().leases().firstBackoffNanos(),
            context.settings().leases().backstopNanos(),
            context.random());
  }

  /** Takes an event in; the lane is to be called upon afterwards. */
  void add(final PendingEvent event, final long nowNanos) {
    if (waiting.isEmpty()) {
      oldestNanos = nowNanos;
    }
    waiting.add(event);
  }

  /** Whose events they are. */
  Id128 account() {
    return leases.account();
  }

  /** Events without an answer. */
  int open() {
    int open = waiting.size();
    for (final List<PendingEvent> batch : batches) {
      open += batch.size();
    }
    return open;
  }

  /** Units of the events without an answer, split by whether a batch with them was ever sent. */
  void report(final OpenUsage report) {
    boolean sent = everSent;
    for (final List<PendingEvent> batch : batches) {
      for (final PendingEvent event : batch) {
        report.add(event.event().units(), sent);
      }
      sent = false;
    }
    for (final PendingEvent event : waiting) {
      report.add(event.event().units(), false);
    }
  }

  @Override
  long perform(final long nowNanos) {
    if (underWay) {
      return NEVER;
    }
    if (batches.isEmpty()) {
      if (waiting.isEmpty()) {
        writer.ended(this);
        return NEVER;
      }
      final long dueNanos = oldestNanos + context.settings().usage().lingerNanos();
      if (waiting.size() < context.settings().usage().batchEvents() && nowNanos < dueNanos) {
        return dueNanos;
      }
      batches.add(nextBatch(nowNanos));
      counters.batches.increment();
    }
    if (nowNanos < retryAtNanos) {
      return retryAtNanos;
    }
    send(batches.getFirst(), nowNanos);
    return NEVER;
  }

  private List<PendingEvent> nextBatch(final long nowNanos) {
    final int size = Math.min(waiting.size(), context.settings().usage().batchEvents());
    final List<PendingEvent> batch = new ArrayList<>(size);
    for (int i = 0; i < size; i++) {
      batch.add(waiting.removeFirst());
    }
    oldestNanos = nowNanos;
    return batch;
  }

  private void send(final List<PendingEvent> batch, final long nowNanos) {
    underWay = true;
    everSent = true;
    final LedgerCommand command =
        new LedgerCommand.RecordUsage(batch.stream().map(PendingEvent::event).toList());
    context
        .ledgers()
        .send(
            leases.account(),
            command,
            Math.addExact(nowNanos, context.settings().leases().notAfterNanos()),
            new Ledgers.Reply() {
              @Override
              public void answered(final LedgerAnswer answer) {
                UsageLane.this.answered(batch, answer);
              }

              @Override
              public void failed(
                  final LedgerCode code, final boolean mayHaveHappened, final Throwable failure) {
                again();
                if (backoff.isWorthAWarning()) {
                  LOG.warn(
                      "account {}: {} usage events cannot be recorded for now ({}); they are kept",
                      leases.account(),
                      batch.size(),
                      code);
                }
                LOG.debug("account {}: usage batch failed", leases.account(), failure);
              }
            });
  }

  private void answered(final List<PendingEvent> batch, final LedgerAnswer answer) {
    counters.lastAnswerNanos.set(context.loop().nowNanos());
    if (answer.outcome() instanceof Outcome.UsageRecorded recorded
        && recorded.verdicts().size() == batch.size()) {
      done();
      for (int i = 0; i < batch.size(); i++) {
        classified(batch.get(i), recorded.verdicts().get(i));
      }
      writer.free();
      leases.usageRecorded(answer.recall());
    } else if (answer.outcome() instanceof Outcome.Refused refused) {
      refused(batch, refused.reason());
    } else {
      LOG.error(
          "account {}: the ledger answered {} to a batch of {} usage events",
          leases.account(),
          answer.outcome(),
          batch.size());
      again();
    }
  }

  private void refused(final List<PendingEvent> batch, final Refusal reason) {
    if (reason == Refusal.EXPIRED) {
      again();
      return;
    }
    if (batch.size() > 1 && reason != Refusal.UNKNOWN_ACCOUNT) {
      done();
      final int half = batch.size() / 2;
      batches.addFirst(new ArrayList<>(batch.subList(half, batch.size())));
      batches.addFirst(new ArrayList<>(batch.subList(0, half)));
      return;
    }
    done();
    LOG.error(
        "account {}: {} usage events can never be recorded: {}",
        leases.account(),
        batch.size(),
        reason);
    for (final PendingEvent event : batch) {
      giveUp(event);
    }
    writer.free();
    leases.usageRecorded(null);
  }

  private void classified(final PendingEvent event, final UsageVerdict verdict) {
    counters.classified(verdict);
    if (verdict.kind() == UsageVerdict.Kind.REJECTED) {
      LOG.error(
          "account {}: usage event {}/{} of {} units was rejected as {}",
          leases.account(),
          event.event().requestId(),
          event.event().part(),
          event.event().units(),
          verdict);
      giveUp(event);
      if (isIntegrityFault(verdict)) {
        context
            .faults()
            .integrityFault(
                leases.account(), "the ledger rejected usage of this instance as " + verdict);
      }
      return;
    }
    if (verdict == UsageVerdict.DUPLICATE) {
      LOG.error(
          "account {}: usage event {}/{} was recorded before, from another delivery",
          leases.account(),
          event.event().requestId(),
          event.event().part());
    }
    close(event);
  }

  private static boolean isIntegrityFault(final UsageVerdict verdict) {
    return switch (verdict) {
      case NO_SUCH_LEASE, BEYOND_LEASE, BEYOND_LOSS, OVERAGE_FORBIDDEN -> true;
      default -> false;
    };
  }

  private void giveUp(final PendingEvent event) {
    counters.refusedEvents.increment();
    counters.refusedUnits.add(event.event().units());
    close(event);
  }

  private void close(final PendingEvent event) {
    if (event.lease() != null) {
      event.lease().booked(event.event().units());
    }
    if (event.request().closed()) {
      writer.answered(event.request());
    }
  }

  private void done() {
    batches.removeFirst();
    underWay = false;
    everSent = false;
    backoff.reset();
    retryAtNanos = 0;
    context.loop().callOn(this, context.loop().nowNanos());
  }

  private void again() {
    counters.retries.increment();
    underWay = false;
    retryAtNanos = context.loop().nowNanos() + backoff.nextNanos();
    context.loop().callOn(this, retryAtNanos);
  }
}
