package io.tollgrid.node.usage;

/** A line that is no usage event. The message is for a person and holds nothing of the line. */
public final class BadLineException extends Exception {
  private static final long serialVersionUID = 1L;

  private final BadLine kind;

  /** Without a stack trace: input may consist of nothing but bad lines. */
  BadLineException(BadLine kind, String reason) {
    super(reason, null, false, false);
    this.kind = kind;
  }

  /** What is wrong. */
  public BadLine kind() {
    return kind;
  }
}
