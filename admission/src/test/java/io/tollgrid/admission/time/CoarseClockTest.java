package io.tollgrid.admission.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tollgrid.ledger.port.LedgerClock;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Witnesses R26 (no clock call for a request) and R13 (time that steps back revives nothing). */
@Timeout(20)
class CoarseClockTest {
  private final AtomicLong source = new AtomicLong(1_000);

  @Test
  void itFollowsItsSourceForwardAndNeverBack() throws InterruptedException {
    try (CoarseClock clock = new CoarseClock(source::get, 100_000)) {
      assertThat(clock.nowNanos()).isEqualTo(1_000);
      source.set(2_000);
      while (clock.nowNanos() < 2_000) {
        Thread.sleep(1);
      }
      source.set(500);
      Thread.sleep(20);
      assertThat(clock.nowNanos()).isEqualTo(2_000);
      source.set(2_001);
      while (clock.nowNanos() < 2_001) {
        Thread.sleep(1);
      }
    }
  }

  @Test
  void aSourceThatFailsIsCountedAndFollowedAgainWhenItWorks() throws InterruptedException {
    final AtomicBoolean broken = new AtomicBoolean();
    final LedgerClock fragile =
        () -> {
          if (broken.get()) {
            throw new IllegalStateException("no time");
          }
          return source.get();
        };
    try (CoarseClock clock = new CoarseClock(fragile, 100_000)) {
      assertThat(clock.failures()).isZero();
      assertThat(clock.lastFailure()).isNull();
      broken.set(true);
      while (clock.failures() < 2) {
        Thread.sleep(1);
      }
      assertThat(clock.lastFailure()).hasMessage("no time");
      assertThat(clock.nowNanos()).isEqualTo(1_000);
      source.set(3_000);
      broken.set(false);
      while (clock.nowNanos() < 3_000) {
        Thread.sleep(1);
      }
    }
  }

  @Test
  void aTickTakesTime() {
    assertThatThrownBy(() -> new CoarseClock(source::get, 0))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
