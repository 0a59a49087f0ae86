package io.tollgrid.node.usage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tollgrid.ledger.Bits256;
import io.tollgrid.ledger.Funding;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.LegRole;
import io.tollgrid.ledger.MeterUnits;
import io.tollgrid.ledger.UsageDelivery;
import io.tollgrid.ledger.UsageEvent;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Witnesses R43 and R20's bulk sources: a line is taken exactly as it is written, or refused under
 * one stable name, alone.
 */
class UsageLinesTest {
  static final String ACCOUNT = "0123456789abcdef0123456789abcdef";
  static final String REQUEST = "019b76daa8007c1188d36d5542f708d1";
  private static final String IDS =
      "\"account\":\"" + ACCOUNT + "\",\"request\":\"" + REQUEST + "\",";

  @Test
  void theShortestLineHasTheDefaults() throws Exception {
    assertThat(one("{" + IDS + "\"units\":7}"))
        .isEqualTo(
            new UsageDelivery(
                Id128.parse(ACCOUNT),
                new UsageEvent(
                    Id128.parse(REQUEST),
                    0,
                    LegRole.BILLING,
                    new Funding.Overage(),
                    7,
                    1,
                    List.of(),
                    Id128.ZERO,
                    Bits256.ZERO,
                    1_767_225_600_000_000_000L,
                    Id128.ZERO,
                    1)));
  }

  @Test
  void everyFieldIsRead() throws Exception {
    final String line =
        " { \"units\" : 9223372036854775807, \"source\": \"https://meter.example/eu\", \"id\":\"\\u03c0/2\","
            + "\"time\":\"2026-03-01T13:00:00.250000001+01:00\",\"part\":2147483647,\"requests\":3,"
            + "\"meters\":{\"out\":9223372036854775806,\"in\":1},\"key\":\""
            + "f".repeat(32)
            + "\",\"policyRevision\":\""
            + "0f".repeat(32)
            + "\",\"role\":\"cap\",\"funding\":{\"fence\":12,\"lease\":\""
            + "e".repeat(32)
            + "\"},\"account\":\""
            + ACCOUNT
            + "\"}\t";

    assertThat(one(line).event())
        .isEqualTo(
            new UsageEvent(
                Id128.parse("019ca9450afa7f28b39d924bf9b4ae33"),
                Integer.MAX_VALUE,
                LegRole.CAP,
                new Funding.Leased(Id128.parse("e".repeat(32)), 12),
                Long.MAX_VALUE,
                3,
                List.of(new MeterUnits("in", 1), new MeterUnits("out", Long.MAX_VALUE - 1)),
                Id128.parse("f".repeat(32)),
                new Bits256(
                    0x0f0f0f0f0f0f0f0fL,
                    0x0f0f0f0f0f0f0f0fL,
                    0x0f0f0f0f0f0f0f0fL,
                    0x0f0f0f0f0f0f0f0fL),
                1_772_366_400_250_000_001L,
                Id128.ZERO,
                1));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{} | missing-field",
        "[] | not-json",
        "7 | not-json",
        "null | not-json",
        "nonsense | not-json",
        "{$ \"units\":7 | not-json",
        "{$ \"units\":7}} | not-json",
        "{$ \"units\":7} {} | not-json",
        "{$ \"units\":7,} | not-json",
        "{$ 'units':7} | not-json",
        "{$ units:7} | not-json",
        "{$ \"units\":07} | not-json",
        "{$ \"units\":+7} | not-json",
        "{$ \"units\":NaN} | not-json",
        "{$ \"units\":0x7} | not-json",
        "{$ \"units\":7} // x | not-json",
        "{$ \"units\":7, \"meters\":{\"a\":[[]]}} | not-json",
        "{$ \"units\":7, \"unit\":7} | unknown-field",
        "{$ \"units\":7, \"Units\":7} | unknown-field",
        "{$ \"units\":7, \"writer\":7} | unknown-field",
        "{$ \"units\":7, \"units\":7} | duplicate-field",
        "{$ \"units\":7, \"un\\u0069ts\":7} | duplicate-field",
        "{$ \"units\":7, \"meters\":{\"a\":3,\"a\":4}} | duplicate-field",
        "{$ \"part\":1} | missing-field",
        "{\"request\":\"019b76daa8007c1188d36d5542f708d1\",\"units\":7} | missing-field",
        "{\"account\":\"0123456789abcdef0123456789abcdef\",\"units\":7} | missing-field",
        "{\"account\":\"0123456789abcdef0123456789abcdef\",\"units\":7,\"source\":\"a\",\"id\":\"b\"} | missing-field",
        "{\"account\":\"0123456789abcdef0123456789abcdef\",\"units\":7,\"id\":\"b\"} | missing-field",
        "{$ \"units\":7, \"source\":\"a\"} | conflicting-fields",
        "{$ \"units\":7, \"id\":\"a\"} | conflicting-fields",
        "{$ \"units\":null} | wrong-type",
        "{$ \"units\":\"7\"} | wrong-type",
        "{$ \"units\":7.0} | wrong-type",
        "{$ \"units\":7e0} | wrong-type",
        "{$ \"units\":[7]} | wrong-type",
        "{$ \"units\":true} | wrong-type",
        "{$ \"units\":7, \"meters\":[]} | wrong-type",
        "{$ \"units\":7, \"funding\":7} | wrong-type",
        "{$ \"units\":7, \"role\":null} | wrong-type",
        "{$ \"units\":-1} | out-of-range",
        "{$ \"units\":-0} | out-of-range",
        "{$ \"units\":9223372036854775808} | out-of-range",
        "{$ \"units\":9999999999999999999} | out-of-range",
        "{$ \"units\":18446744073709551617} | out-of-range",
        "{$ \"units\":7, \"part\":2147483648} | out-of-range",
        "{$ \"units\":7, \"requests\":0} | out-of-range",
        "{$ \"units\":7, \"funding\":{\"lease\":\"019b76daa8007c1188d36d5542f708d1\",\"fence\":0}} | out-of-range",
        "{$ \"units\":0, \"meters\":{\"\":0}} | out-of-range",
        "{$ \"units\":7, \"role\":\"BILLING\"} | unknown-value",
        "{$ \"units\":7, \"funding\":\"lease\"} | unknown-value",
        "{$ \"units\":7, \"funding\":{\"lease\":\"019b76daa8007c1188d36d5542f708d1\"}} | missing-field",
        "{$ \"units\":7, \"funding\":{\"fence\":3,\"x\":1}} | unknown-field",
        "{$ \"units\":7, \"key\":\"0123456789ABCDEF0123456789abcdef\"} | invalid-id",
        "{$ \"units\":7, \"key\":\"0123456789abcdef0123456789abcde\"} | invalid-id",
        "{$ \"units\":7, \"key\":\"00000000000000000000000000000000\"} | invalid-id",
        "{$ \"units\":7, \"policyRevision\":\"00\"} | invalid-id",
        "{\"account\":\"0123456789abcdef0123456789abcdef\",\"request\":\"0123456789abcdef0123456789abcdef\",\"units\":7} | invalid-id",
        "{\"account\":\"0123456789abcdef0123456789abcdef\",\"request\":\"ffffffffffff70008000000000000000\",\"units\":7} | invalid-time",
        "{$ \"units\":7, \"time\":\"2026-02-30T00:00:00Z\"} | invalid-time",
        "{$ \"units\":7, \"time\":\"2026-02-03T00:00Z\"} | invalid-time",
        "{$ \"units\":7, \"time\":\"2026-02-03 00:00:00Z\"} | invalid-time",
        "{$ \"units\":7, \"time\":\"2026-02-03T00:00:00\"} | invalid-time",
        "{$ \"units\":7, \"time\":\"2026-02-03T24:00:00Z\"} | invalid-time",
        "{$ \"units\":7, \"time\":\"2026-02-03T00:00:00.1234567890Z\"} | invalid-time",
        "{$ \"units\":7, \"time\":\"1969-12-31T23:59:59Z\"} | invalid-time",
        "{$ \"units\":7, \"time\":\"2263-01-01T00:00:00Z\"} | invalid-time",
        "{$ \"units\":7, \"time\":\"+12026-01-01T00:00:00Z\"} | invalid-time",
        "{$ \"units\":7, \"time\":1767225600000000000} | wrong-type",
        "{\"account\":\"0123456789abcdef0123456789abcdef\",\"units\":7,\"source\":\"a\\u0000\",\"id\":\"b\",\"time\":\"2026-01-01T00:00:00Z\"} | invalid-text",
        "{\"account\":\"0123456789abcdef0123456789abcdef\",\"units\":7,\"source\":\"a\",\"id\":\"\\ud800\",\"time\":\"2026-01-01T00:00:00Z\"} | invalid-text",
        "{\"account\":\"0123456789abcdef0123456789abcdef\",\"units\":7,\"source\":\"\",\"id\":\"b\",\"time\":\"2026-01-01T00:00:00Z\"} | out-of-range",
        "{$ \"units\":7, \"meters\":{\"a\\n\":7}} | invalid-text",
        "{$ \"units\":7, \"meters\":{\"a\":6}} | meters-do-not-sum",
        "{$ \"units\":7, \"meters\":{\"a\":9223372036854775807,\"b\":8}} | meters-do-not-sum",
        "{$ \"units\":7, \"meters\":{}} | meters-do-not-sum",
      })
  void aLineThatIsNoEventHasOneName(String line, String code) {
    assertBad(line.replace("{$", "{" + IDS), code);
  }

  @Test
  void bytesThatAreNoTextAreNamedToo() {
    final String good = "{" + IDS + "\"units\":7}";
    assertBad("", "empty-line");
    assertBad("\u0000", "not-json");
    assertBad(good + "\u0000", "not-json");
    assertBad(good.replace("7}", "7\u0000}"), "not-json");
    assertBad("\uFEFF" + good, "not-json");
    assertBad(good + " ".repeat(UsageLines.MAX_LINE_BYTES - good.length() + 1), "line-too-long");
    assertBad("{" + IDS + "\"units\":" + "9".repeat(60_000) + "}", "out-of-range");
    assertBad("[".repeat(UsageLines.MAX_LINE_BYTES), "not-json");
    assertBad("{" + IDS + "\"units\":[" + "[".repeat(10_000), "wrong-type");
    final StringBuilder meters = new StringBuilder();
    for (int i = 0; i <= UsageEvent.MAX_METERS; i++) {
      meters.append(i == 0 ? "" : ",").append("\"m").append(i).append("\":0");
    }
    assertBad("{" + IDS + "\"units\":0,\"meters\":{" + meters + "}}", "out-of-range");
    for (final int[] bytes : new int[][] {{0xff}, {0xc0, 0x80}, {0xed, 0xa0, 0x80}, {0xe2, 0x82}}) {
      final byte[] line = new byte[bytes.length + 1];
      line[0] = '"';
      for (int i = 0; i < bytes.length; i++) {
        line[i + 1] = (byte) bytes[i];
      }
      assertBad(line, "not-utf-8");
    }
    // UTF-16 is text elsewhere; here it is bytes that are no JSON.
    assertBad(good.getBytes(StandardCharsets.UTF_16LE), "not-json");
    assertBad(good.getBytes(StandardCharsets.UTF_16BE), "not-json");
  }

  @Test
  void theReasonHoldsNothingOfTheLine() {
    final String secret = "s3cr3t";
    for (final String line :
        List.of(
            secret,
            "{\"" + secret + "\":1}",
            "{\"account\":\"" + secret + "\"}",
            "{\"time\":\"" + secret + "\"}",
            "{\"role\":\"" + secret + "\"}",
            "{\"meters\":{\"" + secret + "\":-1}}",
            "{\"units\":" + secret + "}")) {
      assertThatThrownBy(() -> one(line))
          .isInstanceOf(BadLineException.class)
          .message()
          .doesNotContain(secret)
          .doesNotContain("\n");
    }
  }

  @Test
  void theExampleOfTheDocumentationIsWhatItSays() throws Exception {
    final List<UsageDelivery> events = new ArrayList<>();
    for (final String line : DocumentedExample.lines()) {
      events.add(one(line));
    }

    assertThat(events).hasSize(3);
    assertThat(events.get(1).event().requestId().toHex())
        .isEqualTo("019ca6b1dcfa7c15b1f4702946a1d33b");
  }

  @Test
  void badLinesLeaveTheOthersAsTheyAre() throws Exception {
    final String good = "{" + IDS + "\"units\":7}";
    final List<String> read =
        all(good + "\r\n\n" + "x".repeat(200_000) + "\n" + good + "\nnonsense\n" + good);

    assertThat(read)
        .containsExactly("1:7", "2:empty-line", "3:line-too-long", "4:7", "5:not-json", "6:7");
  }

  private static List<String> all(String text) throws IOException {
    final UsageLines lines = lines(text.getBytes(StandardCharsets.UTF_8));
    final List<String> read = new ArrayList<>();
    while (lines.next()) {
      try {
        read.add(lines.number() + ":" + lines.event().event().units());
      } catch (BadLineException e) {
        read.add(lines.number() + ":" + e.kind().code());
      }
    }
    return read;
  }

  private static void assertBad(String line, String code) {
    assertBad(line.getBytes(StandardCharsets.UTF_8), code);
  }

  private static void assertBad(byte[] line, String code) {
    final byte[] ended = Arrays.copyOf(line, line.length + 1);
    ended[line.length] = '\n';
    assertThatThrownBy(() -> one(ended))
        .isInstanceOfSatisfying(
            BadLineException.class, e -> assertThat(e.kind().code()).isEqualTo(code));
  }

  private static UsageDelivery one(String line) throws IOException, BadLineException {
    return one(line.getBytes(StandardCharsets.UTF_8));
  }

  static UsageDelivery one(byte[] line) throws IOException, BadLineException {
    final UsageLines lines = lines(line);
    assertThat(lines.next()).isTrue();
    return lines.event();
  }

  private static UsageLines lines(byte[] bytes) {
    final InputStream in = new ByteArrayInputStream(bytes);
    return new UsageLines(in);
  }
}
