package io.tollgrid.admission.concurrency;

import static io.tollgrid.ledger.CapacityClass.ASSURED;
import static io.tollgrid.ledger.CapacityClass.BEST_EFFORT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** Witnesses R31: the shared part first, and a reserve that best effort never takes. */
class ExecutionCapacityTest {
  @Test
  void aUniformCapacityIsTheSameForEveryone() {
    final ExecutionCapacity capacity = ExecutionCapacity.uniform(2);

    final int first = capacity.tryEnter(BEST_EFFORT);
    assertThat(first).isNotEqualTo(ExecutionCapacity.SHED);
    assertThat(capacity.tryEnter(ASSURED)).isNotEqualTo(ExecutionCapacity.SHED);
    assertThat(capacity.tryEnter(ASSURED)).isEqualTo(ExecutionCapacity.SHED);
    assertThat(capacity.tryEnter(BEST_EFFORT)).isEqualTo(ExecutionCapacity.SHED);
    capacity.leave(first);
    assertThat(capacity.running()).isEqualTo(1);
    assertThat(capacity.tryEnter(ASSURED)).isNotEqualTo(ExecutionCapacity.SHED);
  }

  @Test
  void bestEffortNeverTakesTheReserve() {
    final ExecutionCapacity capacity = ExecutionCapacity.withReserve(1, 2);

    assertThat(capacity.tryEnter(BEST_EFFORT)).isNotEqualTo(ExecutionCapacity.SHED);
    assertThat(capacity.tryEnter(BEST_EFFORT)).isEqualTo(ExecutionCapacity.SHED);
    assertThat(capacity.tryEnter(ASSURED)).isNotEqualTo(ExecutionCapacity.SHED);
    assertThat(capacity.tryEnter(BEST_EFFORT)).isEqualTo(ExecutionCapacity.SHED);
    assertThat(capacity.tryEnter(ASSURED)).isNotEqualTo(ExecutionCapacity.SHED);
    assertThat(capacity.tryEnter(ASSURED)).isEqualTo(ExecutionCapacity.SHED);
    assertThat(capacity.running()).isEqualTo(3);
  }

  @Test
  void assuredRequestsTrySharedFirstAndGiveBackWhatTheyTook() {
    final ExecutionCapacity capacity = ExecutionCapacity.withReserve(1, 1);

    final int shared = capacity.tryEnter(ASSURED);
    assertThat(capacity.tryEnter(BEST_EFFORT)).isEqualTo(ExecutionCapacity.SHED);
    final int reserved = capacity.tryEnter(ASSURED);
    assertThat(reserved).isNotEqualTo(ExecutionCapacity.SHED);

    capacity.leave(reserved);
    assertThat(capacity.tryEnter(BEST_EFFORT)).isEqualTo(ExecutionCapacity.SHED);
    capacity.leave(shared);
    assertThat(capacity.tryEnter(BEST_EFFORT)).isNotEqualTo(ExecutionCapacity.SHED);
  }

  @Test
  void aSecondLeaveIsAnErrorAndMakesNoRoom() {
    final ExecutionCapacity capacity = ExecutionCapacity.withReserve(1, 1);
    final int token = capacity.tryEnter(ASSURED);
    capacity.leave(token);

    assertThatThrownBy(() -> capacity.leave(token)).isInstanceOf(IllegalStateException.class);
    assertThat(capacity.running()).isZero();
    assertThat(capacity.tryEnter(BEST_EFFORT)).isNotEqualTo(ExecutionCapacity.SHED);
    assertThat(capacity.tryEnter(BEST_EFFORT)).isEqualTo(ExecutionCapacity.SHED);
  }

  @Test
  void aCapacityThatRunsNothingIsRefusedByItsNumbers() {
    assertThatThrownBy(() -> ExecutionCapacity.uniform(0)).hasMessageContaining("0 shared");
    assertThatThrownBy(() -> ExecutionCapacity.withReserve(1, -1))
        .hasMessageContaining("-1 reserved");
  }
}
