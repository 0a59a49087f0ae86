package io.tollgrid.client;

import io.tollgrid.admission.plan.Catalogue;
import io.tollgrid.admission.request.UsageQueue;
import io.tollgrid.admission.request.UsageSlot;
import io.tollgrid.grid.usage.UsageInbox;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.UsageDelivery;
import io.tollgrid.ledger.UsageEvent;
import io.tollgrid.ledger.UsageVerdict;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Leaves what requests have settled in the inbox, and frees a request's slot once every event of it
 * has a durable, classified answer (R21, R22).
 *
 * <p>Its id is made anew at each process start, and its events are numbered from 1, so that a
 * delivery is known again whenever it is repeated (R20). Events without an answer are bounded by
 * its credits; what comes beyond them waits in its slots. Confined to the instance's thread.
 */
final class UsageWriter extends Duty implements OpenBatch.Owner<PendingEvent> {
  private static final Logger LOG = LoggerFactory.getLogger(UsageWriter.class);

  private static final int FREED_AT_ONCE = 64;

  private final UsageQueue queue;
  private final UsageInbox inbox;
  private final InstanceContext context;
  private final Catalogue catalogue;
  private final UsageCounters counters;
  private final Function<Id128, @Nullable LeaseManager> managers;
  private final Id128 writer;
  private final UnansweredUsage unanswered;
  private final Deque<PendingEvent> waiting = new ArrayDeque<>();
  private final Set<OpenBatch<PendingEvent>> batches = new LinkedHashSet<>();
  private final @Nullable UsageSlot[] answered = new UsageSlot[FREED_AT_ONCE];
  private int answers;
  private int open;
  private long oldestNanos;
  private long sequence;
  private long number;

  /**
   * The writer of a queue.
   *
   * @param writer its id
   * @param managers who keeps the leases of an account, null for one that this instance never
   *     opened
   */
  UsageWriter(
      final UsageQueue queue,
      final UsageInbox inbox,
      final InstanceContext context,
      final Catalogue catalogue,
      final UsageCounters counters,
      final Id128 writer,
      final Function<Id128, @Nullable LeaseManager> managers) {
    this.queue = queue;
    this.inbox = inbox;
    this.context = context;
    this.catalogue = catalogue;
    this.counters = counters;
    this.writer = writer;
    this.managers = managers;
    this.unanswered = new UnansweredUsage(context.loop());
  }

  /** Takes in what was recorded since the last call. */
  void collect(final long nowNanos) {
    for (UsageSlot slot = queue.poll(); slot != null; slot = queue.poll()) {
      take(slot, nowNanos);
    }
    free();
  }

  /** Leaves batches that are full or have waited long enough, as far as there are credits. */
  @Override
  long perform(final long nowNanos) {
    final UsageSettings usage = context.settings().usage();
    while (!waiting.isEmpty() && open < usage.credits()) {
      final int size =
          Math.min(Math.min(waiting.size(), usage.batchEvents()), usage.credits() - open);
      final long lingerNanos = usage.lingerNanos(open);
      final long leftNanos = oldestNanos + lingerNanos - nowNanos;
      // More is left than there ever was where the clock was put back.
      if (size < usage.batchEvents() && leftNanos > 0 && leftNanos <= lingerNanos) {
        return nowNanos + leftNanos;
      }
      leave(nextBatch(size, nowNanos), nowNanos);
    }
    return NEVER;
  }

  private List<PendingEvent> nextBatch(final int size, final long nowNanos) {
    final List<PendingEvent> batch = new ArrayList<>(size);
    for (int i = 0; i < size; i++) {
      batch.add(waiting.removeFirst());
    }
    open += size;
    oldestNanos = nowNanos;
    counters.batches.increment();
    return batch;
  }

  private void leave(final List<PendingEvent> events, final long nowNanos) {
    final OpenBatch<PendingEvent> batch =
        new OpenBatch<>(
            this,
            inbox,
            context.loop(),
            counters,
            new Backoff(
                context.settings().leases().firstBackoffNanos(),
                context.settings().leases().backstopNanos(),
                context.random()),
            events);
    batches.add(batch);
    context.loop().callOn(batch, nowNanos);
  }

  @Override
  public long nextNumber() {
    return ++number;
  }

  @Override
  public Id128 id() {
    return writer;
  }

  @Override
  public void unanswered(final int events, final String why) {
    unanswered.warn(events, open, why);
  }

  @Override
  public void ended(final OpenBatch<PendingEvent> batch) {
    batches.remove(batch);
  }

  @Override
  public void classified(final List<PendingEvent> events, final List<UsageVerdict> verdicts) {
    counters.lastAnswerNanos.set(context.loop().nowNanos());
    final Set<Id128> accounts = new HashSet<>();
    for (int i = 0; i < events.size(); i++) {
      classified(events.get(i), verdicts.get(i));
      accounts.add(events.get(i).delivery().account());
    }
    open -= events.size();
    free();
    for (final Id128 account : accounts) {
      final LeaseManager manager = managers.apply(account);
      if (manager != null) {
        manager.usageRecorded();
      }
    }
    if (!waiting.isEmpty()) {
      context.loop().callOn(this, context.loop().nowNanos());
    }
  }

  private void classified(final PendingEvent pending, final UsageVerdict verdict) {
    final Id128 account = pending.delivery().account();
    final UsageEvent event = pending.delivery().event();
    counters.classified(verdict);
    if (verdict.kind() == UsageVerdict.Kind.REJECTED) {
      LOG.error(
          "account {}: usage event {}/{} of {} units was rejected as {}",
          account,
          event.requestId(),
          event.part(),
          event.units(),
          verdict);
      counters.refusedEvents.increment();
      counters.refusedUnits.add(event.units());
    } else if (verdict == UsageVerdict.DUPLICATE) {
      LOG.error(
          "account {}: usage event {}/{} was recorded before, from another delivery",
          account,
          event.requestId(),
          event.part());
    }
    close(pending);
    if (verdict.isIntegrityFault()) {
      context
          .faults()
          .integrityFault(account, "the ledger rejected usage of this instance as " + verdict);
    }
  }

  private void close(final PendingEvent pending) {
    if (pending.lease() != null) {
      pending.lease().booked(pending.delivery().event().units());
    }
    closed(pending.request());
  }

  private void closed(final PendingEvent.Request request) {
    if (request.closed()) {
      answered[answers++] = request.slot();
      if (answers == answered.length) {
        free();
      }
    }
  }

  /** Frees the slots of all that was answered, at once. */
  private void free() {
    queue.acknowledge(answered, answers);
    answers = 0;
  }

  /** Events without an answer, taken in or not. */
  OpenUsage report() {
    final OpenUsage report = new OpenUsage();
    batches.forEach(batch -> batch.report(report));
    waiting.forEach(pending -> report.add(pending.delivery().event().units(), false));
    for (UsageSlot slot = queue.poll(); slot != null; slot = queue.poll()) {
      for (int part = 0; part < slot.parts(); part++) {
        if (slot.isEvent(part)) {
          report.add(slot.units(part), false);
        }
      }
    }
    return report;
  }

  private void take(final UsageSlot slot, final long nowNanos) {
    final PendingEvent.Request request = new PendingEvent.Request(slot);
    final Id128 requestId = new Id128(slot.requestIdHigh(), slot.requestIdLow());
    // Held open until every part is on its way, so that the slot is not freed under them.
    request.opened();
    for (int part = 0; part < slot.parts(); part++) {
      if (slot.isEvent(part)) {
        request.opened();
        if (waiting.isEmpty()) {
          oldestNanos = nowNanos;
        }
        waiting.add(
            new PendingEvent(
                new UsageDelivery(slot.account(part).id(), event(slot, part, requestId)),
                request,
                slot.lease(part)));
      }
    }
    closed(request);
    context.loop().callOn(this, nowNanos);
  }

  private UsageEvent event(final UsageSlot slot, final int part, final Id128 requestId) {
    return new UsageEvent(
        requestId,
        slot.partNumber(part),
        slot.role(part),
        slot.funding(part),
        slot.units(part),
        1,
        slot.meterUnits(part, catalogue),
        slot.keyId(),
        slot.policyRevision(),
        slot.occurredAtNanos(),
        writer,
        ++sequence);
  }
}
