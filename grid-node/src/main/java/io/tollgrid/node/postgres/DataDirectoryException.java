package io.tollgrid.node.postgres;

/** A data directory that cannot be used. The message is one line and says what to do. */
public final class DataDirectoryException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** A refusal in words for the person who named the directory. */
  public DataDirectoryException(String message) {
    super(message);
  }

  /** A refusal in words for the person who named the directory, and what led to it. */
  public DataDirectoryException(String message, Throwable cause) {
    super(message, cause);
  }
}
