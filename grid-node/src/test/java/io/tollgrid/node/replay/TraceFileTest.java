package io.tollgrid.node.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Witnesses R42's half for input files: bad input is named, with file and line, and nothing is
 * half-loaded.
 */
class TraceFileTest {
  private static final String HEADER = "TIMESTAMP,ContextTokens,GeneratedTokens";
  private static final String ROW = "2023-11-16 18:17:03.9799600,4808,10";

  @TempDir private Path directory;

  @Test
  void linesEndWithEitherEndingAndTheLastWithNone() throws Exception {
    final TraceFile unix = trace(HEADER + "\n" + ROW + "\n" + ROW);
    final TraceFile windows = trace(HEADER + "\r\n" + ROW + "\r\n" + ROW + "\r\n");

    assertThat(rows(unix)).isEqualTo(rows(windows)).hasSize(2);
    assertThat(rows(unix).get(1)).isEqualTo(new TraceRow(1, 1_700_158_623_979_960_000L, 4_808, 10));
  }

  @Test
  void aRowIsQuotedWithoutItsOutputAndSettledWithIt() {
    final TraceRow row = new TraceRow(0, 0, 100, 80);

    assertThat(row.quoteUnits()).isEqualTo(164);
    assertThat(row.actualUnits()).isEqualTo(180);
    assertThat(row.missingUnits()).isEqualTo(16);
    assertThat(new TraceRow(0, 0, 100, 10).missingUnits()).isZero();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "2023-11-16 18:17:03.9,4808 | 3 fields, not 2",
        "2023-11-16 18:17:03.9,4808,10,1 | 3 fields, not 4",
        "2023-11-16 18:17:03.9,-1,10 | ContextTokens is negative",
        "2023-11-16 18:17:03.9,1,-10 | GeneratedTokens is negative",
        "2023-11-16 18:17:03.9,1.5,10 | ContextTokens is not a whole number",
        "2023-11-16 18:17:03.9,,10 | ContextTokens is not a whole number",
        "2023-11-16 18:17:03.9,+1,10 | ContextTokens is not a whole number",
        "2023-11-16 18:17:03.9,9223372036854775808,10 | ContextTokens does not fit 63 bits",
        "2023-11-16 18:17:03.9,9223372036854775807,0 | do not fit 63 bits together",
        "2023-11-16 18:17:03.9,9223372036854775700,9223372036854775700 | do not fit 63 bits together",
        "2023-13-16 18:17:03.9,1,10 | TIMESTAMP is not a time",
        "2023-02-30 18:17:03.9,1,10 | TIMESTAMP is not a time",
        "yesterday,1,10 | TIMESTAMP is not a time",
        "'' | 3 fields, not 1",
      })
  void aMalformedLineIsNamedWithItsNumber(String line, String message) throws Exception {
    final TraceFile trace = trace(HEADER + "\n" + ROW + "\n" + line + "\n" + ROW + "\n");

    assertThatThrownBy(trace::check)
        .isInstanceOf(TraceException.class)
        .hasMessageContaining("trace.csv:3: ")
        .hasMessageContaining(message);
  }

  @Test
  void aFileWithoutRowsIsRefused() throws Exception {
    assertThatThrownBy(trace(HEADER + "\n")::check)
        .isInstanceOf(TraceException.class)
        .hasMessageContaining("no rows");
    assertThatThrownBy(trace("")::check)
        .isInstanceOf(TraceException.class)
        .hasMessageContaining("empty");
  }

  @Test
  void anotherHeaderIsRefused() throws Exception {
    assertThatThrownBy(trace("a,b,c\n" + ROW)::check)
        .isInstanceOf(TraceException.class)
        .hasMessageContaining(":1: ")
        .hasMessageContaining(HEADER);
  }

  @Test
  void aMissingFileAndADirectoryAreRefused() {
    assertThatThrownBy(new TraceFile(directory.resolve("none.csv"))::check)
        .isInstanceOf(TraceException.class)
        .hasMessageContaining("none.csv: there is no such file");
    assertThatThrownBy(new TraceFile(directory)::check).isInstanceOf(TraceException.class);
  }

  @Test
  void aLineWithoutEndIsRefusedBeforeItFillsMemoryAndBytesMustBeText() throws Exception {
    assertThatThrownBy(trace(HEADER + "\n" + "1".repeat(100_000))::check)
        .isInstanceOf(TraceException.class)
        .hasMessageContaining("at most 256 bytes");
    final Path binary = directory.resolve("binary.csv");
    Files.write(
        binary,
        (HEADER + "\n2023-11-16 18:17:03,1,\u00e9\n").getBytes(StandardCharsets.ISO_8859_1));
    assertThatThrownBy(new TraceFile(binary)::check)
        .isInstanceOf(TraceException.class)
        .hasMessageContaining("ASCII");
  }

  private TraceFile trace(String text) throws IOException {
    final Path file = directory.resolve("trace.csv");
    Files.writeString(file, text);
    final Path own = directory.resolve("d" + Integer.toHexString(text.hashCode()));
    Files.createDirectories(own);
    return new TraceFile(
        Files.move(
            file, own.resolve("trace.csv"), java.nio.file.StandardCopyOption.REPLACE_EXISTING));
  }

  private static List<TraceRow> rows(TraceFile trace) throws TraceException {
    final List<TraceRow> rows = new ArrayList<>();
    try (TraceFile.Reader reader = trace.open()) {
      for (TraceRow row = reader.next(); row != null; row = reader.next()) {
        rows.add(row);
      }
    }
    return rows;
  }
}
