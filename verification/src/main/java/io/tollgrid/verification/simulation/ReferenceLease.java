package io.tollgrid.verification.simulation;

import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.Lease;
import io.tollgrid.ledger.LeaseState;
import io.tollgrid.ledger.LeaseStep;
import org.jspecify.annotations.Nullable;

/** One lease of a {@link ReferenceAccount}. Mutable, confined to one check. */
final class ReferenceLease {
  final Id128 id;
  final Id128 holder;
  final long fence;
  final long periodNumber;
  final long grantedAllowance;
  final long grantedTopUp;
  long returnedAllowance;
  long returnedTopUp;
  long billed;
  LeaseState state;
  long expiresAtNanos;
  long endedAtNanos;
  @Nullable LeaseStep lastStep;

  ReferenceLease(
      Id128 id,
      Id128 holder,
      long fence,
      long periodNumber,
      long grantedAllowance,
      long grantedTopUp,
      long expiresAtNanos) {
    this.id = id;
    this.holder = holder;
    this.fence = fence;
    this.periodNumber = periodNumber;
    this.grantedAllowance = grantedAllowance;
    this.grantedTopUp = grantedTopUp;
    this.expiresAtNanos = expiresAtNanos;
    this.state = LeaseState.ACTIVE;
  }

  ReferenceLease(Lease lease) {
    this(
        lease.id(),
        lease.holder(),
        lease.fence(),
        lease.periodNumber(),
        lease.grantedAllowance(),
        lease.grantedTopUp(),
        lease.expiresAtNanos());
    returnedAllowance = lease.returnedAllowance();
    returnedTopUp = lease.returnedTopUp();
    billed = lease.billed();
    state = lease.state();
    endedAtNanos = lease.endedAtNanos();
    lastStep = lease.lastStep();
  }

  long left() {
    return grantedAllowance + grantedTopUp - returnedAllowance - returnedTopUp - billed;
  }

  long step() {
    return lastStep == null ? 0 : lastStep.number();
  }

  boolean dueBy(long nanos) {
    return state == LeaseState.ACTIVE && expiresAtNanos + Scale.LIMITS.graceNanos() <= nanos;
  }

  boolean equalsRow(Lease row) {
    return id.equals(row.id())
        && holder.equals(row.holder())
        && fence == row.fence()
        && periodNumber == row.periodNumber()
        && grantedAllowance == row.grantedAllowance()
        && grantedTopUp == row.grantedTopUp()
        && returnedAllowance == row.returnedAllowance()
        && returnedTopUp == row.returnedTopUp()
        && billed == row.billed()
        && state == row.state()
        && expiresAtNanos == row.expiresAtNanos()
        && endedAtNanos == row.endedAtNanos()
        && row.graceNanos() == Scale.LIMITS.graceNanos()
        && row.loss() == (state == LeaseState.ACTIVE ? 0 : left())
        && (lastStep == null ? row.lastStep() == null : lastStep.equals(row.lastStep()));
  }

  @Override
  public String toString() {
    return state
        + " lease, fence "
        + fence
        + ", granted "
        + grantedAllowance
        + " + "
        + grantedTopUp
        + ", returned "
        + returnedAllowance
        + " + "
        + returnedTopUp
        + ", billed "
        + billed
        + ", step "
        + lastStep;
  }
}
