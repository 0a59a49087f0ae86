package io.tollgrid.client;

import io.tollgrid.admission.plan.Catalogue;
import io.tollgrid.admission.request.UsageQueue;
import io.tollgrid.admission.request.UsageSlot;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.UsageEvent;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ships what requests have settled to the ledgers, and frees a request's slot once every event of
 * it has a durable, classified answer (R21, R22).
 *
 * <p>Its id is made anew at each process start, and its events are numbered from 1, so that a
 * delivery is known again whenever it is repeated (R20). Confined to the instance's thread.
 */
final class UsageWriter {
  private static final Logger LOG = LoggerFactory.getLogger(UsageWriter.class);

  private static final int FREED_AT_ONCE = 64;

  private final UsageQueue queue;
  private final InstanceContext context;
  private final Catalogue catalogue;
  private final UsageCounters counters;
  private final Function<Id128, @Nullable LeaseManager> managers;
  private final Id128 writer;
  private final Map<Id128, UsageLane> lanes = new HashMap<>();
  private final @Nullable UsageSlot[] answered = new UsageSlot[FREED_AT_ONCE];
  private int answers;
  private long sequence;

  /**
   * The writer of a queue.
   *
   * @param writer its id
   * @param managers who keeps the leases of an account, null for one that this instance never
   *     opened
   */
  UsageWriter(
      final UsageQueue queue,
      final InstanceContext context,
      final Catalogue catalogue,
      final UsageCounters counters,
      final Id128 writer,
      final Function<Id128, @Nullable LeaseManager> managers) {
    this.queue = queue;
    this.context = context;
    this.catalogue = catalogue;
    this.counters = counters;
    this.writer = writer;
    this.managers = managers;
  }

  /** Takes in what was recorded since the last call. */
  void collect(final long nowNanos) {
    for (UsageSlot slot = queue.poll(); slot != null; slot = queue.poll()) {
      take(slot, nowNanos);
    }
    free();
  }

  /** Every event of the request was answered; its slot is free with the next {@link #free}. */
  void answered(final PendingEvent.Request request) {
    answered[answers++] = request.slot();
    if (answers == answered.length) {
      free();
    }
  }

  /** Frees the slots of all that was answered, at once. */
  void free() {
    queue.acknowledge(answered, answers);
    answers = 0;
  }

  /** Every event of an account was answered. */
  void ended(final UsageLane lane) {
    lanes.remove(lane.account(), lane);
  }

  /** Events without an answer, taken in or not. */
  OpenUsage report() {
    final OpenUsage report = new OpenUsage();
    lanes.values().forEach(lane -> lane.report(report));
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
    // Held open until every part is on its way, or one that is given up would free the slot.
    request.opened();
    for (int part = 0; part < slot.parts(); part++) {
      if (slot.isEvent(part)) {
        take(slot, part, request, requestId, nowNanos);
      }
    }
    if (request.closed()) {
      answered(request);
    }
  }

  private void take(
      final UsageSlot slot,
      final int part,
      final PendingEvent.Request request,
      final Id128 requestId,
      final long nowNanos) {
    final Id128 account = slot.account(part).id();
    UsageLane lane = lanes.get(account);
    if (lane == null) {
      final LeaseManager manager = managers.apply(account);
      if (manager == null) {
        giveUp(slot, part, account, requestId);
        return;
      }
      lane = new UsageLane(manager, context, counters, this);
      lanes.put(account, lane);
    }
    request.opened();
    lane.add(new PendingEvent(event(slot, part, requestId), request, slot.lease(part)), nowNanos);
    context.loop().callOn(lane, nowNanos);
  }

  /** An account that was opened past this instance has no ledger here; its neighbours go on. */
  private void giveUp(
      final UsageSlot slot, final int part, final Id128 account, final Id128 requestId) {
    counters.refusedEvents.increment();
    counters.refusedUnits.add(slot.units(part));
    LOG.error(
        "account {}: usage event {}/{} of {} units can never be recorded:"
            + " the account was not opened by this instance",
        account,
        requestId,
        slot.partNumber(part),
        slot.units(part));
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
