package io.tollgrid.verification.simulation;

import io.tollgrid.ledger.AccountLedger;
import io.tollgrid.ledger.Funding;
import io.tollgrid.ledger.Lease;
import io.tollgrid.ledger.LeaseState;
import io.tollgrid.ledger.RowKey;
import io.tollgrid.ledger.UsageEvent;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How the row of a lease may come to be and may change. */
final class LeaseTerms {
  private LeaseTerms() {}

  /** A granted lease has the account's next fence, and nothing happened to it yet (R11). */
  static void requireFresh(Lease lease, @Nullable AccountLedger before) {
    final long expected = before == null ? 1 : before.nextFence();
    if (lease.fence() != expected
        || lease.returned() != 0
        || lease.billed() != 0
        || lease.granted() < 1
        || lease.state() != LeaseState.ACTIVE) {
      throw new Violation(
          "R11", "a lease begins with the next fence", lease + ", expected fence " + expected);
    }
  }

  /** What was granted stays, what was returned and billed grows, states only move on (R11, R12). */
  static void requireOnwards(@Nullable Lease old, Lease lease) {
    final boolean onwards =
        old != null
            && old.fence() == lease.fence()
            && old.holder().equals(lease.holder())
            && old.bodyHash().equals(lease.bodyHash())
            && old.periodNumber() == lease.periodNumber()
            && old.grantedAllowance() == lease.grantedAllowance()
            && old.grantedTopUp() == lease.grantedTopUp()
            && old.returnedAllowance() <= lease.returnedAllowance()
            && old.returnedTopUp() <= lease.returnedTopUp()
            && old.billed() <= lease.billed()
            && old.state().compareTo(lease.state()) <= 0
            && old.firstExpiresAtNanos() == lease.firstExpiresAtNanos()
            && old.expiresAtNanos() <= lease.expiresAtNanos()
            && stepOf(old) <= stepOf(lease);
    if (!onwards) {
      throw new Violation("R11", "a lease only moves on", old + " became " + lease);
    }
  }

  static long stepOf(Lease lease) {
    return lease.lastStep() == null ? 0 : lease.lastStep().number();
  }

  /** The row of the lease an event names, if it names one. */
  static Optional<RowKey> leaseOf(UsageEvent event) {
    return event.funding() instanceof Funding.Leased leased
        ? Optional.of(new RowKey.LeaseKey(leased.leaseId()))
        : Optional.empty();
  }
}
