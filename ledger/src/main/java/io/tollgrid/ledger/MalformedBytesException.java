package io.tollgrid.ledger;

/**
 * Bytes that are no canonical form of anything: truncated, of an unknown version, or holding an
 * impossible value.
 */
public final class MalformedBytesException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  /** Says what is malformed. */
  public MalformedBytesException(String message) {
    super(message);
  }

  MalformedBytesException(String message, Throwable cause) {
    super(message, cause);
  }
}
