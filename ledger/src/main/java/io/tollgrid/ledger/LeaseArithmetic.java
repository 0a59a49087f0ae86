package io.tollgrid.ledger;

/**
 * The two halves of a lease, allowance and top-up, as plain arithmetic over units (R14).
 *
 * <p>Spending takes allowance first, so what is still on a lease is top-up first: returning {@code
 * u} units returns {@code min(u, top-up left)} of top-up and the rest of allowance. The methods are
 * proved as they stand (see {@code formal/README.md}).
 */
public final class LeaseArithmetic {
  private LeaseArithmetic() {}

  /*@ public normal_behavior
  @ requires granted >= 0 && returned >= 0 && billed >= 0 && returned <= granted && billed <= granted - returned;
  @ ensures 0 <= \result && \result <= granted && \result == granted - returned - billed;
  @ assignable \strictly_nothing;
  @*/
  /** Units of a lease that are neither returned nor billed. */
  public static long remaining(long granted, long returned, long billed) {
    return granted - returned - billed;
  }

  /*@ public normal_behavior
  @ requires 0 <= units && units <= remaining && 0 <= returnedTopUp && returnedTopUp <= grantedTopUp;
  @ ensures 0 <= \result && \result <= units && \result <= grantedTopUp - returnedTopUp;
  @ ensures \result == units || \result == grantedTopUp - returnedTopUp;
  @ assignable \strictly_nothing;
  @*/
  /** How many of {@code units} returned from a lease with {@code remaining} left are top-up. */
  public static long topUpOfReturn(
      long units, long remaining, long grantedTopUp, long returnedTopUp) {
    long topUpLeft = grantedTopUp - returnedTopUp;
    if (remaining < topUpLeft) {
      topUpLeft = remaining;
    }
    return units < topUpLeft ? units : topUpLeft;
  }

  /*@ public normal_behavior
  @ requires 0 <= topUpUnits && topUpUnits <= units;
  @ ensures 0 <= \result && \result <= units && \result == (current ? units : topUpUnits);
  @ assignable \strictly_nothing;
  @*/
  /**
   * How many of {@code units} returned go back to the balance: the top-up, and the allowance only
   * while its period lasts. The rest has expired.
   */
  public static long restoredOfReturn(long units, long topUpUnits, boolean current) {
    return current ? units : topUpUnits;
  }

  /*@ public normal_behavior
  @ requires units >= 0 && allowance >= 0;
  @ ensures 0 <= \result && \result <= units && \result <= allowance;
  @ ensures \result == units || \result == allowance;
  @ assignable \strictly_nothing;
  @*/
  /** How many of {@code units} granted from a balance are allowance: as many as there are. */
  public static long allowanceOfGrant(long units, long allowance) {
    return units < allowance ? units : allowance;
  }

  /*@ public normal_behavior
  @ requires remaining >= 0 && unspent >= 0 && unspent <= remaining;
  @ ensures 0 <= \result && \result == remaining - unspent;
  @ assignable \strictly_nothing;
  @*/
  /** Units that become provisional loss when a lease ends with {@code unspent} given back (R12). */
  public static long lossAtEnd(long remaining, long unspent) {
    return remaining - unspent;
  }
}
