package io.tollgrid.verification.faults.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.Lease;
import io.tollgrid.ledger.LeaseState;
import org.junit.jupiter.api.Test;

/** Witnesses that a lease which pays more than its loss, or pays twice, is found (R12). */
class StalledHolderLaneTest {
  private static final Id128 ID = new Id128(3, 4);
  private static final StalledHolderLane.Lost LOST =
      new StalledHolderLane.Lost(ID, lease(0, 0, 10));

  @Test
  void lossThatBecomesBilledIsFine() {
    assertThat(StalledHolderLane.check(LOST, lease(0, 0, 10))).isEmpty();
    assertThat(StalledHolderLane.check(LOST, lease(0, 7, 3))).isEmpty();
    assertThat(StalledHolderLane.check(LOST, lease(0, 10, 0))).isEmpty();
  }

  @Test
  void anythingElseIsFound() {
    assertThat(StalledHolderLane.check(LOST, lease(10, 0, 0))).hasSize(2);
    assertThat(StalledHolderLane.check(LOST, lease(3, 4, 3))).hasSize(2);
    final StalledHolderLane.Lost half = new StalledHolderLane.Lost(ID, lease(5, 0, 5));
    assertThat(StalledHolderLane.check(half, lease(0, 10, 0))).hasSize(2);
    final StalledHolderLane.Lost billed = new StalledHolderLane.Lost(ID, lease(0, 4, 6));
    assertThat(StalledHolderLane.check(billed, lease(0, 3, 7))).hasSize(1);
  }

  private static Lease lease(long returned, long billed, long loss) {
    return new Lease(
        ID,
        ID,
        1,
        ID,
        0,
        0,
        10,
        0,
        returned,
        billed,
        loss,
        loss == 0 ? LeaseState.SETTLED : LeaseState.LOSS,
        5,
        5,
        1,
        9,
        null);
  }
}
