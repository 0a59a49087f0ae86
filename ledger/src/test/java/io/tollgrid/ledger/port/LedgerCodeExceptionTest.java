package io.tollgrid.ledger.port;

import static org.assertj.core.api.Assertions.assertThat;

import io.tollgrid.ledger.LedgerCode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Witnesses R3 and R16 for failures: a code says that nothing was written, and survives the grid; a
 * failure without one is unknown.
 */
class LedgerCodeExceptionTest {
  @ParameterizedTest
  @EnumSource(LedgerCode.class)
  void aCodeIsReadFromTheExceptionAndFromItsMessageAlone(LedgerCode code) {
    final LedgerCodeException failure = new LedgerCodeException(code, "what happened");

    assertThat(failure.code()).isEqualTo(code);
    assertThat(failure).hasMessageContaining("what happened");
    assertThat(LedgerCodeException.codeOf(failure)).contains(code);
    assertThat(LedgerCodeException.codeOf(new IllegalStateException(failure.getMessage())))
        .contains(code);
  }

  @Test
  void aCodeIsFoundAmongTheCauses() {
    final Throwable wrapped =
        new RuntimeException(
            "outer", new RuntimeException(new LedgerCodeException(LedgerCode.STALE, "inner")));

    assertThat(LedgerCodeException.codeOf(wrapped)).contains(LedgerCode.STALE);
  }

  @Test
  void theCauseIsKept() {
    final Throwable cause = new RuntimeException("why");

    assertThat(new LedgerCodeException(LedgerCode.UNAVAILABLE, "what", cause)).hasCause(cause);
  }

  @Test
  void aFailureWithoutACodeHasNone() {
    assertThat(LedgerCodeException.codeOf(new RuntimeException())).isEmpty();
    assertThat(LedgerCodeException.codeOf(new RuntimeException("STALE"))).isEmpty();
    assertThat(LedgerCodeException.codeOf(new RuntimeException("[tollgrid:NONSENSE] x"))).isEmpty();
    assertThat(LedgerCodeException.codeOf(new RuntimeException("[tollgrid:stale] x"))).isEmpty();
  }

  @Test
  void anEndlessChainOfCausesEndsTheSearch() {
    final Exception first = new Exception("first");
    final Exception second = new Exception("second", first);
    first.initCause(second);

    assertThat(LedgerCodeException.codeOf(first)).isEmpty();
  }
}
