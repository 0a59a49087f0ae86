package io.tollgrid.node.replay;

import java.nio.file.Path;

/**
 * A trace that cannot be replayed: one line that names the file, the line in it and what is wrong
 * there.
 */
public final class TraceException extends Exception {
  private static final long serialVersionUID = 1L;

  TraceException(Path file, String what) {
    super(file + ": " + what);
  }

  TraceException(Path file, long line, String what) {
    super(file + ":" + line + ": " + what);
  }
}
