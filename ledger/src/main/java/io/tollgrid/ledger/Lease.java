package io.tollgrid.ledger;

import org.jspecify.annotations.Nullable;

/**
 * Units moved out of an account's balance for one holder until a time; a capability {@code (id,
 * account, fence)} (R11).
 *
 * @param id its id, chosen by the holder's command
 * @param holder the instance that may spend it
 * @param fence its account's sequence number, from 1, strictly increasing
 * @param bodyHash identity of the command that created it, to tell a retry from a conflict (R16)
 * @param periodNumber the budget period it was granted in
 * @param grantedAllowance allowance units granted
 * @param grantedTopUp top-up units granted
 * @param returnedAllowance allowance units given back, whether they were restored or expired
 * @param returnedTopUp top-up units given back
 * @param billed units of accepted usage
 * @param loss units nobody accounted for when it ended and no straggler has claimed since
 * @param state where it is in its life
 * @param firstExpiresAtNanos the expiry it was granted with, epoch nanoseconds
 * @param expiresAtNanos the expiry now, epoch nanoseconds; never earlier than the first
 * @param graceNanos how long after the expiry the ledger waits before it reclaims
 * @param endedAtNanos when it left {@link LeaseState#ACTIVE}, 0 while it has not
 * @param lastStep the last step taken on it, or null before the first
 */
public record Lease(
    Id128 id,
    Id128 holder,
    long fence,
    Id128 bodyHash,
    long periodNumber,
    long grantedAllowance,
    long grantedTopUp,
    long returnedAllowance,
    long returnedTopUp,
    long billed,
    long loss,
    LeaseState state,
    long firstExpiresAtNanos,
    long expiresAtNanos,
    long graceNanos,
    long endedAtNanos,
    @Nullable LeaseStep lastStep) {

  /** Refuses terms no sequence of commands could have produced: they are corruption (R7). */
  public Lease {
    final boolean halves =
        grantedAllowance >= 0
            && grantedTopUp >= 0
            && grantedAllowance <= Long.MAX_VALUE - grantedTopUp
            && returnedAllowance >= 0
            && returnedAllowance <= grantedAllowance
            && returnedTopUp >= 0
            && returnedTopUp <= grantedTopUp;
    final boolean whole =
        halves
            && billed >= 0
            && loss >= 0
            && billed <= grantedAllowance + grantedTopUp - returnedAllowance - returnedTopUp
            && loss <= grantedAllowance + grantedTopUp - returnedAllowance - returnedTopUp - billed;
    final boolean lossFitsState =
        switch (state) {
          case ACTIVE -> loss == 0;
          case LOSS, ARCHIVED -> loss > 0;
          case SETTLED -> loss == 0;
        };
    if (!whole
        || !lossFitsState
        || fence < 1
        || expiresAtNanos < firstExpiresAtNanos
        || graceNanos < 0
        || expiresAtNanos > Long.MAX_VALUE - graceNanos) {
      throw new CorruptLedgerException(
          "lease "
              + id
              + " is impossible: "
              + state
              + ", fence "
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
              + ", loss "
              + loss
              + ", expires "
              + firstExpiresAtNanos
              + " → "
              + expiresAtNanos);
    }
    if (state != LeaseState.ACTIVE
        && grantedAllowance + grantedTopUp - returnedAllowance - returnedTopUp - billed != loss) {
      throw new CorruptLedgerException(
          "lease "
              + id
              + " ended as "
              + state
              + " with units that are neither returned, billed nor lost");
    }
  }

  /** Units granted, both halves. */
  public long granted() {
    return grantedAllowance + grantedTopUp;
  }

  /** Units given back, both halves. */
  public long returned() {
    return returnedAllowance + returnedTopUp;
  }

  /** Units neither returned nor billed: outstanding while active, loss afterwards. */
  public long remaining() {
    return LeaseArithmetic.remaining(granted(), returned(), billed);
  }

  /** The first instant at which a sweep may reclaim it. */
  public long reclaimableAtNanos() {
    return expiresAtNanos + graceNanos;
  }

  /** Whether {@code (id, fence)} names this very lease (R11). */
  public boolean grants(Id128 leaseId, long leaseFence) {
    return id.equals(leaseId) && fence == leaseFence;
  }

  Lease withBilled(long units) {
    return copy(
        returnedAllowance,
        returnedTopUp,
        Math.addExact(billed, units),
        loss,
        state,
        expiresAtNanos,
        endedAtNanos,
        lastStep);
  }

  Lease withReturned(long allowanceUnits, long topUpUnits) {
    return copy(
        Math.addExact(returnedAllowance, allowanceUnits),
        Math.addExact(returnedTopUp, topUpUnits),
        billed,
        loss,
        state,
        expiresAtNanos,
        endedAtNanos,
        lastStep);
  }

  Lease withExpiry(long nanos) {
    return copy(
        returnedAllowance, returnedTopUp, billed, loss, state, nanos, endedAtNanos, lastStep);
  }

  Lease withStep(LeaseStep step) {
    return copy(
        returnedAllowance, returnedTopUp, billed, loss, state, expiresAtNanos, endedAtNanos, step);
  }

  /** Ends an active lease: what remains is loss, or nothing remains and it is settled. */
  Lease ended(long nowNanos) {
    final long rest = remaining();
    return copy(
        returnedAllowance,
        returnedTopUp,
        billed,
        rest,
        rest > 0 ? LeaseState.LOSS : LeaseState.SETTLED,
        expiresAtNanos,
        nowNanos,
        lastStep);
  }

  /** A straggler claims {@code units} of the loss. */
  Lease claimed(long units) {
    final long rest = Math.subtractExact(loss, units);
    return copy(
        returnedAllowance,
        returnedTopUp,
        Math.addExact(billed, units),
        rest,
        rest > 0 ? state : LeaseState.SETTLED,
        expiresAtNanos,
        endedAtNanos,
        lastStep);
  }

  Lease archived() {
    return copy(
        returnedAllowance,
        returnedTopUp,
        billed,
        loss,
        LeaseState.ARCHIVED,
        expiresAtNanos,
        endedAtNanos,
        lastStep);
  }

  private Lease copy(
      long nextReturnedAllowance,
      long nextReturnedTopUp,
      long nextBilled,
      long nextLoss,
      LeaseState nextState,
      long nextExpiresAtNanos,
      long nextEndedAtNanos,
      @Nullable LeaseStep nextStep) {
    return new Lease(
        id,
        holder,
        fence,
        bodyHash,
        periodNumber,
        grantedAllowance,
        grantedTopUp,
        nextReturnedAllowance,
        nextReturnedTopUp,
        nextBilled,
        nextLoss,
        nextState,
        firstExpiresAtNanos,
        nextExpiresAtNanos,
        graceNanos,
        nextEndedAtNanos,
        nextStep);
  }
}
