package io.tollgrid.admission.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tollgrid.admission.account.AccountState;
import io.tollgrid.admission.concurrency.ExecutionCapacity;
import io.tollgrid.admission.denial.Denial;
import io.tollgrid.admission.lease.OverageAllowance;
import io.tollgrid.admission.outcome.Outcome;
import io.tollgrid.ledger.AccountTerms;
import io.tollgrid.ledger.Id128;
import java.util.concurrent.Exchanger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Witnesses R21 (what is abandoned is found and charged or released, once), R6 (another thread's
 * cancellation) and R30 (whoever ends a request leaves its places).
 */
@Timeout(60)
class AbandonedTest {
  private static final int RACES = 5_000;
  private static final long MINUTE = 60_000_000_000L;

  private final TestKernel kernel = new TestKernel(16, ExecutionCapacity.uniform(10));
  private final AccountState account = kernel.account(1, AccountTerms.STRICT);
  private final Id128 principal = principal();

  @Test
  void aRequestObjectThatIsLostIsFoundByTheCleaner() throws InterruptedException {
    lose();
    for (int i = 0; i < 200 && outcomes() < 2; i++) {
      System.gc();
      Thread.sleep(20);
    }

    assertThat(count(Outcome.ABANDONED_BEFORE_START)).isEqualTo(1);
    assertThat(count(Outcome.ABANDONED_AFTER_START)).isEqualTo(1);
    assertThat(kernel.events()).containsExactly("1 BILLING 0 Leased 5 units=5");
    assertEmpty(95);
  }

  /** In a frame of its own, so that nothing on the stack keeps them. */
  private void lose() {
    final AdmissionRequest started = kernel.unkept();
    admitted(started, 5);
    assertThat(started.start(0)).isNull();
    admitted(kernel.unkept(), 7);
  }

  private long outcomes() {
    return count(Outcome.ABANDONED_BEFORE_START) + count(Outcome.ABANDONED_AFTER_START);
  }

  @Test
  void whatRunsForLongerThanItsOperationMayIsSweptAndNothingElseIs() {
    final AdmissionRequest old = kernel.started(principal, kernel.work, 5);
    final AdmissionRequest pending = kernel.request();
    admitted(pending, 7);

    assertThat(kernel.admission.sweepOverdue(MINUTE)).isZero();
    assertThat(kernel.admission.sweepOverdue(MINUTE + 1)).isEqualTo(1);
    assertThat(kernel.admission.sweepOverdue(2 * MINUTE + 1))
        .as("it may have started just before its time for that was over")
        .isZero();
    assertThat(kernel.admission.sweepOverdue(2 * MINUTE + 2)).isEqualTo(1);
    assertThat(kernel.admission.sweepOverdue(2 * MINUTE + 2)).isZero();

    assertThatThrownBy(old::complete).hasMessageContaining("ended as abandoned");
    assertThat(pending.start(0)).isEqualTo(Denial.START_CANCELLED);
    assertThat(kernel.events()).containsExactly("1 BILLING 0 Leased 5 units=5");
    assertEmpty(95);
    kernel.started(principal, kernel.work, 1).complete();
  }

  @Test
  void anotherThreadCancelsWhatHasNotStarted() {
    final AdmissionRequest request = kernel.request();
    admitted(request, 5);
    final CancelHandle handle = request.split();

    assertThat(handle.cancel()).isEqualTo(CancelHandle.Cancellation.CANCELLED);
    assertThat(handle.cancel()).isEqualTo(CancelHandle.Cancellation.OVER);
    assertThat(request.start(0)).isEqualTo(Denial.START_CANCELLED);

    assertThat(count(Outcome.CANCELLED_BEFORE_START)).isEqualTo(1);
    assertEmpty(100);
  }

  @Test
  void aLateCancellerLearnsTheChargeAndTheWorkIsToldToStop() {
    final AdmissionRequest request = kernel.request();
    admitted(request, 5);
    final CancelHandle handle = request.split();
    assertThat(request.start(0)).isNull();
    assertThat(request.isStopRequested()).isFalse();

    assertThat(handle.cancel()).isEqualTo(CancelHandle.Cancellation.TOO_LATE);
    assertThat(handle.chargedUnits()).isEqualTo(5);
    assertThat(request.isStopRequested()).isTrue();
    request.settle(2, 0);

    assertThat(handle.cancel()).isEqualTo(CancelHandle.Cancellation.OVER);
    assertThat(kernel.events()).containsExactly("1 BILLING 0 Leased 2 units=2");
    assertEmpty(98);
  }

  @Test
  @Tag("stress")
  void aStartThatLosesAgainstACancellationLeavesNoOverageAndNoCommitBehind() throws Exception {
    final TestKernel racing = new TestKernel(4, null);
    final AccountState elastic = racing.account(1, AccountTerms.elastic(1_000));
    final Id128 racer = racing.principal(1, 0, elastic);
    final AdmissionRequest request = racing.request();
    final Exchanger<CancelHandle> handles = new Exchanger<>();
    final Thread canceller =
        new Thread(
            () -> {
              try {
                for (int i = 0; i < RACES; i++) {
                  handles.exchange(null).cancel();
                }
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
    canceller.start();
    long started = 0;
    for (int i = 0; i < RACES; i++) {
      racing.lease(elastic, 100, 1_000);
      TestKernel.expectNothing(request.begin(racer, 0));
      TestKernel.expectNothing(request.admit(racing.work, 5, 0));
      handles.exchange(request.split());
      // Lapsed by now: the start takes overage, and the canceller gives everything back beside it.
      if (request.start(950) == null) {
        started++;
        request.settle(0, 950);
      }
      racing.events();
    }
    canceller.join();

    assertThat(racing.admission.counters().count(Outcome.EXECUTION_STARTED)).isEqualTo(started);
    assertThat(elastic.overageUsedUnits()).isZero();
    assertThat(elastic.overage().committedUnits()).isZero();
    assertThat(elastic.overage().tryDebit(1_001, 1_000))
        .as("no commit is left under way")
        .isEqualTo(OverageAllowance.Debit.EXHAUSTED);
  }

  @Test
  void whatARequestSaysOfItselfIsItsOwnThoughItsSlotIsAnothersByNow() {
    final AdmissionRequest request = kernel.request();
    admitted(request, 3);
    final long high = request.requestIdHigh();
    final long low = request.requestIdLow();
    assertThat(request.split().cancel()).isEqualTo(CancelHandle.Cancellation.CANCELLED);
    final AdmissionRequest other = kernel.request();
    admitted(other, 5);

    assertThat(request.requestIdHigh()).isEqualTo(high);
    assertThat(request.requestIdLow()).isEqualTo(low);
    assertThat(request.reservedUnits()).isEqualTo(3);
    assertThat(request.split().chargedUnits()).isEqualTo(3);
    assertThat(request.start(0)).isEqualTo(Denial.START_CANCELLED);
  }

  @Test
  void aHandleOfAnotherUseOfTheSlotIsRefused() {
    final AdmissionRequest request = kernel.request();
    admitted(request, 5);
    final CancelHandle stale = request.split();
    request.cancel();
    admitted(request, 7);

    assertThat(stale.cancel()).isEqualTo(CancelHandle.Cancellation.OVER);
    assertThat(request.start(0)).isNull();
    assertThat(request.isStopRequested()).isFalse();
    request.complete();
    assertThatThrownBy(request::split).hasMessageContaining("split()");
  }

  private void admitted(final AdmissionRequest request, final long units) {
    TestKernel.expectNothing(request.begin(principal, 0));
    TestKernel.expectNothing(request.admit(kernel.work, units, 0));
  }

  private Id128 principal() {
    kernel.lease(account, 100, 10 * MINUTE);
    return kernel.principal(1, 5, account);
  }

  private long count(final Outcome outcome) {
    return kernel.admission.counters().count(outcome);
  }

  private void assertEmpty(final long freeUnits) {
    assertThat(account.leases().freeUnits()).isEqualTo(freeUnits);
    assertThat(account.gauge().running()).isZero();
    assertThat(
            kernel.admission.principals().find(principal.high(), principal.low()).gauge().running())
        .isZero();
    assertThat(kernel.admission.capacity().running()).isZero();
    assertThat(kernel.admission.usage().pendingRequests()).isZero();
    assertThat(kernel.admission.usage().startedRequests()).isZero();
    assertThat(kernel.admission.counters().resolved()).isEqualTo(count(Outcome.ADMITTED));
  }
}
