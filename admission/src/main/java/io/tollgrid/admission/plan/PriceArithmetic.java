package io.tollgrid.admission.plan;

/** Prices over longs: total, free of side effects and proved as shipped. */
public final class PriceArithmetic {
  /** The price of work that costs more than 63 bits hold. */
  public static final long OVERFLOW = -1;

  private PriceArithmetic() {}

  /**
   * A fixed price and one per item, at least a minimum.
   *
   * @param fixedUnits 0 or more
   * @param unitsPerItem 0 or more
   * @param minimumUnits 0 or more
   * @param items 0 or more
   * @return units, or {@link #OVERFLOW}
   */
  /*@ public normal_behavior
  @ requires 0 <= fixedUnits && 0 <= unitsPerItem && 0 <= minimumUnits && 0 <= items;
  @ ensures \result == -1 <==>
  @     (unitsPerItem > 0
  @         && items > \java_math((9223372036854775807L - fixedUnits) / unitsPerItem));
  @ ensures \result != -1 ==> \result >= minimumUnits;
  @ ensures \result != -1 ==> \result == minimumUnits
  @     || \result == \java_math(fixedUnits + unitsPerItem * items);
  @ assignable \strictly_nothing;
  @*/
  public static long quote(
      final long fixedUnits, final long unitsPerItem, final long minimumUnits, final long items) {
    if (unitsPerItem > 0 && items > (Long.MAX_VALUE - fixedUnits) / unitsPerItem) {
      return OVERFLOW;
    }
    final long units = fixedUnits + unitsPerItem * items;
    return units < minimumUnits ? minimumUnits : units;
  }

  /**
   * The sum of two prices.
   *
   * @param one units, 0 or more, or {@link #OVERFLOW}
   * @param other units, 0 or more, or {@link #OVERFLOW}
   * @return units, or {@link #OVERFLOW}
   */
  /*@ public normal_behavior
  @ requires -1 <= one && -1 <= other;
  @ ensures \result == -1 || \result == one + other;
  @ ensures \result == -1 <==>
  @     (one == -1 || other == -1 || one > 9223372036854775807L - other);
  @ assignable \strictly_nothing;
  @*/
  public static long sum(final long one, final long other) {
    return one < 0 || other < 0 || one > Long.MAX_VALUE - other ? OVERFLOW : one + other;
  }
}
