package io.tollgrid.verification.simulation;

import io.tollgrid.ledger.Id128;
import java.util.ArrayList;
import java.util.List;

/** One service process: its identity, its numbers, and what it holds of each account. */
final class Instance {
  private final Fleet fleet;
  private final int index;
  private final List<Holder> holders = new ArrayList<>();
  private final List<UsageQueue> queues = new ArrayList<>();
  private int incarnation;
  private Id128 holderId = Id128.ZERO;
  private Id128 writerId = Id128.ZERO;
  private long sequence;
  private long numbers;

  Instance(Fleet fleet, int index) {
    this.fleet = fleet;
    this.index = index;
    begin();
  }

  int index() {
    return index;
  }

  Id128 holderId() {
    return holderId;
  }

  Id128 writerId() {
    return writerId;
  }

  Holder holder(int account) {
    return holders.get(account);
  }

  UsageQueue queue(int account) {
    return queues.get(account);
  }

  long clockNanos() {
    return fleet.clientClock(Lanes.leases(index));
  }

  long nextSequence() {
    return ++sequence;
  }

  /** A number no earlier incarnation used. */
  long nextNumber() {
    return ++numbers;
  }

  /** The process dies and starts again, knowing nothing. */
  void crash() {
    for (int account = 0; account < Scale.ACCOUNTS; account++) {
      fleet.slot(Lanes.leases(index), account).abandon();
      fleet.slot(Lanes.usage(index), account).abandon();
      holders.get(account).lose();
      if (!queues.get(account).isEmpty()) {
        fleet.coverage().saw(Scenario.RESTARTED_WRITER);
      }
    }
    begin();
  }

  private void begin() {
    incarnation++;
    holderId = Ids.holder(index, incarnation);
    writerId = Ids.writer(index, fleet.defects().writerIdReused() ? 0 : incarnation);
    sequence = 0;
    holders.clear();
    queues.clear();
    for (int account = 0; account < Scale.ACCOUNTS; account++) {
      final UsageQueue queue = new UsageQueue(fleet, this, account);
      queues.add(queue);
      holders.add(new Holder(fleet, this, account, queue));
    }
  }
}
