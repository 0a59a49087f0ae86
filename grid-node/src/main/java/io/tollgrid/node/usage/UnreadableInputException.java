package io.tollgrid.node.usage;

import java.io.IOException;

/** Input that ended in an error. What was read before it was loaded. */
public final class UnreadableInputException extends IOException {
  private static final long serialVersionUID = 1L;

  /** The line that could not be read. */
  UnreadableInputException(long line, IOException cause) {
    super(
        "line "
            + line
            + " cannot be read: "
            + cause.getMessage()
            + "; the lines before it were loaded, and are duplicates when they are loaded again",
        cause);
  }
}
