package io.tollgrid.mapstore.lane;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Witnesses R40: a fault that comes with every request is logged once a minute, and counted. */
class RecurringFaultsTest {
  private final List<String> log = new ArrayList<>();
  private long nanos = Long.MAX_VALUE - RecurringFaults.PAUSE_NANOS / 2;
  private final RecurringFaults faults = new RecurringFaults(() -> nanos);

  @Test
  void aFaultIsLoggedAtOnceAndThenOnceAMinuteWithHowOftenItCame() {
    for (int i = 0; i < 1_000; i++) {
      came("account 1");
    }
    assertThat(log).containsExactly("account 1 x1");

    nanos += RecurringFaults.PAUSE_NANOS - 1;
    came("account 1");
    assertThat(log).hasSize(1);

    nanos += 1;
    came("account 1");
    assertThat(log).containsExactly("account 1 x1", "account 1 x1001");
  }

  @Test
  void oneFaultDoesNotHideAnother() {
    came("account 1");
    came("account 2");
    came("account 1");

    assertThat(log).containsExactly("account 1 x1", "account 2 x1");
  }

  @Test
  void faultsWithoutEndTakeNoMemoryWithoutEnd() {
    for (int i = 0; i <= RecurringFaults.MOST; i++) {
      came("account " + i);
    }
    came("account " + RecurringFaults.MOST);
    assertThat(log).hasSize(RecurringFaults.MOST + 1);

    came("account 0");

    assertThat(log).as("the first was forgotten").hasSize(RecurringFaults.MOST + 2);
  }

  private void came(String fault) {
    faults.came(fault, times -> log.add(fault + " x" + times));
  }
}
