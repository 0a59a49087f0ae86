package io.tollgrid.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.jspecify.annotations.Nullable;

/**
 * Witnesses what R16, R45 and the journal need of the canonical form: every value survives it,
 * equal values have equal bytes, unequal ones do not, and any bytes read as one value or are
 * refused as malformed or corrupt (R7).
 */
class CodecProperties {
  /** A kind of value with the way it is written and read. */
  record Form(String name, Function<Object, byte[]> encode, Function<byte[], Object> decode) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static final Form REQUEST =
      new Form(
          "request",
          value -> LedgerCodec.encodeRequest((LedgerRequest) value),
          LedgerCodec::decodeRequest);
  private static final Form REQUESTS =
      new Form(
          "requests",
          value -> LedgerCodec.encodeRequests(requests(value)),
          LedgerCodec::decodeRequests);
  private static final Form OUTCOME =
      new Form(
          "outcome",
          value -> LedgerCodec.encodeOutcome((Outcome) value),
          LedgerCodec::decodeOutcome);
  private static final Form LEDGER =
      new Form(
          "ledger",
          value -> LedgerCodec.encodeLedger((AccountLedger) value),
          LedgerCodec::decodeLedger);
  private static final Form ROWS =
      new Form("rows", value -> LedgerCodec.encodeRows(rows(value)), LedgerCodec::decodeRows);
  private static final Form KEYS =
      new Form("keys", value -> LedgerCodec.encodeKeys(keys(value)), LedgerCodec::decodeKeys);
  private static final Form DENIALS =
      new Form(
          "denials",
          value -> LedgerCodec.encodeDenials((DenialReport) value),
          LedgerCodec::decodeDenials);

  @SuppressWarnings("unchecked")
  private static Map<RowKey, Optional<StoredRow>> rows(Object value) {
    return (Map<RowKey, Optional<StoredRow>>) value;
  }

  @SuppressWarnings("unchecked")
  private static List<LedgerRequest> requests(Object value) {
    return (List<LedgerRequest>) value;
  }

  @SuppressWarnings("unchecked")
  private static List<RowKey> keys(Object value) {
    return (List<RowKey>) value;
  }

  /** A value and the form it has. */
  record Value(Form form, Object value) {
    byte[] bytes() {
      return form.encode().apply(value);
    }
  }

  @Provide
  Arbitrary<Value> values() {
    return Arbitraries.oneOf(
        AnyValue.request().map(value -> new Value(REQUEST, value)),
        AnyValue.request().list().ofMaxSize(3).map(value -> new Value(REQUESTS, value)),
        AnyValue.outcome().map(value -> new Value(OUTCOME, value)),
        AnyValue.ledger().map(value -> new Value(LEDGER, value)),
        AnyValue.rows().map(value -> new Value(ROWS, value)),
        AnyValue.key().list().ofMaxSize(5).map(value -> new Value(KEYS, value)),
        AnyValue.denials().map(value -> new Value(DENIALS, value)));
  }

  @Property(tries = 800, seed = "20260304", edgeCases = EdgeCasesMode.NONE)
  void everyValueSurvivesItsForm(@ForAll("values") Value value) {
    final Object read = value.form().decode().apply(value.bytes());

    assertThat(read).isEqualTo(value.value());
    assertThat(new Value(value.form(), read).bytes()).isEqualTo(value.bytes());
  }

  @Property(tries = 250, seed = "20260304", edgeCases = EdgeCasesMode.NONE)
  void differentValuesHaveDifferentBytes(
      @ForAll("values") Value one, @ForAll("values") Value other) {
    if (one.form().equals(other.form()) && !one.value().equals(other.value())) {
      assertThat(one.bytes()).isNotEqualTo(other.bytes());
    }
  }

  /** Damage: keep a part of the bytes, change some, append some. */
  record Damage(double keep, List<Integer> places, List<Integer> changes, List<Byte> append) {
    byte[] apply(byte[] bytes) {
      final int kept = (int) (bytes.length * keep);
      final byte[] damaged = Arrays.copyOf(bytes, kept + append.size());
      for (int i = 0; i < append.size(); i++) {
        damaged[kept + i] = append.get(i);
      }
      for (int i = 0; i < Math.min(places.size(), changes.size()) && damaged.length > 0; i++) {
        damaged[places.get(i) % damaged.length] ^= (byte) (int) changes.get(i);
      }
      return damaged;
    }
  }

  @Provide
  Arbitrary<Damage> damages() {
    return Combinators.combine(
            Arbitraries.of(1.0, 1.0, 1.0, 0.99, 0.7, 0.3, 0.0),
            Arbitraries.integers().between(0, 5_000).list().ofMaxSize(3),
            Arbitraries.oneOf(
                    Arbitraries.integers().between(0, 7).map(bit -> 1 << bit),
                    Arbitraries.integers().between(0, 255))
                .list()
                .ofMaxSize(3),
            Arbitraries.bytes().list().ofMaxSize(2))
        .as(Damage::new);
  }

  @Property(tries = 2_500, seed = "20260304", edgeCases = EdgeCasesMode.NONE)
  void damagedBytesAreRefusedOrAreTheOneFormOfSomethingElse(
      @ForAll("values") Value value, @ForAll("damages") Damage damage) {
    assertTotal(value.form(), damage.apply(value.bytes()));
  }

  @Property(tries = 1_500, seed = "20260304", edgeCases = EdgeCasesMode.NONE)
  void anyBytesAreRefusedOrAreTheOneFormOfSomething(
      @ForAll("forms") Form form, @ForAll("bytes") byte[] bytes) {
    assertTotal(form, bytes);
  }

  @Provide
  Arbitrary<Form> forms() {
    return Arbitraries.of(REQUEST, OUTCOME, LEDGER, ROWS, KEYS);
  }

  /** Bytes that at least look right at the start. */
  @Provide
  Arbitrary<byte[]> bytes() {
    final Arbitrary<byte[]> any = Arbitraries.bytes().array(byte[].class).ofMaxSize(120);
    final Arbitrary<byte[]> small =
        Arbitraries.bytes().between((byte) 0, (byte) 15).array(byte[].class).ofMaxSize(120);
    return Arbitraries.oneOf(any, small)
        .map(
            bytes -> {
              if (bytes.length > 0) {
                bytes[0] = LedgerCodec.VERSION;
              }
              return bytes;
            });
  }

  private static void assertTotal(Form form, byte[] bytes) {
    final Object read = decodedOrRefused(form, bytes);
    if (read != null) {
      assertThat(new Value(form, read).bytes()).as("one value, one form").isEqualTo(bytes);
    }
  }

  private static @Nullable Object decodedOrRefused(Form form, byte[] bytes) {
    try {
      return form.decode().apply(bytes);
    } catch (MalformedBytesException | CorruptLedgerException e) {
      assertThat(e.getMessage()).isNotBlank();
      return null;
    } catch (RuntimeException | Error e) {
      return fail("reading " + form + " is not total", e);
    }
  }

  @Property(tries = 120, seed = "20260304", edgeCases = EdgeCasesMode.NONE)
  void everyTruncationIsRefused(@ForAll("values") Value value) {
    final byte[] bytes = value.bytes();
    for (int length = 0; length < bytes.length; length++) {
      final byte[] truncated = Arrays.copyOf(bytes, length);
      assertThatThrownBy(() -> value.form().decode().apply(truncated))
          .isInstanceOfAny(MalformedBytesException.class, CorruptLedgerException.class);
    }
  }

  @Property(tries = 120, seed = "20260304", edgeCases = EdgeCasesMode.NONE)
  void aByteTooManyIsRefused(@ForAll("values") Value value) {
    final byte[] bytes = value.bytes();
    final byte[] longer = Arrays.copyOf(bytes, bytes.length + 1);

    assertThatThrownBy(() -> value.form().decode().apply(longer))
        .isInstanceOf(MalformedBytesException.class)
        .hasMessageContaining("1 bytes follow");
  }

  @Property(tries = 120, seed = "20260304", edgeCases = EdgeCasesMode.NONE)
  void aVersionNobodyKnowsIsRefusedByItsNumber(@ForAll("values") Value value) {
    final byte[] bytes = value.bytes();
    bytes[0] = 2;

    assertThatThrownBy(() -> value.form().decode().apply(bytes))
        .isInstanceOf(MalformedBytesException.class)
        .hasMessageContaining("version 2");
  }

  @Property(tries = 250, seed = "20260304", edgeCases = EdgeCasesMode.NONE)
  void whatIsAuthenticatedIsTheRequestWithoutItsRows(@ForAll("requests") LedgerRequest request) {
    final byte[] bare = LedgerCodec.encodeForAuthentication(request);

    assertThat(LedgerCodec.encodeForAuthentication(request.withRows(Map.of()))).isEqualTo(bare);
    assertThat(LedgerCodec.encodeRequest(request)).startsWith(bare);
  }

  @Property(tries = 250, seed = "20260304", edgeCases = EdgeCasesMode.NONE)
  void theBodyIsTheAccountAndTheCommandAndNothingElse(
      @ForAll("requests") LedgerRequest one, @ForAll("requests") LedgerRequest other) {
    final Id128 hash = LedgerCodec.bodyHash(one);

    assertThat(
            LedgerCodec.bodyHash(
                new LedgerRequest(
                    one.account(), other.actor(), other.notAfterNanos(), one.command())))
        .isEqualTo(hash);
    if (!one.command().equals(other.command())) {
      assertThat(LedgerCodec.bodyHash(new LedgerRequest(one.account(), "", 0, other.command())))
          .isNotEqualTo(hash);
    }
    if (!one.account().equals(other.account())) {
      assertThat(LedgerCodec.bodyHash(new LedgerRequest(other.account(), "", 0, one.command())))
          .isNotEqualTo(hash);
    }
  }

  @Provide
  Arbitrary<LedgerRequest> requests() {
    return AnyValue.request();
  }

  @Property(tries = 120, seed = "20260304", edgeCases = EdgeCasesMode.NONE)
  void onlyWhatTookEffectIsReadAsApplied(@ForAll("outcomes") Outcome outcome) {
    final byte[] bytes = LedgerCodec.encodeOutcome(outcome);
    if (outcome instanceof Outcome.Applied) {
      assertThat(LedgerCodec.decodeApplied(bytes)).isEqualTo(outcome);
    } else {
      assertThatThrownBy(() -> LedgerCodec.decodeApplied(bytes))
          .isInstanceOf(MalformedBytesException.class);
    }
  }

  @Provide
  Arbitrary<Outcome> outcomes() {
    return AnyValue.outcome();
  }

  @Example
  void aLengthNoBytesAreLeftForIsRefusedBeforeAnythingIsAllocated() {
    final byte[] keys = {1, 0x7f, (byte) 0xff, (byte) 0xff, (byte) 0xff};

    assertThatThrownBy(() -> LedgerCodec.decodeKeys(keys))
        .isInstanceOf(MalformedBytesException.class)
        .hasMessageContaining("2147483647");
    keys[1] = (byte) 0x80;
    assertThatThrownBy(() -> LedgerCodec.decodeKeys(keys))
        .isInstanceOf(MalformedBytesException.class);
  }
}
