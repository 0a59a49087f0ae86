package io.tollgrid.verification.simulation;

import io.tollgrid.ledger.Balances;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.Lease;
import io.tollgrid.ledger.LeaseState;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What instances really spent, which no ledger knows: charges as they are started and settled (R1,
 * R2, R35).
 *
 * <p>For each lease, at every instant: what was started on it is within what was granted and not
 * given back. That is R1 at its narrowest; the account-wide form follows and is checked too.
 */
final class SpendAudit {
  private final Map<Id128, LeaseTruth> leases = new LinkedHashMap<>();
  private final Set<Id128> reclaimed = new HashSet<>();
  private final long[] spentByAccount = new long[Scale.ACCOUNTS];

  /** What is true of one lease outside the ledger. Mutable, confined to the run. */
  static final class LeaseTruth {
    private final int account;
    private long spentUnits;
    private boolean holderLost;

    private LeaseTruth(int account) {
      this.account = account;
    }

    int account() {
      return account;
    }

    long spentUnits() {
      return spentUnits;
    }

    boolean holderLost() {
      return holderLost;
    }
  }

  Map<Id128, LeaseTruth> leases() {
    return leases;
  }

  /** A holder learned of its lease. */
  void held(Id128 lease, int account) {
    leases.computeIfAbsent(lease, id -> new LeaseTruth(account));
  }

  /** The holder of a lease died. */
  void lost(Id128 lease) {
    truth(lease).holderLost = true;
  }

  /** A sweep wrote a lease off: what its holder had not spent of it is forfeit. */
  void reclaimed(Id128 lease) {
    reclaimed.add(lease);
  }

  boolean wasReclaimed(Id128 lease) {
    return reclaimed.contains(lease);
  }

  /** Work was started on a lease, or extended. */
  void started(Id128 leaseId, long units, @Nullable Lease row) {
    final LeaseTruth truth = truth(leaseId);
    truth.spentUnits = Math.addExact(truth.spentUnits, units);
    spentByAccount[truth.account] = Math.addExact(spentByAccount[truth.account], units);
    if (row == null) {
      throw new Violation("R1", "units are spent from a granted lease", leaseId.toString());
    }
    if (row.state() != LeaseState.ACTIVE) {
      throw new Violation("R13", "no work starts on a lease that ended", row.toString());
    }
    requireWithinGrant(row);
  }

  /** Work was settled below what it had reserved. */
  void refunded(Id128 leaseId, long units) {
    final LeaseTruth truth = truth(leaseId);
    truth.spentUnits = Math.subtractExact(truth.spentUnits, units);
    spentByAccount[truth.account] = Math.subtractExact(spentByAccount[truth.account], units);
  }

  void requireWithinGrant(Lease row) {
    final LeaseTruth truth = leases.get(row.id());
    if (truth != null && truth.spentUnits > row.granted() - row.returned()) {
      throw new Violation(
          "R1",
          "spent units were granted and not given back",
          truth.spentUnits
              + " spent of "
              + row.granted()
              + " granted, "
              + row.returned()
              + " given back, on lease "
              + row.id());
    }
  }

  void requireWithinAllocation(int account, Balances books) {
    if (spentByAccount[account] > books.deposited()) {
      throw new Violation(
          "R1",
          "an account spends no more than it was given",
          spentByAccount[account] + " spent of " + books.deposited());
    }
  }

  /** A live holder released a lease: every unit is spent or given back, none lost, none doubled. */
  void requireExact(Lease row) {
    final LeaseTruth truth = truth(row.id());
    if (truth.spentUnits + row.returned() != row.granted()) {
      throw new Violation(
          "R35",
          "a released lease has every unit spent or given back",
          truth.spentUnits + " spent, " + row.returned() + " given back of " + row.granted());
    }
  }

  private LeaseTruth truth(Id128 lease) {
    final LeaseTruth truth = leases.get(lease);
    if (truth == null) {
      throw new IllegalStateException("nobody holds lease " + lease);
    }
    return truth;
  }
}
