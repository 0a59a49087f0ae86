package io.tollgrid.ledger;

/**
 * Units in one term of the books while a command moves them: mutable, confined to one {@link
 * LedgerDraft}.
 *
 * <p>Units only ever move between two pools or enter both sides of the books at once, so that the
 * identity of R10 holds between any two calls whatever the calls are. The methods are proved as
 * they stand (see {@code formal/README.md}).
 */
final class UnitPool {
  private long units;

  /*@ private invariant 0 <= units && units <= Long.MAX_VALUE; @*/

  /*@ normal_behavior
  @ requires units >= 0;
  @ ensures this.units == units;
  @ assignable this.units;
  @*/
  UnitPool(long units) {
    this.units = units;
  }

  /** How many there are. */
  long units() {
    return units;
  }

  /*@ normal_behavior
  @ requires to != this && \invariant_for(to) && 0 <= moved && moved <= units && to.units + moved <= Long.MAX_VALUE;
  @ ensures units == \old(units) - moved && to.units == \old(to.units) + moved;
  @ ensures units + to.units == \old(units + to.units);
  @ ensures \invariant_for(to);
  @ assignable units, to.units;
  @*/
  /**
   * Moves units to another term on the same side of the books.
   *
   * @throws CorruptLedgerException if there are fewer: the caller has checked what it may move
   */
  void moveTo(UnitPool to, long moved) {
    units = less(units, moved);
    to.units = more(to.units, moved);
  }

  /*@ normal_behavior
  @ requires to != this && \invariant_for(to) && 0 <= added && units + added <= Long.MAX_VALUE
  @     && to.units + added <= Long.MAX_VALUE;
  @ ensures units == \old(units) + added && to.units == \old(to.units) + added;
  @ ensures units - to.units == \old(units - to.units);
  @ ensures \invariant_for(to);
  @ assignable units, to.units;
  @*/
  /**
   * Adds the same units here and to a term on the other side of the books.
   *
   * @throws ArithmeticException if either would not fit 63 bits
   */
  void growWith(UnitPool to, long added) {
    units = more(units, added);
    to.units = more(to.units, added);
  }

  /*@ private normal_behavior
  @ requires 0 <= part && part <= whole;
  @ ensures \result == whole - part;
  @ assignable \strictly_nothing;
  @ also private exceptional_behavior
  @ requires part < 0 || part > whole;
  @ signals (CorruptLedgerException e) true;
  @ signals_only CorruptLedgerException;
  @*/
  private static long less(long whole, long part) {
    if (part < 0 || part > whole) {
      throw CorruptLedgerException.movedBeyond(part, whole);
    }
    return whole - part;
  }

  /*@ private normal_behavior
  @ requires 0 <= whole && 0 <= part && whole + part <= Long.MAX_VALUE;
  @ ensures \result == whole + part;
  @ assignable \strictly_nothing;
  @ also private exceptional_behavior
  @ requires 0 <= whole && (part < 0 || whole + part > Long.MAX_VALUE);
  @ signals (ArithmeticException e) true;
  @ signals_only ArithmeticException;
  @*/
  private static long more(long whole, long part) {
    if (part < 0 || part > Long.MAX_VALUE - whole) {
      throw new ArithmeticException("a term of the books cannot hold so many units more");
    }
    return whole + part;
  }
}
