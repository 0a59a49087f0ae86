package io.tollgrid.verification.simulation;

import io.tollgrid.ledger.GrantPolicy;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.Lease;
import io.tollgrid.ledger.LedgerCommand;
import io.tollgrid.ledger.LedgerRequest;
import io.tollgrid.ledger.Outcome;
import io.tollgrid.ledger.Recall;
import io.tollgrid.ledger.Refusal;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * The lease manager of one instance for one account: what it asks the ledger, and what it makes of
 * the answers (R2, R3, R12, R35).
 *
 * <p>A consolidation, a return and a release first take their units off the lease's counter. A
 * definite refusal puts them back; an unknown outcome parks the command, and its units stay off
 * until asking again tells which it was.
 */
final class Holder {
  private final Fleet fleet;
  private final Instance instance;
  private final int account;
  private final HeldLeases leases;
  private final Worker worker;
  private final Deque<Parked> parked = new ArrayDeque<>();

  /** A command given up on while its outcome was unknown. */
  private record Parked(LedgerRequest request, Step caller) {}

  Holder(Fleet fleet, Instance instance, int account, UsageQueue queue) {
    this.fleet = fleet;
    this.instance = instance;
    this.account = account;
    this.leases = new HeldLeases(fleet, account);
    this.worker = new Worker(fleet, instance, account, leases, queue);
  }

  HeldLeases leases() {
    return leases;
  }

  Worker worker() {
    return worker;
  }

  boolean hasParked() {
    return !parked.isEmpty();
  }

  // Commands

  boolean acquire(GrantPolicy policy, long ttlNanos) {
    if (!slot().idle()) {
      return false;
    }
    final LedgerCommand command =
        new LedgerCommand.Acquire(
            newLeaseId(), instance.holderId(), policy, ttlNanos, leases.unmetUnits());
    submit(command, new AcquireStep());
    return true;
  }

  /** Drains the current lease and asks for one lease instead of it (R2). */
  boolean consolidate(GrantPolicy policy) {
    final HeldLease old = leases.current();
    if (!slot().idle() || old == null || !old.free()) {
      return false;
    }
    final long drained = old.freeUnits;
    old.freeUnits = 0;
    old.stepPending = true; // whatever ended the lease now would take the drained units with it
    final LedgerCommand command =
        new LedgerCommand.Consolidate(
            newLeaseId(),
            instance.holderId(),
            old.id,
            old.fence,
            drained,
            policy,
            Scale.TTL_NANOS,
            leases.unmetUnits());
    submit(command, new ConsolidateStep(old, drained));
    return true;
  }

  boolean giveBack(int which, long units) {
    final HeldLease lease = steppable(which);
    if (lease == null) {
      return false;
    }
    giveBack(lease, units, false);
    return true;
  }

  /** The lease at a position, if a step can be asked of it now. */
  private @Nullable HeldLease steppable(int which) {
    final HeldLease lease = leases.at(which);
    return slot().idle() && lease != null && lease.free() ? lease : null;
  }

  /** Gives free units back because another holder asked for them (R2). */
  boolean honourRecall() {
    final Recall recall = fleet.recall(account);
    if (!slot().idle()
        || recall == null
        || recall.expiresAtNanos() <= instance.clockNanos()
        || recall.holder().equals(instance.holderId())) {
      return false;
    }
    final HeldLease lease = leases.withFreeUnits();
    if (lease == null) {
      return false;
    }
    giveBack(lease, lease.freeUnits, true);
    return true;
  }

  private void giveBack(HeldLease lease, long units, boolean recalled) {
    final long back = Math.min(units, lease.freeUnits);
    lease.freeUnits -= back;
    lease.stepPending = true;
    submit(
        new LedgerCommand.Return(lease.id, lease.fence, lease.step + 1, back),
        new ReturnStep(lease, back, recalled));
  }

  boolean renew(int which, long ttlNanos) {
    final HeldLease lease = steppable(which);
    if (lease == null) {
      return false;
    }
    lease.stepPending = true;
    submit(
        new LedgerCommand.Renew(lease.id, lease.fence, lease.step + 1, ttlNanos),
        new RenewStep(lease));
    return true;
  }

  /** Ends a lease nothing runs on. */
  boolean release(int which) {
    final HeldLease lease = steppable(which);
    if (lease == null || lease.works > 0) {
      return false;
    }
    leases.displace(lease);
    final long unspent = lease.freeUnits;
    lease.freeUnits = 0;
    lease.stepPending = true;
    submit(
        new LedgerCommand.Release(lease.id, lease.fence, lease.step + 1, unspent),
        new ReleaseStep(lease, unspent));
    return true;
  }

  /** Asks again about the oldest parked command. */
  boolean resumeParked() {
    if (!slot().idle() || parked.isEmpty()) {
      return false;
    }
    final Parked oldest = parked.remove();
    slot().resume(oldest.request(), oldest.caller());
    return true;
  }

  /** The process died with all it held. */
  void lose() {
    leases.lose();
  }

  private void submit(LedgerCommand command, Step step) {
    step.request = slot().submit(command, step);
  }

  private CallSlot slot() {
    return fleet.slot(Lanes.leases(instance.index()), account);
  }

  private Id128 newLeaseId() {
    return Ids.lease(Lanes.leases(instance.index()), account, instance.nextNumber());
  }

  // What becomes of commands

  /** A command with units at stake; {@code undo} puts back what it had taken off. */
  private abstract class Step implements LedgerCall.Caller {
    @Nullable LedgerRequest request;
    boolean wasParked;

    abstract void done(Outcome outcome);

    abstract void undo(Outcome.@Nullable Refused refused);

    @Override
    public final void answered(Outcome outcome) {
      if (outcome instanceof Outcome.Refused refused) {
        requireHonest(refused);
        undo(refused);
      } else {
        done(outcome);
      }
    }

    @Override
    public final void gaveUp(boolean mayHaveHappened) {
      if (!mayHaveHappened) {
        undo(null);
      } else if (request != null) {
        wasParked = true;
        parked.add(new Parked(request, this));
        if (this instanceof ConsolidateStep) {
          fleet.coverage().saw(Scenario.CONSOLIDATION_PARKED);
        }
      }
    }

    private void requireHonest(Outcome.Refused refused) {
      switch (refused.reason()) {
        case CONFLICT, CAPABILITY, STEP_GAP, STEP_SUPERSEDED, BEYOND_LEASE ->
            throw new Violation(
                "R12",
                "a holder that keeps the protocol is never accused",
                refused.reason() + " to " + request);
        default -> {}
      }
    }
  }

  private final class AcquireStep extends Step {
    @Override
    void done(Outcome outcome) {
      leases.take((Outcome.Granted) outcome);
    }

    @Override
    void undo(Outcome.@Nullable Refused refused) {}
  }

  private final class ConsolidateStep extends Step {
    private final HeldLease old;
    private final long drainedUnits;

    ConsolidateStep(HeldLease old, long drainedUnits) {
      this.old = old;
      this.drainedUnits = drainedUnits;
    }

    @Override
    void done(Outcome outcome) {
      if (wasParked) {
        fleet.coverage().saw(Scenario.PARKED_THEN_GRANTED);
      }
      old.stepPending = false;
      leases.take((Outcome.Granted) outcome);
    }

    @Override
    void undo(Outcome.@Nullable Refused refused) {
      if (wasParked) {
        fleet.coverage().saw(Scenario.PARKED_THEN_REINSTATED);
      }
      old.stepPending = false;
      old.freeUnits += drainedUnits;
      if (refused != null && refused.reason() == Refusal.LEASE_ENDED) {
        leases.ended(old);
      }
    }

    @Override
    public void attemptUnknown() {
      if (fleet.defects().reinstatedAfterUnknownConsolidation()) {
        slot().forget();
        old.stepPending = false;
        old.freeUnits += drainedUnits;
      }
    }
  }

  private abstract class LeaseStep extends Step {
    final HeldLease lease;

    LeaseStep(HeldLease lease) {
      this.lease = lease;
    }

    abstract void stepped(Outcome.Stepped stepped);

    abstract void putBack();

    @Override
    final void done(Outcome outcome) {
      lease.stepPending = false;
      lease.step++;
      stepped((Outcome.Stepped) outcome);
    }

    @Override
    final void undo(Outcome.@Nullable Refused refused) {
      lease.stepPending = false;
      putBack();
      if (refused != null && refused.reason() == Refusal.LEASE_ENDED) {
        leases.ended(lease);
      }
    }
  }

  private final class ReturnStep extends LeaseStep {
    private final long units;
    private final boolean recalled;

    ReturnStep(HeldLease lease, long units, boolean recalled) {
      super(lease);
      this.units = units;
      this.recalled = recalled;
    }

    @Override
    void stepped(Outcome.Stepped stepped) {
      if (recalled && stepped.receipt().restoredUnits() > 0) {
        fleet.coverage().saw(Scenario.RECALL_HONOURED);
      }
    }

    @Override
    void putBack() {
      lease.freeUnits += units;
    }
  }

  private final class RenewStep extends LeaseStep {
    RenewStep(HeldLease lease) {
      super(lease);
    }

    @Override
    void stepped(Outcome.Stepped stepped) {
      lease.expiresAtNanos = stepped.receipt().expiresAtNanos();
      if (lease.works > 0) {
        fleet.coverage().saw(Scenario.LEASE_RENEWED_FOR_RUNNING_WORK);
      }
    }

    @Override
    void putBack() {}
  }

  private final class ReleaseStep extends LeaseStep {
    private final long unspentUnits;

    ReleaseStep(HeldLease lease, long unspentUnits) {
      super(lease);
      this.unspentUnits = unspentUnits;
    }

    @Override
    void stepped(Outcome.Stepped stepped) {
      leases.released(lease);
      final Lease row = fleet.store().account(account).lease(lease.id);
      if (row != null) {
        fleet.spend().requireExact(row);
      }
    }

    @Override
    void putBack() {
      lease.freeUnits += unspentUnits;
    }
  }
}
