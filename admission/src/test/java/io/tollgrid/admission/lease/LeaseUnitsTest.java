package io.tollgrid.admission.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.atomic.AtomicLong;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
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

  @Test
  void everyInterleavingIsLinearizable() {
    options().check(Ops.class);
  }

  @Test
  void aDebitThatStoresInsteadOfComparingIsCaught() {
    assertThatThrownBy(() -> options().check(StoringOps.class)).isInstanceOf(AssertionError.class);
  }

  @Test
  void aClosedFlagBesideTheCounterIsCaught() {
    assertThatThrownBy(() -> options().check(FlagOps.class)).isInstanceOf(AssertionError.class);
  }

  private static ModelCheckingOptions options() {
    return new ModelCheckingOptions()
        .threads(2)
        .actorsPerThread(3)
        .actorsBefore(0)
        .actorsAfter(0)
        .iterations(8)
        .invocationsPerIteration(300);
  }

  /** The operations Lincheck interleaves; each run starts from a lease with units held. */
  public static class Ops {
    private final LeaseUnits units = new LeaseUnits(3);

    /** Two units are held by requests. */
    public Ops() {
      units.tryDebit(2);
    }

    /** Takes one unit. */
    @Operation
    public long debit() {
      return units.tryDebit(1);
    }

    /** Returns one unit; at times one that was never taken. */
    @Operation
    public boolean credit() {
      return units.credit(1);
    }

    /** Takes what is free. */
    @Operation
    public long drain() {
      return units.drain();
    }

    /** Refuses further debits. */
    @Operation
    public void close() {
      units.close();
    }
  }

  /** A racy twin: the debit stores what it computed without comparing. */
  public static class StoringOps {
    private volatile long word = 3;

    /** Takes one unit. */
    @Operation
    public long debit() {
      final long seen = word;
      if (seen < 1) {
        return LeaseUnits.REFUSED;
      }
      word = seen - 1;
      return seen - 1;
    }

    /** Takes what is free. */
    @Operation
    public synchronized long drain() {
      final long seen = word;
      word = 0;
      return seen;
    }
  }

  /** The design that {@link LeaseUnits} argues against: a flag beside an atomic counter. */
  public static class FlagOps {
    private final AtomicLong free = new AtomicLong();
    private volatile boolean closed;

    /** Takes one unit. */
    @Operation
    public long debit() {
      if (closed) {
        return LeaseUnits.REFUSED;
      }
      final long before = free.getAndUpdate(units -> units >= 1 ? units - 1 : units);
      return before >= 1 ? before - 1 : LeaseUnits.REFUSED;
    }

    /** Returns one unit. */
    @Operation
    public boolean credit() {
      free.incrementAndGet();
      return closed;
    }

    /** Refuses further debits. */
    @Operation
    public void close() {
      closed = true;
    }
  }
}
