package io.tollgrid.verification.faults.sweep;

import io.tollgrid.ledger.AccountLedger;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.LeaseState;
import java.util.List;
import java.util.Map;

/**
 * An account whose leases had all expired, and what is stored of their end.
 *
 * @param before the account as it was founded
 * @param reclaims every command that wrote leases of it off, in order
 * @param leases its leases as they are stored
 * @param books its numbers as they are stored
 * @param disturbed whether its owner was killed while it was due
 */
record ReclaimedAccount(
    AccountLedger before,
    List<Reclaim> reclaims,
    Map<Id128, StoredLease> leases,
    Books books,
    boolean disturbed) {
  ReclaimedAccount {
    reclaims = List.copyOf(reclaims);
    leases = Map.copyOf(leases);
  }

  /** When the first of its leases was due, epoch nanoseconds. */
  long dueNanos() {
    return before.active().stream().mapToLong(lease -> lease.reclaimableAtNanos()).min().orElse(0);
  }

  /** When the first of them was written off, by the store; never if none was. */
  long firstAtNanos() {
    return reclaims.isEmpty() ? Long.MAX_VALUE : reclaims.get(0).recordedAtNanos();
  }

  /**
   * A command that wrote leases off.
   *
   * @param recordedAtNanos when, by the store
   * @param leases how many
   * @param lossUnits units that became loss
   */
  record Reclaim(long recordedAtNanos, int leases, long lossUnits) {}

  /**
   * A lease's numbers.
   *
   * @param state where it is in its life
   * @param returned units given back
   * @param billed units billed
   * @param loss units to be claimed
   * @param endedAtNanos when it ended, by the ledger
   */
  record StoredLease(LeaseState state, long returned, long billed, long loss, long endedAtNanos) {}

  /**
   * The account's numbers.
   *
   * @param balance allowance and top-up
   * @param outstanding units on active leases
   * @param billed units billed
   * @param loss units lost, in the entry or not
   */
  record Books(long balance, long outstanding, long billed, long loss) {}
}
