package io.tollgrid.node.replay;

import io.tollgrid.node.input.BoundedLines;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.ResolverStyle;
import java.time.temporal.ChronoField;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A recorded trace: lines of {@code TIMESTAMP,ContextTokens,GeneratedTokens} under exactly that
 * header.
 *
 * <p>Lines end with LF or CRLF; the last may have no end. Memory is bounded by one line of {@value
 * #MAX_LINE_BYTES} bytes. Anything else is refused with its line number, so a file that was checked
 * once is replayed whole or not at all.
 */
public final class TraceFile {
  private static final String HEADER = "TIMESTAMP,ContextTokens,GeneratedTokens";
  private static final int MAX_LINE_BYTES = 256;
  private static final long NANOS_PER_SECOND = 1_000_000_000L;
  private static final DateTimeFormatter TIMESTAMP =
      new DateTimeFormatterBuilder()
          .appendPattern("uuuu-MM-dd HH:mm:ss")
          .appendFraction(ChronoField.NANO_OF_SECOND, 0, 9, true)
          .toFormatter(Locale.ROOT)
          .withResolverStyle(ResolverStyle.STRICT);

  private final Path file;

  /** The trace in this file; nothing is read yet. */
  public TraceFile(Path file) {
    this.file = file;
  }

  /**
   * Reads the whole trace and keeps nothing of it.
   *
   * @return how many rows it has, 1 or more
   */
  public long check() throws TraceException {
    try (Reader rows = open()) {
      long count = 0;
      while (rows.next() != null) {
        count++;
      }
      if (count == 0) {
        throw new TraceException(file, "the trace has a header and no rows");
      }
      return count;
    }
  }

  /** Starts reading the rows, from the first. */
  public Reader open() throws TraceException {
    try {
      return new Reader(Files.newInputStream(file));
    } catch (NoSuchFileException e) {
      throw new TraceException(file, "there is no such file");
    } catch (IOException e) {
      throw new TraceException(file, "it cannot be read: " + e.getMessage());
    }
  }

  /** The rows in order. Not safe for use from several threads. */
  public final class Reader implements AutoCloseable {
    private final InputStream in;
    private final BoundedLines lines;
    private long rows;

    private Reader(InputStream in) throws TraceException {
      this.in = in;
      this.lines = new BoundedLines(in, MAX_LINE_BYTES);
      final String header = readLine();
      if (header == null) {
        throw new TraceException(file, "the file is empty; its first line must be " + HEADER);
      }
      if (!header.equals(HEADER)) {
        throw new TraceException(
            file, 1, "the first line must be " + HEADER + ", not \"" + shown(header) + "\"");
      }
    }

    /** The next row, or null after the last. */
    public @Nullable TraceRow next() throws TraceException {
      final String text = readLine();
      if (text == null) {
        return null;
      }
      final String[] fields = text.split(",", -1);
      if (fields.length != 3) {
        throw wrong("a row has 3 fields, not " + fields.length + ": \"" + shown(text) + "\"");
      }
      final long context = tokens("ContextTokens", fields[1]);
      final long generated = tokens("GeneratedTokens", fields[2]);
      if (context > Long.MAX_VALUE - TraceRow.OUTPUT_ALLOWANCE_UNITS
          || context > Long.MAX_VALUE - generated) {
        throw wrong("the tokens of the row do not fit 63 bits together");
      }
      return new TraceRow(rows++, arrivedNanos(fields[0]), context, generated);
    }

    @Override
    public void close() throws TraceException {
      try {
        in.close();
      } catch (IOException e) {
        throw new TraceException(file, "it cannot be closed: " + e.getMessage());
      }
    }

    private long tokens(String field, String text) throws TraceException {
      if (text.startsWith("-")) {
        throw wrong(field + " is negative: " + shown(text));
      }
      if (text.isEmpty() || !text.chars().allMatch(c -> c >= '0' && c <= '9')) {
        throw wrong(field + " is not a whole number: \"" + shown(text) + "\"");
      }
      try {
        return Long.parseLong(text);
      } catch (NumberFormatException e) {
        throw wrong(field + " does not fit 63 bits: " + shown(text));
      }
    }

    private long arrivedNanos(String text) throws TraceException {
      try {
        final Instant at = LocalDateTime.parse(text, TIMESTAMP).toInstant(ZoneOffset.UTC);
        return Math.addExact(
            Math.multiplyExact(at.getEpochSecond(), NANOS_PER_SECOND), at.getNano());
      } catch (DateTimeException | ArithmeticException e) {
        throw wrong(
            "TIMESTAMP is not a time like 2023-11-16 18:17:03.9799600: \"" + shown(text) + "\"");
      }
    }

    /** The next line without its end, or null at the end of the file. */
    private @Nullable String readLine() throws TraceException {
      try {
        if (!lines.next()) {
          return null;
        }
      } catch (IOException e) {
        throw new TraceException(file, lines.number(), "it cannot be read: " + e.getMessage());
      }
      if (lines.tooLong()) {
        throw wrong("a line has at most " + MAX_LINE_BYTES + " bytes");
      }
      for (int i = 0; i < lines.length(); i++) {
        if (lines.bytes()[i] < ' ') {
          throw wrong("a line holds ASCII text only");
        }
      }
      return new String(lines.bytes(), 0, lines.length(), StandardCharsets.US_ASCII);
    }

    private TraceException wrong(String what) {
      return new TraceException(file, lines.number(), what);
    }

    private static String shown(String text) {
      final int most = 40;
      return text.length() <= most ? text : text.substring(0, most) + "…";
    }
  }
}
