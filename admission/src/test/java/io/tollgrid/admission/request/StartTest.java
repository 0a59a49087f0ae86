package io.tollgrid.admission.request;

import static org.assertj.core.api.Assertions.assertThat;

import io.tollgrid.admission.denial.Denial;
import io.tollgrid.admission.lease.HeldLease;
import io.tollgrid.admission.outcome.Outcome;
import io.tollgrid.admission.outcome.OutcomeCounters;
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
    assertThat(test.account.overage().usedUnits()).isZero();
    assertThat(test.events()).isEmpty();
    assertThatEveryAdmittedRequestIsCountedOnce(test);
  }

  @Test
  void aCancelledRequestReturnsWhatItTookWhateverFundedIt() {
    final TestAdmission test = TestAdmission.elastic(50);
    final HeldLease lease = test.lease(GRANTED);
    final AdmissionRequest leased = test.admitted(GRANTED, 0);
    final AdmissionRequest overage = test.admitted(50, 0);
    assertThat(test.account.overage().usedUnits()).isEqualTo(50);

    leased.cancel();
    assertThat(lease.freeUnits()).isEqualTo(GRANTED);
    overage.cancel();
    assertThat(test.account.overage().usedUnits()).isZero();

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
