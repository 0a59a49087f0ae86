package io.tollgrid.node.cli;

/** A command that cannot run as asked. The message is one line for the person who asked. */
public final class CommandFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** A refusal in words for a person. */
  public CommandFailure(String message) {
    super(message);
  }

  /** A refusal in words for a person, and what led to it. */
  public CommandFailure(String message, Throwable cause) {
    super(message, cause);
  }
}
