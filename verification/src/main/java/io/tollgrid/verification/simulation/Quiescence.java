package io.tollgrid.verification.simulation;

import io.tollgrid.ledger.AccountLedger;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.Lease;
import io.tollgrid.ledger.LeaseState;
import io.tollgrid.ledger.LedgerCommand;
import io.tollgrid.ledger.RowKey;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Ends a run: every fault stops, everybody finishes what was begun and gives back what is left, and
 * the books must tell exactly what was spent (R2, R3, R20, R35).
 *
 * <p>Everything has a bound. A command that has not ended by then never would, which is a finding
 * of its own.
 */
final class Quiescence {
  private static final int MAX_PUMPS = 400;
  private static final int MAX_ROUNDS = 60;

  /** Pumps after which a client that may give up does. */
  private static final int PATIENCE = 120;

  private final Fleet fleet;

  private Quiescence(Fleet fleet) {
    this.fleet = fleet;
  }

  /** Lets the fleet come to rest and checks what is left. */
  static void settle(Fleet fleet) {
    final Quiescence quiescence = new Quiescence(fleet);
    quiescence.repair();
    quiescence.finishCommands();
    quiescence.finishWork();
    quiescence.sweep();
    quiescence.check();
  }

  private void repair() {
    for (int member = 0; member < Scale.MEMBERS; member++) {
      while (run(new OwnerEvent.LateCommitEnds(member, true))) {
        // every transaction left open commits
      }
      run(new OwnerEvent.MemberResumes(member));
      run(new OwnerEvent.MemberRestarts(member));
      run(new OwnerEvent.MemberLearns(member));
      run(new OwnerEvent.MemberClockJumps(member, 0));
    }
  }

  private void finishCommands() {
    for (int lane = 0; lane < Lanes.COUNT; lane++) {
      for (int account = 0; account < Scale.ACCOUNTS; account++) {
        finish(lane, account);
      }
    }
  }

  private void finishWork() {
    for (int instance = 0; instance < Scale.INSTANCES; instance++) {
      for (int account = 0; account < Scale.ACCOUNTS; account++) {
        finishHolder(instance, account);
        finishQueue(instance, account);
      }
    }
  }

  private void finishHolder(int instance, int account) {
    final Holder holder = fleet.instance(instance).holder(account);
    final int lane = Lanes.leases(instance);
    for (int round = 0; holder.hasParked(); round++) {
      requireRound(round, "a parked command is resolved");
      run(new HolderEvent.ResumesParked(instance, account));
      finish(lane, account);
    }
    while (holder.worker().works() > 0) {
      run(new HolderEvent.WorkSettles(instance, account, 0, 1));
    }
    for (int round = 0; holder.leases().size() > 0; round++) {
      requireRound(round, "a lease is released");
      run(new HolderEvent.Releases(instance, account, 0));
      finish(lane, account);
    }
  }

  private void finishQueue(int instance, int account) {
    for (int round = 0; !fleet.instance(instance).queue(account).isEmpty(); round++) {
      requireRound(round, "a usage queue empties");
      run(new HolderEvent.UsageShips(instance, account, LedgerCommand.RecordUsage.MAX_EVENTS));
      finish(Lanes.usage(instance), account);
    }
  }

  /** Whatever is still out belongs to nobody who lives. */
  private void sweep() {
    run(new Event.TimePasses(2 * Scale.LIMITS.maxTtlNanos() + Scale.LIMITS.graceNanos()));
    for (int account = 0; account < Scale.ACCOUNTS; account++) {
      for (int round = 0; fleet.store().account(account).hasActiveLeases(); round++) {
        requireRound(round, "reclaim drains what is due");
        run(new OperatorEvent.SweepReclaims(0, account));
        finish(Lanes.sweeper(0), account);
      }
    }
  }

  // Driving one command to its end

  private void finish(int lane, int account) {
    final CallSlot slot = fleet.slot(lane, account);
    for (int pump = 0; !slot.idle(); pump++) {
      if (pump == MAX_PUMPS) {
        final LedgerCall call = slot.call();
        throw new Violation(
            "R16", "a command ends", call == null ? "nothing" : call.command.toString());
      }
      if (pump < PATIENCE || !run(new NetworkEvent.ClientGivesUp(lane, account))) {
        pump(slot, lane, account);
      }
    }
  }

  private void pump(CallSlot slot, int lane, int account) {
    if (slot.waiting()) {
      run(new Event.TimePasses(100 * Scale.MILLI));
      run(new NetworkEvent.ClientRetries(lane, account));
      return;
    }
    final int partition = Scale.partitionOf(account);
    final int owner = fleet.owner(partition);
    run(new OwnerEvent.FenceDrawn(owner, partition));
    run(new OwnerEvent.FenceRaised(owner, partition, false));
    final boolean loaded = run(new OwnerEvent.LoadReturns(owner, partition, false));
    final boolean stored = run(new OwnerEvent.StoreRuns(owner, StoreFault.NONE));
    if (loaded || stored) {
      return;
    }
    if (run(new NetworkEvent.AnswerArrives(lane, account, Integer.MAX_VALUE))
        || run(new NetworkEvent.RequestArrives(lane, account, Integer.MAX_VALUE, owner))) {
      return;
    }
    run(new NetworkEvent.AttemptTimesOut(lane, account));
  }

  private boolean run(Event event) {
    return fleet.execute(event);
  }

  private static void requireRound(int round, String what) {
    if (round == MAX_ROUNDS) {
      throw new Violation("R40", what, "not after " + round + " rounds");
    }
  }

  // What is left

  private void check() {
    for (int account = 0; account < Scale.ACCOUNTS; account++) {
      final AccountLedger ledger = fleet.store().load(account);
      if (ledger != null && ledger.balances().outstanding() != 0) {
        throw new Violation("R35", "nothing is outstanding at rest", ledger.balances().toString());
      }
    }
    final Set<Id128> living = new HashSet<>();
    for (int instance = 0; instance < Scale.INSTANCES; instance++) {
      living.add(fleet.instance(instance).holderId());
    }
    final Map<Id128, Long> neverBilled = unbilledByLease(living);
    fleet
        .spend()
        .leases()
        .forEach((id, truth) -> checkLease(id, truth, neverBilled.getOrDefault(id, 0L)));
  }

  /** Units of parts that no ledger accepted: rejected ones, and those that died with a writer. */
  private Map<Id128, Long> unbilledByLease(Set<Id128> living) {
    final Map<Id128, Long> unbilled = new HashMap<>();
    for (final Map.Entry<RowKey.UsageKey, UsageAudit.Part> entry :
        fleet.usage().parts().entrySet()) {
      final UsageAudit.Part part = entry.getValue();
      if (fleet.audit().books(part.account()).hasAccepted(entry.getKey())) {
        continue;
      }
      if (living.contains(part.holder()) && !fleet.usage().wasRejected(entry.getKey())) {
        throw new Violation("R21", "a committed charge is emitted", entry.toString());
      }
      final Id128 lease = part.lease();
      if (lease != null) {
        unbilled.merge(lease, part.units(), Math::addExact);
      }
    }
    return unbilled;
  }

  private void checkLease(Id128 id, SpendAudit.LeaseTruth truth, long unbilledUnits) {
    final Lease row = fleet.store().account(truth.account()).lease(id);
    if (row == null || row.state() == LeaseState.ACTIVE) {
      throw new Violation("R35", "a lease has ended at rest", id + " " + row);
    }
    if (truth.holderLost()) {
      return; // what ran on it died uncounted: loss, and no more than that (R12)
    }
    if (row.billed() + unbilledUnits != truth.spentUnits()) {
      throw new Violation(
          "R20",
          "what was spent was billed",
          truth.spentUnits() + " spent, " + unbilledUnits + " unbilled, row " + row);
    }
    if (!fleet.spend().wasReclaimed(id) && row.returned() + truth.spentUnits() != row.granted()) {
      throw new Violation(
          "R35", "what was not spent came back", truth.spentUnits() + " spent, row " + row);
    }
  }
}
