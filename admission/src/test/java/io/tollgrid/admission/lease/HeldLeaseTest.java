package io.tollgrid.admission.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tollgrid.ledger.Funding;
import io.tollgrid.ledger.Id128;
import org.junit.jupiter.api.Test;

/** Witnesses R13 (a lapse is one-way), R34 (low water once per lease) and the books of a lease. */
class HeldLeaseTest {
  private static final Id128 ID = new Id128(1, 2);

  private final HeldLease lease = new HeldLease(ID, 7, 100, 1_000, 100, 25);

  @Test
  void itIsUsableUntilTheMarginBeforeItsEndAndNotAtThatInstant() {
    assertThat(lease.usableAt(899)).isTrue();
    assertThat(lease.usableAt(900)).isFalse();
  }

  @Test
  void aClockThatStepsBackRevivesNothing() {
    lease.usableAt(900);

    assertThat(lease.usableAt(0)).isFalse();
  }

  @Test
  void aRenewalMovesTheDeadlines() {
    lease.renewed(2_000, 100);

    assertThat(lease.expiresAtNanos()).isEqualTo(2_000);
    assertThat(lease.usableAt(1_899)).isTrue();
    assertThat(lease.usableAt(1_900)).isFalse();
  }

  @Test
  void aRenewalAfterTheLapseKeepsTheLeaseActiveAndUnusable() {
    lease.usableAt(900);
    lease.renewed(2_000, 100);

    assertThat(lease.activeAt(1_999)).isTrue();
    assertThat(lease.activeAt(2_000)).isFalse();
    assertThat(lease.usableAt(0)).isFalse();
  }

  @Test
  void aRenewalNeverMovesTheDeadlineBack() {
    lease.renewed(500, 100);

    assertThat(lease.usableAt(899)).isTrue();
  }

  @Test
  void lowWaterIsCrossedOnce() {
    assertThat(lease.crossesLowWater(25)).isFalse();
    assertThat(lease.crossesLowWater(24)).isTrue();
    assertThat(lease.crossesLowWater(3)).isFalse();
  }

  @Test
  void theBooksAddUpAtEveryStep() {
    lease.tryDebit(60, 0);
    lease.credit(10, 0);
    assertThat(lease.freeUnits()).isEqualTo(50);
    assertThat(lease.heldUnits()).isEqualTo(50);

    assertThat(lease.drain()).isEqualTo(50);
    assertThat(lease.heldUnits()).isEqualTo(50);
    assertThat(lease.unaccountedUnits()).isEqualTo(50);

    lease.booked(30);
    lease.credit(20, 0);
    assertThat(lease.unaccountedUnits()).isEqualTo(20);
    assertThat(lease.drain()).isEqualTo(20);
    assertThat(lease.unaccountedUnits()).isZero();
  }

  @Test
  void whatIsPutBackCanBeSpentAgain() {
    lease.drain();
    lease.putBack(40);

    assertThat(lease.tryDebit(40, 0)).isZero();
    assertThatThrownBy(() -> lease.putBack(61))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("61 units of the 60");
  }

  @Test
  void allThatWasDrainedCanBePutBackAndNothingToo() {
    lease.putBack(0);
    assertThat(lease.drain()).isEqualTo(100);
    lease.putBack(100);

    assertThat(lease.freeUnits()).isEqualTo(100);
    assertThat(lease.unaccountedUnits()).isEqualTo(100);
    assertThatThrownBy(() -> lease.putBack(-1)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void usageNamesItsCapability() {
    assertThat(lease.funding()).isEqualTo(new Funding.Leased(ID, 7));
    assertThat(lease.id()).isEqualTo(ID);
    assertThat(lease.fence()).isEqualTo(7);
    assertThat(lease).hasToString("lease " + ID + " fence 7: 100 of 100");
  }

  @Test
  void aLeaseThatEndsBeforeItsMarginIsNeverUsable() {
    assertThat(new HeldLease(ID, 1, 5, 50, 100, 0).usableAt(0)).isFalse();
  }
}
