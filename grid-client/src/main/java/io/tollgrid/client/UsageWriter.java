package io.tollgrid.client;

import io.tollgrid.admission.plan.Catalogue;
import io.tollgrid.admission.request.UsageQueue;
import io.tollgrid.admission.request.UsageSlot;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.UsageEvent;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;

/**
 * Ships what requests have settled to the ledgers, and frees a request's slot once every event of
 * it has a durable, classified answer (R21, R22).
 *
 * <p>Its id is made anew at each process start, and its events are numbered from 1, so that a
 * delivery is known again whenever it is repeated (R20). Confined to the instance's thread.
 */
final class UsageWriter {
  private final UsageQueue queue;
  private final InstanceContext context;
  private final Catalogue catalogue;
  private final UsageCounters counters;
  private final Function<Id128, LeaseManager> managers;
  private final Id128 writer;
  private final Map<Id128, UsageLane> lanes = new HashMap<>();
  private long sequence;

  /**
   * The writer of a queue.
   *
   * @param writer its id
   * @param managers who keeps the leases of an account
   */
  UsageWriter(
      final UsageQueue queue,
      final InstanceContext context,
      final Catalogue catalogue,
      final UsageCounters counters,
      final Id128 writer,
      final Function<Id128, LeaseManager> managers) {
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
  }

  /** Every event of the request was answered. */
  void acknowledge(final PendingEvent.Request request) {
    queue.acknowledge(request.slot());
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
    for (int part = 0; part < slot.parts(); part++) {
      if (slot.isEvent(part)) {
        request.opened();
        final UsageLane lane = lanes.computeIfAbsent(slot.account(part).id(), this::lane);
        lane.add(
            new PendingEvent(event(slot, part, requestId), request, slot.lease(part)), nowNanos);
        context.loop().callOn(lane, nowNanos);
      }
    }
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

  private UsageLane lane(final Id128 account) {
    return new UsageLane(managers.apply(account), context, counters, this);
  }
}
