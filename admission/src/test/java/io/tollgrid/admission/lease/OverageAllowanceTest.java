package io.tollgrid.admission.lease;

import static io.tollgrid.admission.lease.OverageAllowance.Debit.COMMIT_IN_PROGRESS;
import static io.tollgrid.admission.lease.OverageAllowance.Debit.EXHAUSTED;
import static io.tollgrid.admission.lease.OverageAllowance.Debit.TAKEN;
import static io.tollgrid.admission.lease.OverageAllowance.Debit.TEMPORARILY_EXHAUSTED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Witnesses R1 (one bound per process lifetime) and R33 (what a refusal of overage promises). */
class OverageAllowanceTest {
  private final OverageAllowance overage = new OverageAllowance();

  @Test
  void itTakesUpToTheCapAndNotAUnitMore() {
    assertThat(overage.tryDebit(60, 100)).isEqualTo(TAKEN);
    assertThat(overage.tryDebit(41, 100)).isEqualTo(TEMPORARILY_EXHAUSTED);
    assertThat(overage.tryDebit(40, 100)).isEqualTo(TAKEN);
    assertThat(overage.usedUnits()).isEqualTo(100);
  }

  @Test
  void pendingUnitsAreTemporaryOnlyIfTheirReturnWouldMakeRoom() {
    overage.tryDebit(60, 100);

    assertThat(overage.tryDebit(100, 100)).isEqualTo(TEMPORARILY_EXHAUSTED);
    assertThat(overage.tryDebit(101, 100)).isEqualTo(EXHAUSTED);
  }

  @Test
  void committedUnitsAreGoneForGood() {
    commit(60);

    assertThat(overage.tryDebit(41, 100)).isEqualTo(EXHAUSTED);
    assertThat(overage.tryDebit(40, 100)).isEqualTo(TAKEN);
  }

  @Test
  void aCommitUnderWayIsNeverCalledRefundable() {
    overage.tryDebit(60, 100);
    overage.beginCommit();
    assertThat(overage.tryDebit(50, 100)).isEqualTo(COMMIT_IN_PROGRESS);

    overage.endCommit(60);
    assertThat(overage.tryDebit(50, 100)).isEqualTo(EXHAUSTED);
  }

  @Test
  void aCommitThatLostLeavesTheDebitPending() {
    overage.tryDebit(60, 100);
    overage.beginCommit();
    overage.endCommit(0);

    assertThat(overage.committedUnits()).isZero();
    overage.refund(60);
    assertThat(overage.usedUnits()).isZero();
  }

  @Test
  void whatASettlementGivesBackMakesRoom() {
    commit(60);
    overage.refundCommitted(20);

    assertThat(overage.committedUnits()).isEqualTo(40);
    assertThat(overage.usedUnits()).isEqualTo(40);
    assertThat(overage.tryDebit(60, 100)).isEqualTo(TAKEN);
  }

  @Test
  void loweringTheCapStopsNewDebitsAtOnce() {
    commit(60);

    assertThat(overage.tryDebit(1, 50)).isEqualTo(EXHAUSTED);
    assertThat(overage.tryDebit(1, 0)).isEqualTo(EXHAUSTED);
  }

  @Test
  void aHugeQuoteDoesNotWrap() {
    commit(60);

    assertThat(overage.tryDebit(Long.MAX_VALUE, Long.MAX_VALUE)).isEqualTo(EXHAUSTED);
    assertThat(overage.tryDebit(Long.MAX_VALUE - 60, Long.MAX_VALUE)).isEqualTo(TAKEN);
  }

  @Test
  void returningMoreThanWasTakenIsAFault() {
    overage.tryDebit(5, 100);

    assertThatThrownBy(() -> overage.refund(6))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("returning 6 units of overage where only 5 were taken");
  }

  @Test
  @Timeout(30)
  @Tag("stress")
  void concurrentDebitsNeverExceedTheCap() throws InterruptedException {
    final AtomicLong highest = new AtomicLong();
    final Thread[] workers = new Thread[3];
    for (int i = 0; i < workers.length; i++) {
      workers[i] =
          new Thread(
              () -> {
                for (int n = 0; n < 50_000; n++) {
                  if (overage.tryDebit(7, 20) == TAKEN) {
                    highest.accumulateAndGet(overage.usedUnits(), Math::max);
                    overage.refund(7);
                  }
                }
              });
      workers[i].start();
    }
    for (final Thread worker : workers) {
      worker.join();
    }

    assertThat(highest.get()).isBetween(7L, 20L);
    assertThat(overage.usedUnits()).isZero();
  }

  private void commit(final long units) {
    assertThat(overage.tryDebit(units, units)).isEqualTo(TAKEN);
    overage.beginCommit();
    overage.endCommit(units);
  }
}
