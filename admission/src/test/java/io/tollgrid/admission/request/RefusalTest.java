package io.tollgrid.admission.request;

import static org.assertj.core.api.Assertions.assertThat;

import io.tollgrid.admission.denial.Denial;
import io.tollgrid.admission.denial.RetryClass;
import io.tollgrid.admission.lease.HeldLease;
import io.tollgrid.admission.outcome.Outcome;
import io.tollgrid.ledger.AccountPolicy;
import io.tollgrid.ledger.AccountStatus;
import io.tollgrid.ledger.AccountTerms;
import io.tollgrid.ledger.CapacityClass;
import io.tollgrid.ledger.Evidence;
import io.tollgrid.ledger.Id128;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Witnesses R26 (what is unknown, closed or full is refused here and now), R22 (a full queue sheds
 * at zero charge), R4 (elastic enforcement relaxes funding and nothing else) and R33 (what a
 * refusal of overage promises).
 */
class RefusalTest {
  private static final long GRANTED = 20;
  private static final long CAP = 10;

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whatIsNotAboutFundingIsRefusedInBothModes(final boolean elastic) {
    final AccountTerms terms = elastic ? AccountTerms.elastic(CAP) : AccountTerms.STRICT;
    final TestAdmission test = new TestAdmission(terms, 1);
    final HeldLease lease = test.lease(GRANTED);
    final AdmissionRequest request = test.request();

    assertThat(request.begin(new Id128(404, 404), 0)).isEqualTo(Denial.UNKNOWN_PRINCIPAL);
    assertThat(request.begin(TestAdmission.ACCOUNT, 0)).isNull();
    assertThat(request.admit(test.huge, 2, 0)).isEqualTo(Denial.COST_OVERFLOW);

    final AdmissionRequest running = test.started(1, 0);
    request.begin(TestAdmission.ACCOUNT, 0);
    assertThat(request.admit(test.work, 1, 0)).isEqualTo(Denial.USAGE_QUEUE_FULL);
    assertThat(lease.freeUnits()).as("shed for zero").isEqualTo(GRANTED - 1);
    running.settle(0, 0);
    request.begin(TestAdmission.ACCOUNT, 0);
    assertThat(request.admit(test.work, 1, 0))
        .as("settled and not acknowledged: the slot is still taken")
        .isEqualTo(Denial.USAGE_QUEUE_FULL);
    assertThat(test.events()).containsExactly("0 lease1 0");

    publish(test, 2, AccountStatus.SUSPENDED, terms);
    assertThat(request.begin(TestAdmission.ACCOUNT, 0)).isEqualTo(Denial.ACCOUNT_SUSPENDED);
    publish(test, 3, AccountStatus.CLOSED, terms);
    assertThat(request.begin(TestAdmission.ACCOUNT, 0)).isEqualTo(Denial.ACCOUNT_CLOSED);
    test.admission.stop();
    assertThat(request.begin(TestAdmission.ACCOUNT, 0)).isEqualTo(Denial.SHUTTING_DOWN);

    assertThat(lease.freeUnits()).isEqualTo(GRANTED);
    assertThat(test.account.overageUsedUnits()).isZero();
    assertThat(test.events()).isEmpty();
  }

  @Test
  void anAccountSuspendedBetweenBeginAndAdmitIsRefused() {
    final TestAdmission test = TestAdmission.strict();
    final HeldLease lease = test.lease(GRANTED);
    final AdmissionRequest request = test.request();
    request.begin(TestAdmission.ACCOUNT, 0);
    publish(test, 2, AccountStatus.SUSPENDED, AccountTerms.STRICT);

    assertThat(request.admit(test.work, 1, 0)).isEqualTo(Denial.ACCOUNT_SUSPENDED);

    assertThat(lease.freeUnits()).isEqualTo(GRANTED);
    assertThat(test.admission.usage().pendingRequests()).isZero();
  }

  @Test
  void whatNoLeaseFundsIsRefusedUnderStrictAndOverageUnderElastic() {
    final TestAdmission strict = TestAdmission.strict();
    strict.lease(GRANTED);
    final AdmissionRequest refused = strict.request();
    refused.begin(TestAdmission.ACCOUNT, 0);
    assertThat(refused.admit(strict.work, GRANTED + 1, 0)).isEqualTo(Denial.INSUFFICIENT_LEASE);

    final TestAdmission elastic = TestAdmission.elastic(GRANTED + 1);
    elastic.lease(GRANTED);
    elastic.started(GRANTED + 1, 0).complete();

    assertThat(elastic.events()).containsExactly("0 overage 21");
    assertThat(elastic.account.overage().committedUnits()).isEqualTo(21);
    assertThat(elastic.account.leases().current().freeUnits()).isEqualTo(GRANTED);
    assertThat(elastic.admission.counters().count(Outcome.ADMITTED_OVERAGE)).isEqualTo(1);
    assertThat(elastic.admission.counters().count(Outcome.COMMITTED_AT_OVERAGE)).isZero();
    assertThat(elastic.admission.counters().count(Outcome.ADMITTED)).isEqualTo(1);
  }

  @Test
  void pendingOverageIsTransientOnlyIfItsReturnWouldMakeRoom() {
    final TestAdmission test = TestAdmission.elastic(CAP);
    final AdmissionRequest pending = test.admitted(CAP, 0);
    final AdmissionRequest asking = test.request();

    asking.begin(TestAdmission.ACCOUNT, 0);
    assertThat(asking.admit(test.work, 1, 0)).isEqualTo(Denial.OVERAGE_TEMPORARILY_EXHAUSTED);
    assertThat(Denial.OVERAGE_TEMPORARILY_EXHAUSTED.retry()).isEqualTo(RetryClass.TRANSIENT);

    assertThat(pending.start(0)).isNull();
    asking.begin(TestAdmission.ACCOUNT, 0);
    assertThat(asking.admit(test.work, 1, 0)).isEqualTo(Denial.OVERAGE_EXHAUSTED);
  }

  @Test
  void evidenceIsConsultedLastAndNeverInPlaceOfOverageThatMayComeBack() {
    final TestAdmission test = TestAdmission.elastic(CAP);
    final AdmissionRequest pending = test.admitted(CAP, 0);
    test.account
        .leases()
        .evidence(new Evidence(0, Long.MAX_VALUE, 1), 0, test.account.leases().fundingEpoch());
    final AdmissionRequest asking = test.request();

    asking.begin(TestAdmission.ACCOUNT, 0);
    assertThat(asking.admit(test.work, 1, 0)).isEqualTo(Denial.OVERAGE_TEMPORARILY_EXHAUSTED);
    pending.start(0);
    asking.begin(TestAdmission.ACCOUNT, 0);
    assertThat(asking.admit(test.work, 1, 0)).isEqualTo(Denial.BALANCE_EXHAUSTED);
    asking.begin(TestAdmission.ACCOUNT, 0);
    assertThat(asking.admit(test.work, 0, 0))
        .as("a zero quote is no evidence and needs none")
        .isNull();
  }

  @Test
  void overageIsNotRefilledByALeaseAPolicyOrADeposit() {
    final TestAdmission test = TestAdmission.elastic(CAP);
    test.started(CAP, 0).complete();
    final AdmissionRequest asking = test.request();

    test.lease(GRANTED);
    test.account.leases().take();
    publish(test, 2, AccountStatus.ACTIVE, AccountTerms.elastic(CAP));
    test.account.leases().fundingChanged();

    asking.begin(TestAdmission.ACCOUNT, 0);
    assertThat(asking.admit(test.work, 1, 0)).isEqualTo(Denial.OVERAGE_EXHAUSTED);
    publish(test, 3, AccountStatus.ACTIVE, AccountTerms.elastic(CAP + 1));
    asking.begin(TestAdmission.ACCOUNT, 0);
    assertThat(asking.admit(test.work, 1, 0)).as("a higher cap adds what it adds").isNull();
  }

  private static void publish(
      final TestAdmission test,
      final long generation,
      final AccountStatus status,
      final AccountTerms terms) {
    assertThat(
            test.account.publish(
                new AccountPolicy(generation, status, CapacityClass.BEST_EFFORT, terms, true)))
        .isTrue();
  }
}
