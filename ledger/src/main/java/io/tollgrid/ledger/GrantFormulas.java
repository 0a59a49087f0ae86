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
    return max(balance / shrink, minimum);
  }

  /*@ public normal_behavior
  @ requires balance >= 0 && want > 0 && cap > 0 && maxGrant > 0;
  @ ensures 0 <= \result && \result <= balance && \result <= want && \result <= maxGrant && \result <= cap;
  @ ensures \result == balance || \result == want || \result == maxGrant || \result == cap;
  @ ensures \result == 0 <==> balance == 0;
  @ assignable \strictly_nothing;
  @*/
  /**
   * Units an acquire is granted; 0 exactly when the balance is 0.
   *
   * @param cap what {@link #cap} says of the balance
   */
  public static long acquire(long balance, long want, long cap, long maxGrant) {
    return min(min(want, cap), min(balance, maxGrant));
  }

  /*@ public normal_behavior
  @ requires 0 <= restored && restored <= balance && want > 0 && cap > 0 && demand >= 0;
  @ ensures restored <= \result && \result <= balance;
  @ ensures demand <= balance ==> \result >= demand;
  @ ensures \result >= balance || \result >= want || \result >= cap;
  @ ensures \result == restored || \result == demand || (\result <= want && \result <= cap);
  @ assignable \strictly_nothing;
  @*/
  /**
   * Units a consolidation re-grants.
   *
   * @param balance the balance with {@code restored} already back in it
   * @param restored what the fold put back: the floor of the new grant (R2)
   * @param cap what {@link #cap} says of the balance
   * @param demand the largest quote the old lease refused for want of units, 0 for none; honoured
   *     only if fundable
   */
  public static long consolidate(long balance, long restored, long want, long cap, long demand) {
    long granted = max(restored, min(min(want, cap), balance));
    return demand <= balance ? max(granted, demand) : granted;
  }

  /*@ public normal_behavior
  @ requires balance >= 0 && granted >= 0 && balance + granted <= Long.MAX_VALUE && remaining >= 0 && demand >= 0;
  @ ensures \result == (balance + granted < demand && demand <= remaining ? demand : 0);
  @ assignable \strictly_nothing;
  @*/
  /**
   * The demand left open by a grant of {@code granted} that units held elsewhere could fund, else 0
   * (R2). What a fold of this very grant could fund from the balance needs nobody else's units.
   */
  public static long unmet(long balance, long granted, long remaining, long demand) {
    return demand > balance + granted && demand <= remaining ? demand : 0;
  }

  /*@ private normal_behavior
  @ ensures \result == (a < b ? a : b);
  @ assignable \strictly_nothing;
  @*/
  private static long min(long a, long b) {
    return a < b ? a : b;
  }

  /*@ private normal_behavior
  @ ensures \result == (a < b ? b : a);
  @ assignable \strictly_nothing;
  @*/
  private static long max(long a, long b) {
    return a < b ? b : a;
  }
}
