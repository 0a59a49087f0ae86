package io.tollgrid.node.input;

import java.io.IOException;
import java.io.InputStream;

/**
 * The lines of an input, one at a time. They end with LF or CRLF; the last may have no end. Memory
 * is bounded by the longest line that is allowed: what is longer is skipped, not held. Not
 * thread-safe.
 */
public final class BoundedLines {
  private static final int BUFFER_BYTES = 65_536;

  private final InputStream in;
  private final byte[] buffer = new byte[BUFFER_BYTES];
  private final byte[] line;
  private int from;
  private int to;
  private int length;
  private boolean tooLong;
  private long number;

  /**
   * The lines of {@code in}, from where it stands; it is not closed here.
   *
   * @param maxBytes of a line, a CR at its end included
   */
  public BoundedLines(InputStream in, int maxBytes) {
    this.in = in;
    this.line = new byte[maxBytes];
  }

  /** Goes to the next line; false at the end of the input. */
  public boolean next() throws IOException {
    if (tooLong) {
      skipRest();
    }
    number++;
    length = 0;
    if (from == to && !fill()) {
      number--;
      return false;
    }
    do {
      final int end = lineFeed();
      final int taken = Math.min(end - from, line.length - length);
      System.arraycopy(buffer, from, line, length, taken);
      length += taken;
      from += taken;
      if (from < end) {
        tooLong = true;
        return true;
      }
      if (from < to) {
        from++;
        break;
      }
    } while (fill());
    if (length > 0 && line[length - 1] == '\r') {
      length--;
    }
    return true;
  }

  /** The number of the line, from 1; while {@link #next} fails, of the one it was reading. */
  public long number() {
    return number;
  }

  /** Whether the line is longer than allowed; its first bytes are all there is of it then. */
  public boolean tooLong() {
    return tooLong;
  }

  /** Holds the line in its first {@link #length} bytes, until the next one is read. */
  public byte[] bytes() {
    return line;
  }

  /** Bytes of the line, without its end. */
  public int length() {
    return length;
  }

  private void skipRest() throws IOException {
    do {
      from = lineFeed();
    } while (from == to && fill());
    if (from < to) {
      from++;
    }
    tooLong = false;
  }

  /** Where the buffer's next line feed is, or its end. */
  private int lineFeed() {
    int at = from;
    while (at < to && buffer[at] != '\n') {
      at++;
    }
    return at;
  }

  private boolean fill() throws IOException {
    final int read = in.read(buffer);
    from = 0;
    to = Math.max(read, 0);
    return read > 0;
  }
}
