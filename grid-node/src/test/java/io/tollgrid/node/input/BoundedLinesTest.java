package io.tollgrid.node.input;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Lines come as they were written, in whatever pieces the input arrives. */
class BoundedLinesTest {
  private static final String TEXT = "one\ntwo\r\n\nfour!\n12345678\n123456789\n\r\nlast\r";

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 7, 1_000})
  void everyLineIsThereAndTooLongOnesAreSkipped(int pieces) throws IOException {
    final List<String> read = new ArrayList<>();
    final BoundedLines lines = new BoundedLines(inPieces(TEXT, pieces), 8);
    while (lines.next()) {
      read.add(
          lines.number()
              + (lines.tooLong()
                  ? " is too long"
                  : ":" + new String(lines.bytes(), 0, lines.length(), StandardCharsets.US_ASCII)));
    }

    assertThat(read)
        .containsExactly(
            "1:one", "2:two", "3:", "4:four!", "5:12345678", "6 is too long", "7:", "8:last");
    assertThat(lines.next()).isFalse();
    assertThat(lines.number()).isEqualTo(8);
  }

  @Test
  void aLineWithoutEndIsToldBeforeItsEndIsLookedFor() throws IOException {
    final ByteArrayInputStream endless = new ByteArrayInputStream(new byte[100_000]);
    final BoundedLines lines = new BoundedLines(endless, 8);

    assertThat(lines.next()).isTrue();
    assertThat(lines.tooLong()).isTrue();
    assertThat(endless.available()).isPositive();
    assertThat(lines.next()).isFalse();
  }

  private static InputStream inPieces(String text, int bytes) {
    return new ByteArrayInputStream(text.getBytes(StandardCharsets.US_ASCII)) {
      @Override
      public synchronized int read(byte[] into, int offset, int length) {
        return super.read(into, offset, Math.min(length, bytes));
      }
    };
  }
}
