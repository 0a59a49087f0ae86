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
}
