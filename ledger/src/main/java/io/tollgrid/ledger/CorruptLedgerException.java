package io.tollgrid.ledger;

/**
 * Stored numbers that contradict each other; the account answers {@link LedgerCode#CORRUPT} until a
 * person has looked.
 */
public final class CorruptLedgerException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Says which numbers disagree. */
  public CorruptLedgerException(String message) {
    super(message);
  }

  /*@ normal_behavior
  @ ensures \result != null;
  @ assignable \nothing;
  @*/
  /** Says that a command would take more from a term of the books than there is. */
  static CorruptLedgerException movedBeyond(long units, long whole) {
    return new CorruptLedgerException(
        units + " units are to leave a term of the books that holds " + whole);
  }
}
