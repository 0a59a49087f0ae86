package io.tollgrid.node;

/** A node that could not start. The message is one line for the person who started it. */
public final class NodeStartException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** A refusal in words for the person who started the node, and what led to it. */
  public NodeStartException(String message, Throwable cause) {
    super(message, cause);
  }
}
