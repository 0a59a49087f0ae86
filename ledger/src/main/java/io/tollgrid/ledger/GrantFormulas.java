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
  @ ensures \result == (\java_math(balance / shrink) > minimum ? \java_math(balance / shrink) : minimum);
  @ assignable \strictly_nothing;
  @*/
  /** The most one grant may take from a balance: {@code max(minimum, ⌊balance / shrink⌋)}. */
  public static long cap(long balance, long minimum, long shrink) {
    return Math.max(balance / shrink, minimum);
  }

  /*@ public normal_behavior
  @ requires balance >= 0 && want > 0 && minimum > 0 && shrink >= 1 && maxGrant > 0;
  @ ensures 0 <= \result && \result <= balance && \result <= want && \result <= maxGrant;
  @ ensures \result <= cap(balance, minimum, shrink);
  @ ensures \result == balance || \result == want || \result == maxGrant
  @     || \result == cap(balance, minimum, shrink);
  @ assignable \strictly_nothing;
  @*/
  /** Units an acquire is granted; 0 exactly when the balance is 0. */
  public static long acquire(long balance, long want, long minimum, long shrink, long maxGrant) {
    return grant(balance, want, cap(balance, minimum, shrink), maxGrant);
  }

  /*@ public normal_behavior
  @ requires 0 <= restored && restored <= balance && want > 0 && minimum > 0 && shrink >= 1 && demand >= 0;
  @ ensures restored <= \result && \result <= balance;
  @ ensures demand <= balance ==> \result >= demand;
  @ ensures \result >= balance || \result >= want || \result >= cap(balance, minimum, shrink);
  @ ensures \result == restored || \result == demand
  @     || (\result <= want && \result <= cap(balance, minimum, shrink));
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
    return regrant(balance, restored, want, cap(balance, minimum, shrink), demand);
  }

  /*@ private normal_behavior
  @ requires balance >= 0 && want > 0 && cap > 0 && maxGrant >= 0;
  @ ensures 0 <= \result && \result <= balance && \result <= want && \result <= maxGrant && \result <= cap;
  @ ensures \result == balance || \result == want || \result == maxGrant || \result == cap;
  @ assignable \strictly_nothing;
  @*/
  private static long grant(long balance, long want, long cap, long maxGrant) {
    return Math.min(Math.min(want, cap), Math.min(balance, maxGrant));
  }

  /*@ private normal_behavior
  @ requires 0 <= restored && restored <= balance && want > 0 && cap > 0 && demand >= 0;
  @ ensures restored <= \result && \result <= balance;
  @ ensures demand <= balance ==> \result >= demand;
  @ ensures \result >= balance || \result >= want || \result >= cap;
  @ ensures \result == restored || \result == demand || (\result <= want && \result <= cap);
  @ assignable \strictly_nothing;
  @*/
  private static long regrant(long balance, long restored, long want, long cap, long demand) {
    long granted = Math.max(restored, grant(balance, want, cap, balance));
    return demand <= balance ? Math.max(granted, demand) : granted;
  }
}
