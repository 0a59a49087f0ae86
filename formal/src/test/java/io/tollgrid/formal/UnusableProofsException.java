package io.tollgrid.formal;

/** What is to be proved cannot be read. The message is one line for a person. */
public final class UnusableProofsException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Says what is wrong, and with which file. */
  public UnusableProofsException(String message) {
    super(message);
  }
}
