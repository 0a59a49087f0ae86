package io.tollgrid.verification.simulation;

import io.tollgrid.ledger.AccountLedger;
import io.tollgrid.ledger.AccountStatus;
import io.tollgrid.ledger.EnforcementMode;
import io.tollgrid.ledger.Funding;
import io.tollgrid.ledger.Id128;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The requests one instance runs for one account: started, settled, extended (R1, R5, R9, R13). */
final class Worker {
  private final Fleet fleet;
  private final Instance instance;
  private final int account;
  private final HeldLeases leases;
  private final UsageQueue queue;
  private final List<RunningWork> works = new ArrayList<>();
  private long overageUnits;

  Worker(Fleet fleet, Instance instance, int account, HeldLeases leases, UsageQueue queue) {
    this.fleet = fleet;
    this.instance = instance;
    this.account = account;
    this.leases = leases;
    this.queue = queue;
  }

  int works() {
    return works.size();
  }

  long reservedAt(int work) {
    return works.get(work).reservedUnits();
  }

  /** Starts work of this quote, on the lease, else on overage, else not at all. */
  boolean start(long units) {
    final long now = instance.clockNanos();
    final HeldLease lease = leases.usable(now);
    final Id128 requestId = Ids.request(now, instance.index(), instance.nextNumber());
    if (lease != null && lease.freeUnits >= units) {
      debit(lease, units);
      lease.works++;
      works.add(new RunningWork(requestId, lease, units));
    } else if (takeOverage(units)) {
      works.add(new RunningWork(requestId, null, units));
    } else {
      leases.refused(units);
    }
    return true; // a refusal is a step as well
  }

  /** Settles work at what it really used; what is missing is funded as an extension. */
  boolean settle(int which, long actualUnits) {
    if (works.isEmpty()) {
      return false;
    }
    final RunningWork work = works.remove(Math.min(which, works.size() - 1));
    final long charged = Math.min(actualUnits, work.reservedUnits());
    final long back = work.reservedUnits() - charged;
    final HeldLease lease = work.lease();
    if (lease == null) {
      overageUnits -= back;
      queue.charge(work.requestId(), 0, new Funding.Overage(), charged);
    } else {
      lease.works--;
      lease.freeUnits += back;
      fleet.spend().refunded(lease.id, back);
      queue.charge(work.requestId(), 0, new Funding.Leased(lease.id, lease.fence), charged);
      leases.forgetIfOver(lease);
    }
    if (actualUnits > charged) {
      extend(work.requestId(), actualUnits - charged);
    }
    return true;
  }

  private void extend(Id128 requestId, long units) {
    final HeldLease lease = leases.usable(instance.clockNanos());
    if (lease != null && lease.freeUnits >= units) {
      debit(lease, units);
      queue.charge(requestId, 1, new Funding.Leased(lease.id, lease.fence), units);
    } else if (takeOverage(units)) {
      queue.charge(requestId, 1, new Funding.Overage(), units);
    } else {
      fleet.coverage().saw(Scenario.UNFUNDED_RECORDED);
      queue.charge(requestId, 1, new Funding.Unfunded(), units);
    }
  }

  private void debit(HeldLease lease, long units) {
    lease.freeUnits -= units;
    fleet.spend().started(lease.id, units, fleet.store().account(account).lease(lease.id));
  }

  private boolean takeOverage(long units) {
    final @Nullable AccountLedger ledger = fleet.store().load(account);
    if (ledger == null
        || ledger.policy().status() != AccountStatus.ACTIVE
        || ledger.policy().terms().mode() != EnforcementMode.ELASTIC
        || overageUnits + units > ledger.policy().terms().overageCapUnits()) {
      return false;
    }
    fleet.coverage().saw(Scenario.OVERAGE_ADMITTED);
    overageUnits += units;
    return true;
  }
}
