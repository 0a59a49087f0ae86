package io.tollgrid.admission.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tollgrid.admission.account.AccountState;
import io.tollgrid.admission.concurrency.ExecutionCapacity;
import io.tollgrid.admission.denial.Denial;
import io.tollgrid.admission.lease.HeldLease;
import io.tollgrid.admission.outcome.Outcome;
import io.tollgrid.admission.outcome.OutcomeCounters;
import io.tollgrid.ledger.AccountPolicy;
import io.tollgrid.ledger.AccountStatus;
import io.tollgrid.ledger.AccountTerms;
import io.tollgrid.ledger.CapacityClass;
import io.tollgrid.ledger.Id128;
import org.junit.jupiter.api.Test;

/**
 * Witnesses R13 (nothing starts on a lapsed lease), R6 (the lapse fallback), R5 (what does not
 * start costs zero, returned once), R21 (what is abandoned after its start is charged) and R32
 * (every admitted request ends in one counted outcome).
 */
class StartTest {
  private static final long GRANTED = 100;
  private static final long QUOTE = 10;
  private static final long LAPSED = TestAdmission.TTL - TestAdmission.MARGIN;

  @Test
  void theLastInstantOfTheWindowStartsAndTheNextDoesNot() {
    final TestAdmission test = TestAdmission.strict();
    test.lease(GRANTED);
    final AdmissionRequest first = test.admitted(QUOTE, 0);
    final AdmissionRequest second = test.admitted(QUOTE, 0);

    assertThat(first.start(LAPSED - 1)).isNull();
    assertThat(second.start(LAPSED)).isEqualTo(Denial.START_LAPSED);
  }

  @Test
  void underStrictALapseReleasesTheRequestForZero() {
    final TestAdmission test = TestAdmission.strict();
    final HeldLease lease = test.lease(GRANTED);
    final AdmissionRequest request = test.admitted(QUOTE, 0);
    assertThat(lease.freeUnits()).isEqualTo(GRANTED - QUOTE);

    assertThat(request.start(LAPSED)).isEqualTo(Denial.START_LAPSED);

    assertThat(lease.freeUnits()).isEqualTo(GRANTED);
    assertThat(test.events()).isEmpty();
    assertThat(test.admission.counters().count(Outcome.REFUSED_AT_START)).isEqualTo(1);
    assertThat(test.admission.counters().denied()).as("no denial of admission").isZero();
    assertThatEveryAdmittedRequestIsCountedOnce(test);
  }

  @Test
  void aClockThatStepsBackDoesNotStartWhatHasLapsed() {
    final TestAdmission test = TestAdmission.strict();
    final HeldLease lease = test.lease(GRANTED);
    final AdmissionRequest request = test.admitted(QUOTE, 0);
    assertThat(lease.usableAt(LAPSED)).isFalse();

    assertThat(request.start(0)).isEqualTo(Denial.START_LAPSED);
  }

  @Test
  void underElasticALapseChangesTheFundingAndTheBillNamesNoLease() {
    final TestAdmission test = TestAdmission.elastic(15);
    final HeldLease lease = test.lease(GRANTED);
    final AdmissionRequest request = test.admitted(QUOTE, 0);

    assertThat(request.start(LAPSED)).isNull();

    assertThat(lease.freeUnits()).as("the lease has its units again").isEqualTo(GRANTED);
    assertThat(test.account.overage().committedUnits()).isEqualTo(QUOTE);
    request.complete();
    assertThat(test.events()).containsExactly("0 overage 10");
    assertThat(test.admission.counters().count(Outcome.COMMITTED_AT_OVERAGE)).isEqualTo(1);
    assertThat(test.admission.counters().count(Outcome.ADMITTED_OVERAGE)).isZero();
  }

  @Test
  void underElasticALapseWithoutRoomReleasesTheRequestForZero() {
    final TestAdmission test = TestAdmission.elastic(QUOTE - 1);
    final HeldLease lease = test.lease(GRANTED);
    final AdmissionRequest request = test.admitted(QUOTE, 0);

    assertThat(request.start(LAPSED)).isEqualTo(Denial.START_OVERAGE_EXHAUSTED);

    assertThat(lease.freeUnits()).isEqualTo(GRANTED);
    assertThat(test.account.overageUsedUnits()).isZero();
    assertThat(test.events()).isEmpty();
    assertThatEveryAdmittedRequestIsCountedOnce(test);
  }

  @Test
  void whatCostsNothingStartsWhateverBecameOfTheLease() {
    final TestAdmission test = TestAdmission.strict();
    final HeldLease lease = test.lease(GRANTED);
    final AdmissionRequest request = test.admitted(0, 0);

    assertThat(lease.usableAt(LAPSED)).isFalse();
    assertThat(request.start(LAPSED)).isNull();
    request.complete();
    assertThat(test.events()).containsExactly("0 lease1 0");
  }

  @Test
  void aRefusalAtTheStartNamesItsLeg() {
    final TestKernel kernel = new TestKernel();
    final AccountState user = kernel.funded(1, AccountTerms.STRICT, 100);
    final AccountState company = kernel.account(2, AccountTerms.STRICT);
    kernel.lease(company, 100, 500);
    final AdmissionRequest request = kernel.request();
    assertThat(request.begin(kernel.principal(1, 0, user, company), 0)).isNull();
    assertThat(request.admit(kernel.work, 10, 0)).isNull();

    assertThat(request.start(400)).isEqualTo(Denial.START_LAPSED);

    assertThat(request.refusingLeg()).isEqualTo(1);
    assertThat(request.refusingAccount()).isSameAs(company);
    assertThat(user.leases().freeUnits()).isEqualTo(100);
  }

  @Test
  void theClassIsThePinnedPolicysWhateverWasPublishedSince() {
    final TestKernel kernel = new TestKernel(64, ExecutionCapacity.withReserve(1, 1));
    final AccountState assured = kernel.account(1, AccountTerms.STRICT, CapacityClass.ASSURED, 1);
    kernel.lease(assured, 100, 1_000);
    final Id128 principal = kernel.principal(1, 0, assured);
    kernel.started(principal, kernel.work, 1);
    final AdmissionRequest request = kernel.request();
    assertThat(request.begin(principal, 0)).isNull();
    assertThat(request.admit(kernel.work, 1, 0)).isNull();

    assured.publish(
        new AccountPolicy(
            2, AccountStatus.ACTIVE, CapacityClass.BEST_EFFORT, AccountTerms.STRICT, false));

    assertThat(request.start(0)).isNull();
  }

  /** A lease with units credited that nobody had debited: its owner's books are wrong (R36). */
  @Test
  void aFailureWhileUnitsGoBackLeavesNoPlaceTakenAndNoRequestBusy() {
    final TestAdmission test = TestAdmission.elastic(15);
    final HeldLease lease = test.lease(GRANTED);
    final AdmissionRequest request = test.admitted(QUOTE, 0);
    lease.credit(QUOTE, 0);

    assertThatThrownBy(() -> request.start(LAPSED)).hasMessageContaining("crediting");

    assertThat(test.admission.sweepAbandoned()).as("not busy").isEqualTo(1);
    assertThat(test.account.gauge().running()).isZero();
    assertThat(test.admission.usage().startedRequests()).isZero();
  }

  @Test
  void aFailureInACancellationFreesTheSlotAndThePlaces() {
    final TestAdmission test = new TestAdmission(AccountTerms.STRICT, 1);
    final HeldLease lease = test.lease(GRANTED);
    final AdmissionRequest request = test.admitted(QUOTE, 0);
    lease.credit(QUOTE, 0);

    assertThatThrownBy(request::cancel).hasMessageContaining("crediting");

    assertThat(test.account.gauge().running()).isZero();
    assertThat(request.begin(TestAdmission.ACCOUNT, 0)).isNull();
    assertThat(request.admit(test.work, 1, 0)).as("the only slot").isNull();
  }

  @Test
  void aFailureInASettlementStillRecordsWhatWasCommitted() {
    final TestAdmission test = TestAdmission.strict();
    final HeldLease lease = test.lease(GRANTED);
    final AdmissionRequest request = test.started(QUOTE, 0);
    lease.credit(QUOTE, 0);

    assertThatThrownBy(() -> request.settle(1, 0)).hasMessageContaining("crediting");

    assertThat(test.events()).hasSize(1);
    assertThat(test.account.gauge().running()).isZero();
  }

  @Test
  void aCancelledRequestReturnsWhatItTookWhateverFundedIt() {
    final TestAdmission test = TestAdmission.elastic(50);
    final HeldLease lease = test.lease(GRANTED);
    final AdmissionRequest leased = test.admitted(GRANTED, 0);
    final AdmissionRequest overage = test.admitted(50, 0);
    assertThat(test.account.overageUsedUnits()).isEqualTo(50);

    leased.cancel();
    assertThat(lease.freeUnits()).isEqualTo(GRANTED);
    overage.cancel();
    assertThat(test.account.overageUsedUnits()).isZero();

    assertThat(test.events()).isEmpty();
    assertThat(test.admission.counters().count(Outcome.CANCELLED_BEFORE_START)).isEqualTo(2);
    assertThatEveryAdmittedRequestIsCountedOnce(test);
  }

  @Test
  void whatIsAbandonedBeforeItsStartReturnsAndAfterItIsChargedAsReserved() {
    final TestAdmission test = TestAdmission.strict();
    final HeldLease lease = test.lease(GRANTED);
    test.admitted(QUOTE, 0);
    test.started(QUOTE, 0).extend(5, 0);

    assertThat(test.admission.sweepAbandoned()).isEqualTo(2);

    assertThat(lease.freeUnits()).isEqualTo(GRANTED - QUOTE - 5);
    assertThat(test.events()).containsExactly("0 lease1 10", "1 lease1 5");
    assertThat(test.admission.counters().count(Outcome.ABANDONED_BEFORE_START)).isEqualTo(1);
    assertThat(test.admission.counters().count(Outcome.ABANDONED_AFTER_START)).isEqualTo(1);
    assertThatEveryAdmittedRequestIsCountedOnce(test);
  }

  private static void assertThatEveryAdmittedRequestIsCountedOnce(final TestAdmission test) {
    final OutcomeCounters counters = test.admission.counters();
    assertThat(counters.resolved() + test.admission.usage().pendingRequests())
        .isEqualTo(counters.count(Outcome.ADMITTED));
  }
}
