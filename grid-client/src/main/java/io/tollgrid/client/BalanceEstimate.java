package io.tollgrid.client;

/**
 * How much an account has left, as far as this instance can tell: for people to look at. It admits
 * and refuses nothing (R56). Immutable.
 *
 * @param remainingUnits what the ledger said was left, with everybody's leases, less what this
 *     instance has spent since; never negative
 * @param asOfNanos when the ledger said so, epoch nanoseconds of ledger time: what others did since
 *     is not in it
 */
public record BalanceEstimate(long remainingUnits, long asOfNanos) {
  /** Refuses a negative rest. */
  public BalanceEstimate {
    if (remainingUnits < 0) {
      throw new IllegalArgumentException("a rest is not negative: " + remainingUnits);
    }
  }
}
