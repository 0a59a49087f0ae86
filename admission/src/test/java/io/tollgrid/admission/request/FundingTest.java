package io.tollgrid.admission.request;

import static org.assertj.core.api.Assertions.assertThat;

import io.tollgrid.admission.account.AccountState;
import io.tollgrid.admission.concurrency.ExecutionCapacity;
import io.tollgrid.admission.denial.Denial;
import io.tollgrid.admission.lease.HeldLease;
import io.tollgrid.admission.lease.LeaseSlot;
import io.tollgrid.admission.lease.OverageAllowance;
import io.tollgrid.admission.outcome.Outcome;
import io.tollgrid.ledger.AccountTerms;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.RateLimits;
import org.junit.jupiter.api.Test;

/**
 * Witnesses R6, R8, R9 and R33 where what pays changes or gives out: the fallback of several legs
 * at the start, overage that is being committed, and requests with as many parts as fit.
 */
class FundingTest {
  private static final long LAPSED = 950;
  private static final long CAP = 100;

  private final TestKernel kernel = new TestKernel(64, ExecutionCapacity.uniform(10));
  private final AccountState user = kernel.funded(1, AccountTerms.elastic(CAP), 1_000);
  private final AdmissionRequest request = kernel.request();

  // The fallback

  @Test
  void aLegThatCannotFallBackGivesBackWhatTheLegsBeforeItTook() {
    final AccountState team = kernel.funded(2, AccountTerms.elastic(CAP), 1_000);
    final AccountState company = kernel.funded(3, AccountTerms.STRICT, 1_000);
    admit(kernel.principal(1, 0, user, team, company), 10);

    assertThat(request.start(LAPSED)).isEqualTo(Denial.START_LAPSED);

    assertThat(request.refusingLeg()).isEqualTo(2);
    for (final AccountState account : new AccountState[] {user, team, company}) {
      assertThat(account.overageUsedUnits()).isZero();
      assertThat(account.leases().freeUnits()).isEqualTo(1_000);
    }
    assertThat(kernel.admission.capacity().running()).isZero();
    assertThat(kernel.admission.counters().count(Outcome.REFUSED_AT_START)).isEqualTo(1);
  }

  @Test
  void onlyTheLegsWhoseLeaseHasLapsedFallBack() {
    final AccountState team = kernel.account(2, AccountTerms.elastic(CAP));
    kernel.lease(team, 1_000, 10_000);
    final AccountState company = kernel.funded(3, AccountTerms.elastic(CAP), 1_000);
    admit(kernel.principal(1, 0, user, team, company), 10);

    assertThat(request.start(LAPSED)).isNull();
    request.settle(7, LAPSED);

    assertThat(user.overage().committedUnits()).isEqualTo(7);
    assertThat(user.leases().freeUnits()).isEqualTo(1_000);
    assertThat(team.overageUsedUnits()).isZero();
    assertThat(team.leases().freeUnits()).isEqualTo(993);
    assertThat(company.overage().committedUnits()).isEqualTo(7);
    assertThat(kernel.events())
        .containsExactly(
            "1 BILLING 0 Overage 7 units=7",
            "2 CAP 0 Leased 7 units=7",
            "3 CAP 0 Overage 7 units=7");
    assertNoCommitUnderWay(user);
    assertNoCommitUnderWay(company);
    assertThat(kernel.admission.counters().count(Outcome.COMMITTED_AT_OVERAGE)).isEqualTo(1);
  }

  @Test
  void whatWasCancelledBeforeItFellBackTakesNoOverage() {
    admit(kernel.principal(1, 0, user), 10);
    request.split().cancel();

    assertThat(request.start(LAPSED)).isEqualTo(Denial.START_CANCELLED);

    assertThat(user.overageUsedUnits()).isZero();
    assertThat(user.overage().committedUnits()).isZero();
    assertNoCommitUnderWay(user);
    assertThat(user.leases().freeUnits()).isEqualTo(1_000);
    assertThat(kernel.admission.capacity().running()).isZero();
    assertThat(kernel.admission.counters().count(Outcome.COMMITTED_AT_OVERAGE)).isZero();
  }

  @Test
  void whatWasFundedByOverageIsCommittedAtTheStartAndNotCountedAsAFallback() {
    admit(kernel.principal(1, 0, user), 1_000);
    request.start(0);
    request.complete();
    final AdmissionRequest another = kernel.request();
    TestKernel.expectNothing(another.begin(kernel.principal(2, 0, user), 0));
    TestKernel.expectNothing(another.admit(kernel.work, 30, 0));
    assertThat(user.overage().committedUnits()).isZero();

    assertThat(another.start(LAPSED)).isNull();

    assertThat(user.overage().committedUnits()).isEqualTo(30);
    assertNoCommitUnderWay(user);
    assertThat(kernel.admission.counters().count(Outcome.ADMITTED_OVERAGE)).isEqualTo(1);
    assertThat(kernel.admission.counters().count(Outcome.COMMITTED_AT_OVERAGE)).isZero();
  }

  @Test
  void theLegThatOverageFundsIsTheOneThatCommits() {
    final AccountState company = kernel.account(2, AccountTerms.elastic(CAP));
    admit(kernel.principal(1, 0, user, company), 10);
    assertThat(company.overageUsedUnits()).isEqualTo(10);

    assertThat(request.start(0)).isNull();

    assertThat(company.overage().committedUnits()).isEqualTo(10);
    assertThat(user.overageUsedUnits()).isZero();
    assertThat(user.overage().committedUnits()).isZero();
    assertThat(kernel.admission.counters().count(Outcome.ADMITTED_OVERAGE)).isEqualTo(1);
  }

  // What a refusal of overage promises (R33)

  @Test
  void aFallbackIsToldWhetherToComeBack() {
    final Id128 principal = kernel.principal(1, 0, user);
    admit(principal, 10);
    assertThat(user.overage().tryDebit(CAP, CAP)).isEqualTo(OverageAllowance.Debit.TAKEN);
    assertThat(request.start(LAPSED)).isEqualTo(Denial.START_OVERAGE_TEMPORARILY_EXHAUSTED);

    kernel.lease(user, 1_000, 1_000);
    admit(principal, 10);
    user.overage().beginCommit();
    assertThat(request.start(LAPSED)).isEqualTo(Denial.START_OVERAGE_COMMIT_IN_PROGRESS);

    user.overage().endCommit(CAP);
    kernel.lease(user, 1_000, 1_000);
    admit(principal, 10);
    assertThat(request.start(LAPSED)).isEqualTo(Denial.START_OVERAGE_EXHAUSTED);
  }

  @Test
  void aReservationIsToldWhetherToComeBack() {
    final Id128 principal = kernel.principal(1, 0, user);
    assertThat(user.leases().tryDebit(1_000, 0, 0)).isNotNull();
    assertThat(user.overage().tryDebit(CAP, CAP)).isEqualTo(OverageAllowance.Debit.TAKEN);
    TestKernel.expectNothing(request.begin(principal, 0));
    assertThat(request.admit(kernel.work, 1, 0)).isEqualTo(Denial.OVERAGE_TEMPORARILY_EXHAUSTED);
    user.overage().beginCommit();
    TestKernel.expectNothing(request.begin(principal, 0));
    assertThat(request.admit(kernel.work, 1, 0)).isEqualTo(Denial.OVERAGE_COMMIT_IN_PROGRESS);
    user.overage().endCommit(CAP);
    TestKernel.expectNothing(request.begin(principal, 0));
    assertThat(request.admit(kernel.work, 1, 0)).isEqualTo(Denial.OVERAGE_EXHAUSTED);
  }

  @Test
  void overageThatIsExhaustedDoesNotHideAConflict() {
    assertThat(user.overage().tryDebit(CAP, CAP)).isEqualTo(OverageAllowance.Debit.TAKEN);
    user.overage().beginCommit();
    user.overage().endCommit(CAP);
    assertThat(user.leases().tryDebit(500, 0, 0)).isNotNull();
    user.leases().beginTentative(500);
    TestKernel.expectNothing(request.begin(kernel.principal(1, 0, user), 0));

    assertThat(request.admit(kernel.work, 501, 0)).isEqualTo(Denial.LEG_CONFLICT);
    assertThat(user.leases().demandUnits()).isZero();
  }

  // Rates (R9)

  @Test
  void whatIsUsedAboveTheReservationIsChargedToTheRate() {
    final Id128 principal = kernel.principal(1, 0, user);
    user.rates().publish(new RateLimits(0, 0, 10, 10), 1, 10);
    admit(principal, 2);
    request.start(0);
    request.settle(5, 0);

    assertThat(user.rates().peek(6, 0, 0)).isEqualTo(Denial.RATE_LIMITED);
    assertThat(user.rates().peek(5, 0, 0)).isNull();
  }

  @Test
  void whatIsNotUsedGoesBackToTheRate() {
    final Id128 principal = kernel.principal(1, 0, user);
    user.rates().publish(new RateLimits(0, 0, 10, 10), 1, 10);
    admit(principal, 7);
    request.start(0);
    assertThat(request.extend(2, 0)).isNull();
    request.settle(5, 0);

    assertThat(user.rates().peek(6, 0, 0)).isEqualTo(Denial.RATE_LIMITED);
    assertThat(user.rates().peek(5, 0, 0)).isNull();
  }

  // Parts

  @Test
  void unitsThatDoNotFitAreRefused() {
    admit(kernel.principal(1, 0, user), 10);
    request.start(0);

    assertThat(request.extend(Long.MAX_VALUE - 9, 0)).isEqualTo(Denial.COST_OVERFLOW);
    assertThat(request.extend(Long.MAX_VALUE - 10, 0)).isEqualTo(Denial.OVERAGE_EXHAUSTED);
  }

  @Test
  void anExtensionThatHasNoPlaceGivesItsLeaseBackWhatItTook() {
    final AdmissionRequest full = full();
    final HeldLease last = kernel.lease(user, 5, 1_000);

    assertThat(full.extend(2, 0)).isEqualTo(Denial.TOO_MANY_ITEMS);
    assertThat(last.freeUnits()).isEqualTo(5);
    assertThat(full.extend(6, 0)).as("nor has overage a place").isEqualTo(Denial.TOO_MANY_ITEMS);
    assertThat(user.overageUsedUnits()).isZero();
    full.complete();
    assertThat(full.settledUnits()).isEqualTo(UsageSlot.MAX_PARTS - 1);
  }

  @Test
  void aSettlementThatHasNoPlaceIsRecordedAsUnfunded() {
    final AdmissionRequest full = full();
    final HeldLease last = kernel.lease(user, 5, 1_000);

    full.settle(UsageSlot.MAX_PARTS + 1, 0);

    assertThat(last.freeUnits()).isEqualTo(5);
    assertThat(user.overageUsedUnits()).isZero();
    assertThat(full.unfundedUnits()).isEqualTo(2);
    assertThat(full.settledUnits()).isEqualTo(UsageSlot.MAX_PARTS + 1);
  }

  @Test
  void aSettlementBelowGivesBackPartByPart() {
    final AdmissionRequest full = full();
    final HeldLease last = user.leases().current();

    full.settle(2, 0);

    assertThat(last.freeUnits()).isEqualTo(1);
    assertThat(full.settledUnits()).isEqualTo(2);
    assertThat(kernel.events())
        .containsExactly("1 BILLING 0 Leased 1 units=1", "1 BILLING 1 Leased 1 units=1");
  }

  @Test
  void aSettlementOnOverageIsCommitted() {
    admit(kernel.principal(1, 0, user), 1_000);
    request.start(0);
    request.settle(1_040, 0);

    assertThat(request.overageUnits()).isEqualTo(40);
    assertThat(user.overage().committedUnits()).isEqualTo(40);
    assertNoCommitUnderWay(user);
  }

  /** A request each of whose parts is of another lease, with room for nothing but its deficit. */
  private AdmissionRequest full() {
    kernel.lease(user, 1, 1_000);
    final AdmissionRequest full = kernel.started(kernel.principal(1, 0, user), kernel.work, 1);
    for (int part = 1; part < UsageSlot.MAX_PARTS - 1; part++) {
      kernel.lease(user, 1, 1_000);
      assertThat(full.extend(1, 0)).isNull();
    }
    return full;
  }

  // Hidden units (R8)

  @Test
  void aSettlementDoesNotWaitForEverForWhatIsHidden() {
    final LeaseSlot leases = user.leases();
    admit(kernel.principal(1, 0, user), 10);
    request.start(0);
    leases.beginTentative(990);
    assertThat(leases.tryDebit(990, 0, 0)).isNotNull();

    request.settle(30, 0);

    assertThat(request.overageUnits()).isEqualTo(20);
  }

  private void admit(final Id128 principal, final long items) {
    TestKernel.expectNothing(request.begin(principal, 0));
    TestKernel.expectNothing(request.admit(kernel.work, items, 0));
  }

  private static void assertNoCommitUnderWay(final AccountState account) {
    assertThat(account.overage().tryDebit(CAP + 1, CAP))
        .isEqualTo(OverageAllowance.Debit.EXHAUSTED);
  }
}
