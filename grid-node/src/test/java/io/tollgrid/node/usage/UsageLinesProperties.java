package io.tollgrid.node.usage;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tollgrid.ledger.Bits256;
import io.tollgrid.ledger.Funding;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.LegRole;
import io.tollgrid.ledger.UsageDelivery;
import io.tollgrid.ledger.UsageEvent;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;

/**
 * Witnesses R20's bulk sources under fuzz: whatever a line holds, it is refused by name or taken
 * for exactly what another strict parser reads in it.
 */
class UsageLinesProperties {
  private static final JsonMapper ORACLE =
      JsonMapper.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY)
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .build();

  private static final Set<String> FIELDS =
      Set.of(
          "account",
          "request",
          "source",
          "id",
          "time",
          "part",
          "units",
          "requests",
          "meters",
          "key",
          "policyRevision",
          "role",
          "funding");

  private static final List<String> SEEDS =
      List.of(
          "{\"account\":\"0123456789abcdef0123456789abcdef\","
              + "\"request\":\"019b76daa8007c1188d36d5542f708d1\",\"units\":120,\"part\":1}",
          "{\"account\":\"0123456789abcdef0123456789abcdef\",\"source\":\"a/ü\",\"id\":\"7\","
              + "\"time\":\"2026-03-01T12:00:00.25Z\",\"units\":10,\"meters\":{\"in\":4,\"out\":6},"
              + "\"requests\":2,\"role\":\"cap\",\"funding\":\"unfunded\"}",
          "{\"account\":\"0123456789abcdef0123456789abcdef\","
              + "\"request\":\"019b76daa8007c1188d36d5542f708d1\",\"units\":9223372036854775807,"
              + "\"key\":\"ffffffffffffffffffffffffffffffff\",\"policyRevision\":\""
              + "0123456789abcdef".repeat(4)
              + "\",\"funding\":{\"lease\":\"eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee\",\"fence\":12}}");

  /** What mutations put in; between them they reach every rule. */
  private static final List<String> PIECES =
      List.of(
          "0",
          "1",
          "9",
          "-",
          ".",
          "e1",
          "\"",
          "\\",
          "\\u0000",
          "\\ud800",
          "{",
          "}",
          "[",
          "]",
          ",",
          ":",
          " ",
          "\r",
          "\t",
          "\u0000",
          "\u00fc",
          "\uFEFF",
          "null",
          "\"units\":1,",
          "\"time\":",
          "9223372036854775808",
          "\"part\":0,",
          "A",
          "f",
          "overage",
          "//");

  @Property(tries = 3_000)
  void aMutatedLineIsRefusedByNameOrTakenAsItIsWritten(@ForAll long seed) throws IOException {
    final Random random = new Random(seed);
    byte[] line = SEEDS.get(random.nextInt(SEEDS.size())).getBytes(StandardCharsets.UTF_8);
    for (int left = random.nextInt(4); left > 0; left--) {
      line = mutated(line, random);
    }
    check(line);
  }

  @Property(tries = 1_000)
  void anyBytesAreRefusedByNameOrTakenAsTheyAreWritten(@ForAll @Size(max = 300) byte[] line)
      throws IOException {
    check(line);
  }

  @Property(tries = 300)
  void whatIsWrittenIsRead(@ForAll long seed) throws Exception {
    final Random random = new Random(seed);
    final UsageDelivery delivery =
        UsageLinesTest.one(
            SEEDS.get(random.nextInt(SEEDS.size())).getBytes(StandardCharsets.UTF_8));

    assertThat(UsageLinesTest.one(written(delivery))).isEqualTo(delivery);
  }

  private static byte[] mutated(byte[] line, Random random) {
    final int at = random.nextInt(line.length + 1);
    final int cut = Math.min(line.length, at + random.nextInt(random.nextInt(8) == 0 ? 60 : 3));
    final byte[] piece =
        switch (random.nextInt(4)) {
          case 0 -> new byte[] {(byte) random.nextInt()};
          case 1 -> {
            final int from = random.nextInt(line.length + 1);
            yield Arrays.copyOfRange(line, from, Math.min(line.length, from + random.nextInt(60)));
          }
          case 2 -> new byte[0];
          default -> PIECES.get(random.nextInt(PIECES.size())).getBytes(StandardCharsets.UTF_8);
        };
    final byte[] made = Arrays.copyOf(line, at + piece.length + line.length - cut);
    System.arraycopy(piece, 0, made, at, piece.length);
    System.arraycopy(line, cut, made, at + piece.length, line.length - cut);
    return made;
  }

  /** Every line of these bytes; a mutation may have made several. */
  private static void check(byte[] bytes) throws IOException {
    final UsageLines lines = new UsageLines(new ByteArrayInputStream(bytes));
    int from = 0;
    while (lines.next()) {
      int end = from;
      while (end < bytes.length && bytes[end] != '\n') {
        end++;
      }
      try {
        agree(lines.event(), ORACLE.readTree(Arrays.copyOfRange(bytes, from, end)));
      } catch (BadLineException e) {
        assertThat(e.getMessage()).matches("\\p{Print}+");
      }
      from = end + 1;
    }
  }

  /** Compares with what the oracle reads, field by field and with defaults written out. */
  private static void agree(UsageDelivery delivery, JsonNode line) throws IOException {
    assertThat(line.isObject()).isTrue();
    final Set<String> unknown = new TreeSet<>();
    line.properties().forEach(field -> unknown.add(field.getKey()));
    unknown.removeAll(FIELDS);
    assertThat(unknown).isEmpty();
    final ObjectNode said = line.deepCopy();
    final UsageEvent event = delivery.event();
    final Instant at =
        Instant.ofEpochSecond(
            event.occurredAtNanos() / 1_000_000_000L, event.occurredAtNanos() % 1_000_000_000L);
    if (said.has("time")) {
      assertThat(OffsetDateTime.parse(said.get("time").textValue()).toInstant()).isEqualTo(at);
    }
    if (said.has("request")) {
      assertThat(said.has("source") || said.has("id")).isFalse();
    } else {
      said.put(
          "request",
          ForeignRequestId.of(
                  said.get("source").textValue(), said.get("id").textValue(), at.toEpochMilli())
              .toHex());
      said.remove(List.of("source", "id"));
    }
    said.put("time", at.toString());
    final JsonNode expected = ORACLE.readTree(written(delivery));
    expected
        .properties()
        .forEach(
            field -> {
              if (!said.has(field.getKey())) {
                said.set(field.getKey(), DEFAULTS.get(field.getKey()));
              }
            });
    assertThat(ORACLE.readTree(said.toString())).isEqualTo(expected);
  }

  private static final JsonNode DEFAULTS = defaults();

  private static JsonNode defaults() {
    try {
      return ORACLE.readTree(
          "{\"part\":0,\"requests\":1,\"role\":\"billing\",\"funding\":\"overage\"}");
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** An event as a line, with every field that has a value. */
  private static byte[] written(UsageDelivery delivery) {
    final UsageEvent event = delivery.event();
    final ObjectNode line = ORACLE.createObjectNode();
    line.put("account", delivery.account().toHex());
    line.put("request", event.requestId().toHex());
    line.put("part", event.part());
    line.put("units", event.units());
    line.put("requests", event.requests());
    if (!event.meters().isEmpty()) {
      final ObjectNode meters = line.putObject("meters");
      event.meters().forEach(share -> meters.put(share.meter(), share.units()));
    }
    if (!event.keyId().equals(Id128.ZERO)) {
      line.put("key", event.keyId().toHex());
    }
    if (!event.policyRevision().equals(Bits256.ZERO)) {
      line.put("policyRevision", event.policyRevision().toHex());
    }
    line.put("role", event.role() == LegRole.BILLING ? "billing" : "cap");
    line.put(
        "time",
        Instant.ofEpochSecond(
                event.occurredAtNanos() / 1_000_000_000L, event.occurredAtNanos() % 1_000_000_000L)
            .toString());
    if (event.funding() instanceof Funding.Leased leased) {
      line.putObject("funding").put("lease", leased.leaseId().toHex()).put("fence", leased.fence());
    } else {
      line.put("funding", event.funding() instanceof Funding.Overage ? "overage" : "unfunded");
    }
    return line.toString().getBytes(StandardCharsets.UTF_8);
  }
}
