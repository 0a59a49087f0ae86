package io.tollgrid.verification.simulation;

import io.tollgrid.ledger.Bits256;
import io.tollgrid.ledger.Funding;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.LedgerCommand;
import io.tollgrid.ledger.LegRole;
import io.tollgrid.ledger.Outcome;
import io.tollgrid.ledger.UsageEvent;
import java.util.ArrayList;
import java.util.List;

/**
 * What an instance charged to one account and has not had acknowledged; emptied by nothing else.
 */
final class UsageQueue {
  private static final int REMEMBERED = 4;

  private final Fleet fleet;
  private final Instance instance;
  private final int account;
  private final List<UsageEvent> events = new ArrayList<>();
  private final List<UsageEvent> acknowledged = new ArrayList<>();

  UsageQueue(Fleet fleet, Instance instance, int account) {
    this.fleet = fleet;
    this.instance = instance;
    this.account = account;
  }

  boolean isEmpty() {
    return events.isEmpty();
  }

  boolean canRedeliver() {
    return !events.isEmpty() || !acknowledged.isEmpty();
  }

  void charge(Id128 requestId, int part, Funding funding, long units) {
    final UsageEvent event =
        new UsageEvent(
            requestId,
            part,
            LegRole.BILLING,
            funding,
            units,
            1,
            List.of(),
            Id128.ZERO,
            Bits256.ZERO,
            instance.clockNanos(),
            instance.writerId(),
            instance.nextSequence());
    fleet.usage().charged(account, event, instance.holderId());
    events.add(event);
  }

  /** Ships the oldest events; they stay here until each was classified. */
  boolean ship(int count) {
    final CallSlot slot = fleet.slot(Lanes.usage(instance.index()), account);
    if (!slot.idle() || events.isEmpty()) {
      return false;
    }
    final List<UsageEvent> batch =
        List.copyOf(events.subList(0, Math.min(Math.max(count, 1), events.size())));
    slot.submit(new LedgerCommand.RecordUsage(batch), new Shipment(batch));
    return true;
  }

  /** Ships an event once more as a delivery of its own, as a restored spool would. */
  boolean redeliver(int which) {
    final List<UsageEvent> from = acknowledged.isEmpty() ? events : acknowledged;
    if (from.isEmpty()) {
      return false;
    }
    final UsageEvent event = from.get(Math.min(which, from.size() - 1));
    fleet.coverage().saw(Scenario.REDELIVERED_PART);
    events.add(
        new UsageEvent(
            event.requestId(),
            event.part(),
            event.role(),
            event.funding(),
            event.units(),
            event.requests(),
            event.meters(),
            event.keyId(),
            event.policyRevision(),
            event.occurredAtNanos(),
            event.writer(),
            instance.nextSequence()));
    return true;
  }

  private final class Shipment implements LedgerCall.Caller {
    private final List<UsageEvent> batch;

    Shipment(List<UsageEvent> batch) {
      this.batch = batch;
    }

    @Override
    public void answered(Outcome outcome) {
      if (!(outcome instanceof Outcome.UsageRecorded recorded)) {
        return; // refused as a whole: the events are still here and will be shipped again
      }
      for (int i = 0; i < batch.size(); i++) {
        final UsageEvent event = batch.get(i);
        fleet.usage().told(event, recorded.verdicts().get(i), fleet.store().account(account));
        events.remove(event);
        acknowledged.add(event);
      }
      while (acknowledged.size() > REMEMBERED) {
        acknowledged.remove(0);
      }
    }

    @Override
    public void gaveUp(boolean mayHaveHappened) {
      // The events are still here and will be shipped again.
    }
  }
}
