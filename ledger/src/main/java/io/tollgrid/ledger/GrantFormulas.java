package io.tollgrid.ledger;

/**
 * How many units a grant hands out, as plain arithmetic over units.
 *
 * <p>All divisions round down and no step overflows for any legal argument: {@code 0 < minimum},
 * {@code shrink ≥ 1}, everything else non-negative. The methods are proved as they stand (see
 * {@code formal/README.md}).
 */
public final class GrantFormulas {
  private GrantFormulas() {}

  /*@ public normal_behavior
  @ requires balance >= 0 && minimum > 0 && shrink >= 1;
  @ ensures \result >= minimum;
  @ ensures \result == minimum || \result == balance / shrink;
  @ assignable \strictly_nothing;
  @*/
  /** The most one grant may take from a balance: {@code max(minimum, ⌊balance / shrink⌋)}. */
  public static long cap(long balance, long minimum, long shrink) {
    long share = balance / shrink;
    return share > minimum ? share : minimum;
  }

  /*@ public normal_behavior
  @ requires balance >= 0 && want > 0 && minimum > 0 && shrink >= 1 && maxGrant > 0;
  @ ensures 0 <= \result && \result <= balance && \result <= want && \result <= maxGrant;
  @ ensures balance > 0 ==> \result > 0;
  @ assignable \strictly_nothing;
  @*/
  /** Units an acquire is granted; 0 exactly when the balance is 0. */
  public static long acquire(long balance, long want, long minimum, long shrink, long maxGrant) {
    long granted = cap(balance, minimum, shrink);
    if (want < granted) {
      granted = want;
    }
    if (balance < granted) {
      granted = balance;
    }
    if (maxGrant < granted) {
      granted = maxGrant;
    }
    return granted;
  }

  /*@ public normal_behavior
  @ requires 0 <= restored && restored <= balance && want > 0 && minimum > 0 && shrink >= 1 && demand >= 0;
  @ ensures restored <= \result && \result <= balance;
  @ ensures demand <= balance ==> \result >= demand;
  @ ensures \result > restored && \result > want ==> \result == demand;
  @ assignable \strictly_nothing;
  @*/
  /**
   * Units a consolidation re-grants.
   *
   * @param balance the balance with {@code restored} already back in it
   * @param restored what the fold put back: the floor of the new grant (R2)
   * @param demand the largest quote the old lease refused for want of units, 0 for none; honoured
   *     only if fundable
   */
  public static long consolidate(
      long balance, long restored, long want, long minimum, long shrink, long demand) {
    long granted = cap(balance, minimum, shrink);
    if (want < granted) {
      granted = want;
    }
    if (balance < granted) {
      granted = balance;
    }
    if (granted < restored) {
      granted = restored;
    }
    if (demand <= balance && granted < demand) {
      granted = demand;
    }
    return granted;
  }
}
