package io.tollgrid.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Witnesses R43 (one spelling per id; malformed is not unknown), R20 (time-ordered request ids) and
 * R25 (256 bits carried, never interpreted).
 */
class IdsTest {
  @Property(tries = 1_000, seed = "20260304", edgeCases = EdgeCasesMode.NONE)
  void anIdSurvivesItsSpelling(@ForAll long high, @ForAll long low) {
    final Id128 id = new Id128(high, low);

    assertThat(Id128.parse(id.toHex())).isEqualTo(id);
    assertThat(id.toHex()).hasSize(32).matches("[0-9a-f]{32}");
    assertThat(id.toString()).isEqualTo(id.toHex());
    assertThat(id.toHex()).isEqualTo(id.toUuid().toString().replace("-", ""));
    assertThat(Id128.of(id.toUuid())).isEqualTo(id);
  }

  @Property(tries = 1_000, seed = "20260304", edgeCases = EdgeCasesMode.NONE)
  void idsOrderAsTheirSpellings(
      @ForAll long high, @ForAll long low, @ForAll long otherHigh, @ForAll long otherLow) {
    final Id128 one = new Id128(high, low);
    final Id128 other = new Id128(otherHigh, otherLow);

    assertThat(Integer.signum(one.compareTo(other)))
        .isEqualTo(Integer.signum(one.toHex().compareTo(other.toHex())));
    assertThat(Integer.signum(new Id128(high, low).compareTo(new Id128(high, otherLow))))
        .isEqualTo(Integer.signum(Long.compareUnsigned(low, otherLow)));
  }

  @Test
  void idsOrderAsUnsignedNumbers() {
    final List<Id128> ordered =
        List.of(
            Id128.ZERO,
            new Id128(0, 1),
            new Id128(0, Long.MAX_VALUE),
            new Id128(0, Long.MIN_VALUE),
            new Id128(0, -1),
            new Id128(1, 0),
            new Id128(Long.MIN_VALUE, 0),
            new Id128(-1, -1));
    final List<Id128> shuffled = new ArrayList<>(ordered);
    Collections.reverse(shuffled);
    Collections.sort(shuffled);

    assertThat(shuffled).isEqualTo(ordered);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "0123456789abcdef0123456789abcde",
        "0123456789abcdef0123456789abcdef0",
        "0123456789ABCDEF0123456789abcdef",
        "0123456789abcdef0123456789abcdeg",
        "/123456789abcdef0123456789abcdef",
        ":123456789abcdef0123456789abcdef",
        "`123456789abcdef0123456789abcdef",
        "01234567-89ab-cdef-0123-456789abc",
        " 123456789abcdef0123456789abcdef",
        "٠123456789abcdef0123456789abcdef",
      })
  void anythingElseIsMalformedNotUnknown(String text) {
    assertThatThrownBy(() -> Id128.parse(text))
        .isInstanceOf(InvalidIdException.class)
        .hasMessageContaining("32 lowercase hexadecimal digits");
  }

  @Test
  void aMalformedIdIsQuotedInPartOnly() {
    assertThatThrownBy(() -> Id128.parse("x".repeat(64)))
        .hasMessageContaining("\"" + "x".repeat(64) + "\"");
    assertThatThrownBy(() -> Id128.parse("x".repeat(65)))
        .hasMessageContaining("\"" + "x".repeat(64) + "…\"");
  }

  @Nested
  class TimeOrdered {
    @Test
    void theLayoutIsThatOfUuidVersion7() {
      final Id128 id = Id128.timeOrdered(0x0123456789ABL, 0xFFFF, -1);

      assertThat(id.toHex()).isEqualTo("0123456789ab7fffbfffffffffffffff");
      assertThat(id.toUuid().version()).isEqualTo(7);
      assertThat(id.toUuid().variant()).isEqualTo(2);
      assertThat(id.isTimeOrdered()).isTrue();
      assertThat(id.unixMillis()).isEqualTo(0x0123456789ABL);
    }

    @Test
    void theTimeIsReadUnsigned() {
      assertThat(Id128.timeOrdered((1L << 48) - 1, 0, 0).unixMillis()).isEqualTo((1L << 48) - 1);
      assertThat(Id128.timeOrdered(0, 0, 0).unixMillis()).isZero();
    }

    @Test
    void aTimeThatDoesNotFitIsRefused() {
      assertThatThrownBy(() -> Id128.timeOrdered(1L << 48, 0, 0))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> Id128.timeOrdered(-1, 0, 0))
          .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void anotherVersionOrVariantIsNotTimeOrdered() {
      assertThat(Id128.of(UUID.fromString("01234567-89ab-4fff-bfff-ffffffffffff")).isTimeOrdered())
          .isFalse();
      assertThat(Id128.of(UUID.fromString("01234567-89ab-7fff-ffff-ffffffffffff")).isTimeOrdered())
          .isFalse();
      assertThat(Id128.of(UUID.fromString("01234567-89ab-7fff-3fff-ffffffffffff")).isTimeOrdered())
          .isFalse();
    }
  }

  @Nested
  class Bits {
    @Test
    void theyAreBytesInTheirOrder() {
      final byte[] bytes = new byte[32];
      for (int i = 0; i < 32; i++) {
        bytes[i] = (byte) (i * 9);
      }
      final Bits256 bits = Bits256.of(bytes);

      assertThat(bits.toBytes()).isEqualTo(bytes);
      assertThat(bits.toHex()).hasSize(64).startsWith("0009121b").isEqualTo(bits.toString());
      assertThat(Bits256.of(new byte[32])).isEqualTo(Bits256.ZERO);
    }

    @Test
    void anyOtherLengthIsRefused() {
      assertThatThrownBy(() -> Bits256.of(new byte[31]))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> Bits256.of(new byte[33]))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }
}
