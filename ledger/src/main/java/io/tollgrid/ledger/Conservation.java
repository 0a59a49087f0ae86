package io.tollgrid.ledger;

/**
 * The books of one account, as plain arithmetic (R10).
 *
 * <p>{@code deposited + overage = allowance + top_up + outstanding + billed + loss + expired},
 * always. The methods work on bare {@code long}s and assume nothing: an overflow is an imbalance,
 * never a wrap.
 */
public final class Conservation {
  private Conservation() {}

  /*@ public normal_behavior
  @ ensures \result == (deposited >= 0 && overage >= 0 && allowance >= 0 && topUp >= 0 && outstanding >= 0
  @     && billed >= 0 && loss >= 0 && expired >= 0
  @     && (\bigint) deposited + (\bigint) overage
  @        == (\bigint) allowance + (\bigint) topUp + (\bigint) outstanding + (\bigint) billed + (\bigint) loss
  @           + (\bigint) expired
  @     && (\bigint) deposited + (\bigint) overage <= (\bigint) Long.MAX_VALUE);
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
    if (deposited < 0
        || overage < 0
        || allowance < 0
        || topUp < 0
        || outstanding < 0
        || billed < 0
        || loss < 0
        || expired < 0) {
      return false;
    }
    if (deposited > Long.MAX_VALUE - overage) {
      return false;
    }
    long rest = deposited + overage;
    if (allowance > rest) {
      return false;
    }
    rest -= allowance;
    if (topUp > rest) {
      return false;
    }
    rest -= topUp;
    if (outstanding > rest) {
      return false;
    }
    rest -= outstanding;
    if (billed > rest) {
      return false;
    }
    rest -= billed;
    if (loss > rest) {
      return false;
    }
    rest -= loss;
    return expired == rest;
  }
}
