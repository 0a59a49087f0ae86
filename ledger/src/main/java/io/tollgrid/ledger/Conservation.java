package io.tollgrid.ledger;

/**
 * The books of one account, as plain arithmetic (R10).
 *
 * <p>{@code deposited + overage = allowance + top_up + outstanding + billed + loss + expired},
 * always. The methods work on bare {@code long}s and assume nothing: an overflow is an imbalance,
 * never a wrap. They are proved as they stand (see {@code formal/README.md}).
 */
public final class Conservation {
  /** What a sum that does not fit and a rest below zero come to; it absorbs all that follows. */
  private static final long IMBALANCE = -1;

  private Conservation() {}

  /*@ public normal_behavior
  @ ensures \result ==> deposited >= 0 && overage >= 0 && allowance >= 0 && topUp >= 0 && outstanding >= 0
  @     && billed >= 0 && loss >= 0 && expired >= 0
  @     && deposited + overage == allowance + topUp + outstanding + billed + loss + expired
  @     && deposited + overage <= Long.MAX_VALUE;
  @ assignable \strictly_nothing;
  @ also public normal_behavior
  @ requires deposited >= 0 && overage >= 0 && allowance >= 0 && topUp >= 0 && outstanding >= 0
  @     && billed >= 0 && loss >= 0 && expired >= 0
  @     && deposited + overage == allowance + topUp + outstanding + billed + loss + expired
  @     && deposited + overage <= Long.MAX_VALUE;
  @ ensures \result;
  @ assignable \strictly_nothing;
  @*/
  /** Whether no term is negative, the sides agree exactly, and their sum fits 63 bits. */
  public static boolean holds(
      long deposited,
      long overage,
      long allowance,
      long topUp,
      long outstanding,
      long billed,
      long loss,
      long expired) {
    long left = rest(sum(deposited, overage), allowance, topUp, outstanding);
    return rest(left, billed, loss, expired) == 0;
  }

  /*@ public normal_behavior
  @ requires deposited >= 0 && overage >= 0 && units >= 0;
  @ ensures \result == (deposited + overage + units <= Long.MAX_VALUE);
  @ assignable \strictly_nothing;
  @*/
  /** Whether both sides of the books can take {@code units} more, 0 or more. */
  public static boolean fits(long deposited, long overage, long units) {
    return units <= Long.MAX_VALUE - deposited - overage;
  }

  /*@ private normal_behavior
  @ ensures \result == (a >= 0 && b >= 0 && a + b <= Long.MAX_VALUE ? a + b : -1);
  @ assignable \strictly_nothing;
  @*/
  private static long sum(long a, long b) {
    return a < 0 || b < 0 || a > Long.MAX_VALUE - b ? IMBALANCE : a + b;
  }

  /*@ private normal_behavior
  @ ensures \result == (a >= 0 && b >= 0 && c >= 0 && a + b + c <= whole ? whole - a - b - c : -1);
  @ assignable \strictly_nothing;
  @*/
  private static long rest(long whole, long a, long b, long c) {
    return less(less(less(whole, a), b), c);
  }

  /*@ private normal_behavior
  @ ensures \result == (0 <= part && part <= whole ? whole - part : -1);
  @ assignable \strictly_nothing;
  @*/
  private static long less(long whole, long part) {
    return part < 0 || part > whole ? IMBALANCE : whole - part;
  }
}
