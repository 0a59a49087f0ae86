package io.tollgrid.admission.outcome;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tollgrid.admission.denial.Denial;
import org.junit.jupiter.api.Test;

/** Witnesses R32: every outcome has a counter of its own, summed over stripes. */
class OutcomeCountersTest {

  @Test
  void everyOutcomeAndDenialIsCountedApart() {
    final OutcomeCounters counters = new OutcomeCounters(4);
    int times = 0;
    for (final Denial denial : Denial.values()) {
      times++;
      for (int i = 0; i < times; i++) {
        counters.denied(i, denial);
      }
    }
    for (final Outcome outcome : Outcome.values()) {
      times++;
      for (int i = 0; i < times; i++) {
        counters.count(-i, outcome);
      }
    }

    int expected = 0;
    for (final Denial denial : Denial.values()) {
      assertThat(counters.denials(denial)).isEqualTo(++expected);
    }
    for (final Outcome outcome : Outcome.values()) {
      assertThat(counters.count(outcome)).isEqualTo(++expected);
    }
  }

  @Test
  void refusalsAtStartAreNoDenials() {
    final OutcomeCounters counters = new OutcomeCounters(1);
    counters.denied(0, Denial.NO_LEASE);
    counters.denied(0, Denial.START_LAPSED);

    assertThat(counters.denied()).isEqualTo(1);
  }

  @Test
  void stripesAreAPowerOfTwo() {
    assertThatThrownBy(() -> new OutcomeCounters(0)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new OutcomeCounters(3)).isInstanceOf(IllegalArgumentException.class);
  }
}
