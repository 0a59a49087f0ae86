package io.tollgrid.admission.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/**
 * Witnesses R2 (no unit is stranded or doubled) and R36 (a double return is an integrity fault).
 */
class LeaseUnitsTest {

  @Test
  void aDebitTakesAllOrNothingAndSaysWhatIsLeft() {
    final LeaseUnits units = new LeaseUnits(10);

    assertThat(units.tryDebit(11)).isEqualTo(LeaseUnits.REFUSED);
    assertThat(units.tryDebit(3)).isEqualTo(7);
    assertThat(units.tryDebit(7)).isZero();
    assertThat(units.tryDebit(1)).isEqualTo(LeaseUnits.REFUSED);
    assertThat(units.tryDebit(0)).isZero();
  }

  @Test
  void aClosedLeaseRefusesEvenZeroUnits() {
    final LeaseUnits units = new LeaseUnits(10);
    units.close();
    units.close();

    assertThat(units.isClosed()).isTrue();
    assertThat(units.tryDebit(0)).isEqualTo(LeaseUnits.REFUSED);
    assertThat(units.freeUnitsOpaque()).isEqualTo(10);
  }

  @Test
  void aClosedLeaseStillCollectsWhatRunningWorkGivesBack() {
    final LeaseUnits units = new LeaseUnits(10);
    units.tryDebit(4);
    assertThat(units.credit(1)).isFalse();
    units.close();

    assertThat(units.drain()).isEqualTo(7);
    assertThat(units.credit(3)).isTrue();
    assertThat(units.tryDebit(1)).isEqualTo(LeaseUnits.REFUSED);
    assertThat(units.drain()).isEqualTo(3);
    assertThat(units.drain()).isZero();
  }

  @Test
  void returningUnitsTwiceIsAnAccountingFault() {
    final LeaseUnits units = new LeaseUnits(10);
    units.tryDebit(4);
    units.credit(4);

    assertThatThrownBy(() -> units.credit(4))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("10 granted");
    assertThat(units.freeUnitsOpaque()).isEqualTo(10);
  }

  @Test
  void aCreditThatWouldOverflowIsAFaultToo() {
    final LeaseUnits units = new LeaseUnits(Long.MAX_VALUE);

    assertThatThrownBy(() -> units.credit(1)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void aNegativeGrantIsRefused() {
    assertThatThrownBy(() -> new LeaseUnits(-1)).isInstanceOf(IllegalArgumentException.class);
  }
}
