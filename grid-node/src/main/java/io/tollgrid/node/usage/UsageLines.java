package io.tollgrid.node.usage;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import io.tollgrid.ledger.UsageDelivery;
import io.tollgrid.node.input.BoundedLines;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/**
 * Usage events, one JSON object per line (docs/usage-import.md).
 *
 * <p>A line is taken as it is written or not at all: nothing is guessed, rounded, cut or ignored.
 * One that is no event says so and leaves the others as they are. Memory is bounded by one line of
 * {@value #MAX_LINE_BYTES} bytes. Not thread-safe.
 */
public final class UsageLines {
  /** The longest line, without a line feed at its end. */
  public static final int MAX_LINE_BYTES = 65_536;

  /** The event itself, and its breakdown or its lease. */
  private static final int MAX_DEPTH = 2;

  private static final char BYTE_ORDER_MARK = '\uFEFF';

  /** Names are not remembered from line to line: whoever writes the lines chooses them. */
  private static final JsonFactory JSON =
      JsonFactory.builder()
          .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
          .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(MAX_DEPTH)
                  .maxNameLength(MAX_LINE_BYTES)
                  .maxStringLength(MAX_LINE_BYTES)
                  .maxNumberLength(MAX_LINE_BYTES)
                  .build())
          .build();

  private final BoundedLines lines;
  private final CharsetDecoder decoder =
      StandardCharsets.UTF_8
          .newDecoder()
          .onMalformedInput(CodingErrorAction.REPORT)
          .onUnmappableCharacter(CodingErrorAction.REPORT);
  private final CharBuffer text = CharBuffer.allocate(MAX_LINE_BYTES);

  /** The lines of {@code in}; it is not closed here. */
  public UsageLines(InputStream in) {
    this.lines = new BoundedLines(in, MAX_LINE_BYTES);
  }

  /**
   * Goes to the next line.
   *
   * @return false at the end of the input
   * @throws IOException if the input cannot be read further
   */
  public boolean next() throws IOException {
    return lines.next();
  }

  /** The number of the line, from 1; while {@link #next} fails, of the one it was reading. */
  public long number() {
    return lines.number();
  }

  /**
   * The event in the line, with no writer and the sequence 1: whoever delivers it gives its own.
   *
   * @throws BadLineException if there is none
   */
  public UsageDelivery event() throws BadLineException {
    if (lines.tooLong()) {
      throw new BadLineException(
          BadLine.LINE_TOO_LONG, "a line has at most " + MAX_LINE_BYTES + " bytes");
    }
    if (lines.length() == 0) {
      throw new BadLineException(BadLine.EMPTY_LINE, "there is nothing in the line");
    }
    decode();
    try (JsonParser parser = JSON.createParser(text.array(), 0, text.length())) {
      return read(parser);
    } catch (IOException e) {
      throw new UncheckedIOException("text in memory cannot fail to be read", e);
    }
  }

  private static UsageDelivery read(JsonParser parser) throws IOException, BadLineException {
    try {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        throw new BadLineException(BadLine.NOT_JSON, "a line is one JSON object");
      }
      final UsageDelivery delivery = new UsageFields(parser).read();
      if (parser.nextToken() != null) {
        throw new BadLineException(BadLine.NOT_JSON, "there is more behind the JSON object");
      }
      return delivery;
    } catch (StreamConstraintsException e) {
      throw new BadLineException(BadLine.NOT_JSON, "it is nested deeper than any event");
    } catch (JsonParseException e) {
      throw new BadLineException(
          BadLine.NOT_JSON, "it is not JSON at character " + e.getLocation().getColumnNr());
    }
  }

  /** Decoded here, because the parser would guess the encoding, and pass over a byte order mark. */
  private void decode() throws BadLineException {
    text.clear();
    final boolean whole =
        !decoder
            .reset()
            .decode(ByteBuffer.wrap(lines.bytes(), 0, lines.length()), text, true)
            .isError();
    if (!whole || decoder.flush(text).isError()) {
      throw new BadLineException(
          BadLine.NOT_UTF_8, "it is not UTF-8 after character " + text.position());
    }
    text.flip();
    if (text.get(0) == BYTE_ORDER_MARK) {
      throw new BadLineException(BadLine.NOT_JSON, "a byte order mark is not part of JSON");
    }
  }
}
