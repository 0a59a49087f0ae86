package io.tollgrid.node.usage;

import static org.assertj.core.api.Assertions.assertThat;

import io.tollgrid.ledger.Id128;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Witnesses R20: a foreign event maps to one id, always the same. The golden ids were computed by
 * another implementation of the form that the class documents; they must never change.
 */
class ForeignRequestIdTest {
  @ParameterizedTest
  @CsvSource({
    "billing.example, order-1, 1767225600000, 019b76daa8007c1188d36d5542f708d1",
    "https://meter.example/eu, π/2, 1772366400250, 019ca9450afa7f28b39d924bf9b4ae33",
    "a, b, 0, 00000000000078328470a1c5f07645cf",
  })
  void theIdIsGolden(String source, String id, long unixMillis, String expected) {
    final Id128 request = ForeignRequestId.of(source, id, unixMillis);

    assertThat(request.toHex()).isEqualTo(expected);
    assertThat(request.isTimeOrdered()).isTrue();
    assertThat(request.unixMillis()).isEqualTo(unixMillis);
  }

  @Test
  void whatIsNamedOtherwiseHasAnotherId() {
    final Id128 one = ForeignRequestId.of("ab", "c", 1);

    assertThat(one).isNotEqualTo(ForeignRequestId.of("a", "bc", 1));
    assertThat(one).isNotEqualTo(ForeignRequestId.of("abc", "", 1));
    assertThat(one).isNotEqualTo(ForeignRequestId.of("ab", "c", 2));
  }
}
