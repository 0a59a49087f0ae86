package io.tollgrid.admission.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.tollgrid.admission.account.AccountState;
import io.tollgrid.admission.concurrency.ExecutionCapacity;
import io.tollgrid.admission.denial.Denial;
import io.tollgrid.admission.lease.LeaseSlot;
import io.tollgrid.admission.lease.OverageAllowance;
import io.tollgrid.admission.outcome.Outcome;
import io.tollgrid.admission.outcome.OutcomeCounters;
import io.tollgrid.admission.session.Credential;
import io.tollgrid.admission.session.Session;
import io.tollgrid.ledger.AccountPolicy;
import io.tollgrid.ledger.AccountStatus;
import io.tollgrid.ledger.AccountTerms;
import io.tollgrid.ledger.CapacityClass;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.policy.MeterPrice;
import io.tollgrid.ledger.policy.Plan;
import io.tollgrid.ledger.policy.SnapshotLeg;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Witnesses R5, R9, R21 and R32 in what one request object says and counts from step to step, and
 * that whatever ended a request leaves the object ready for the next.
 */
class RequestObjectTest {
  private static final long MINUTE = 60_000_000_000L;
  private static final long LATER = 20 * MINUTE;
  private static final long FOR_EVER = Long.MAX_VALUE;

  private final TestKernel kernel = new TestKernel();
  private final AccountState account = kernel.funded(1, AccountTerms.STRICT, 100);
  private final Id128 principal = kernel.principal(1, 0, account);
  private final AdmissionRequest request = kernel.request();

  // What is counted

  @Test
  void everyDenialIsCountedUnderItsName() {
    begin();
    assertThat(request.admit(kernel.work, 101, 0)).isEqualTo(Denial.INSUFFICIENT_LEASE);
    assertThat(request.begin(new Id128(9, 9), 0)).isEqualTo(Denial.UNKNOWN_PRINCIPAL);

    final OutcomeCounters counters = kernel.admission.counters();
    assertThat(counters.denials(Denial.INSUFFICIENT_LEASE)).isEqualTo(1);
    assertThat(counters.denials(Denial.UNKNOWN_PRINCIPAL)).isEqualTo(1);
    assertThat(counters.denied()).isEqualTo(2);
  }

  @Test
  void aRefusalAtTheStartIsCountedUnderItsName() {
    admitted(10);
    assertThat(request.start(950)).isEqualTo(Denial.START_LAPSED);

    assertThat(kernel.admission.counters().denials(Denial.START_LAPSED)).isEqualTo(1);
  }

  @Test
  void aClosedObjectsCountsStay() {
    started(10);
    request.complete();
    request.close();

    assertThat(kernel.admission.counters().count(Outcome.ADMITTED)).isEqualTo(1);
    assertThat(kernel.admission.counters().count(Outcome.SETTLED)).isEqualTo(1);
  }

  // Sessions

  @Test
  void aProvedCredentialIsRefusedLikeAnyoneElse() {
    final Session session = session(new Id128(9, 9));

    assertThat(request.begin(session, null, 0)).isEqualTo(Denial.UNKNOWN_PRINCIPAL);
  }

  @Test
  void nothingProvedIsNobodyAndNotWhoeverAskedBefore() {
    begin();
    assertThat(request.admit(kernel.work, 101, 0)).isEqualTo(Denial.INSUFFICIENT_LEASE);
    final Session session = new Session((secret, length, nowNanos) -> null);

    assertThat(request.begin(session, null, 3 * MINUTE)).isEqualTo(Denial.UNKNOWN_PRINCIPAL);

    assertThat(request.refusingAccount()).isNull();
    assertThat(request.retryAtNanos()).isEqualTo(3 * MINUTE);
    final List<Id128> denied = new ArrayList<>();
    kernel.admission.denials().drain(FOR_EVER, entry -> denied.add(entry.principal()));
    assertThat(denied).containsExactlyInAnyOrder(principal, Id128.ZERO);
  }

  @Test
  void aSessionBeginsNothingWhileARequestIsOpen() {
    final Session nobody = new Session((secret, length, nowNanos) -> null);
    begin();

    assertThatIllegalStateException().isThrownBy(() -> request.begin(nobody, null, 0));
    assertThat(request.admit(kernel.work, 1, 0)).isNull();
  }

  @Test
  void aSessionsUseIsAttributedToItsCredential() {
    assertThat(request.begin(session(principal), null, 0)).isNull();
    assertThat(request.admit(kernel.work, 1, 0)).isNull();
    assertThat(request.start(0)).isNull();
    request.complete();

    assertThat(kernel.admission.usage().poll().keyId()).isEqualTo(new Id128(4, 4));
  }

  // Order

  @Test
  void whatWasBegunIsForgottenByACancellation() {
    begin();
    request.cancel();
    begin();

    assertThat(request.admit(kernel.work, 1, 0)).isNull();
  }

  @Test
  void whatAnotherThreadCancelledLeavesTheObjectReady() {
    admitted(10);
    final CancelHandle handle = request.split();
    handle.cancel();
    request.cancel();

    started(10);
    assertThat(kernel.admission.counters().count(Outcome.CANCELLED_BEFORE_START)).isEqualTo(1);
    assertThat(account.leases().freeUnits()).isEqualTo(90);
  }

  @Test
  void aStartAfterACancellationLeavesTheObjectReady() {
    admitted(10);
    final CancelHandle handle = request.split();
    handle.cancel();
    assertThat(request.start(0)).isEqualTo(Denial.START_CANCELLED);

    started(10);
  }

  @Test
  void thereIsNothingToReadOfARequestThatIsOver() {
    started(10);
    request.complete();

    assertThatIllegalStateException().isThrownBy(request::isStopRequested);
    assertThatIllegalStateException().isThrownBy(request::split);
  }

  @Test
  void theMessageNamesTheCallThatIsMissingOrExtra() {
    final Runnable begin = () -> request.begin(principal, 0);
    final Runnable admit = () -> request.admit(kernel.work, 0);
    final Runnable items = () -> request.admit(kernel.work, -1, 0);
    final Runnable start = () -> request.start(0);
    assertSays(admit, "admit() without a request: call begin() first");
    assertSays(items, "admit() without a request: call begin() first");
    begin();
    assertSays(
        begin, "begin() twice: the request was begun and not admitted; call admit() or cancel()");
    assertSays(start, "start() too early: the request is begun; call admit() first");
    assertThat(request.admit(kernel.work, 1, 0)).isNull();
    assertSays(begin, "begin() while a request is admitted: call start() or cancel() first");
    assertSays(admit, "admit() while a request is admitted: call start() or cancel() first");
    assertSays(
        request::complete, "complete() too early: the request is admitted; call start() first");
    assertSays(
        () -> request.extendItems(-1, 0),
        "extendItems() too early: the request is admitted; call start() first");
    assertSays(
        () -> request.settleItems(-1, 0),
        "settleItems() too early: the request is admitted; call start() first");
    assertThat(request.start(0)).isNull();
    assertSays(start, "start() while a request runs: call complete() or settle() first");
    request.close();
    assertSays(begin, "begin() after close(): make a new request with Admission.newRequest()");
  }

  private static void assertSays(final Runnable call, final String message) {
    assertThatIllegalStateException().isThrownBy(call::run).withMessage(message);
  }

  @Test
  void unitsAreNotWhatARequestOnSeveralMetersCountsIn() {
    final AdmissionRequest several = startedOf("both", 10);

    assertThatIllegalStateException()
        .isThrownBy(() -> several.extend(1, 0))
        .withMessageContaining("both")
        .withMessageContaining("call extendItems(items)");
    assertThatIllegalStateException()
        .isThrownBy(() -> several.settle(1, 0))
        .withMessageContaining("both")
        .withMessageContaining("call settleItems(items)");
    several.settleItems(4, 0);
    assertThat(several.settledUnits()).isEqualTo(8);
  }

  /** A request of one operation of a plan with two meters, or with a dear one, that has started. */
  private AdmissionRequest startedOf(final String operation, final long items) {
    kernel.publish(
        Plan.open(
            "several",
            TestKernel.price("both", MeterPrice.perItem("in"), MeterPrice.perItem("out")),
            TestKernel.price("dear", new MeterPrice("units", 0, 1L << 62, 0))));
    final Id128 asking = kernel.principal(5, "several", 0, List.of(SnapshotLeg.of(account.id())));
    return kernel.started(asking, kernel.admission.catalogue().operation(operation), items);
  }

  @Test
  void whatIsOpenIsReadByItsOwnThreadAlone() throws InterruptedException {
    started(10);
    final List<Throwable> told = new ArrayList<>();
    final Thread stranger =
        new Thread(
            () -> {
              try {
                told.add(new AssertionError("read: " + request.reservedUnits()));
              } catch (IllegalStateException e) {
                told.add(e);
              }
            });
    stranger.start();
    stranger.join();

    assertThat(told).hasSize(1);
    assertThat(told.get(0)).hasMessageContaining("reservedUnits() on thread");
  }

  // Shutting down

  @Test
  void nothingIsAdmittedOnceItIsStoppedThoughItWasBegun() {
    begin();
    kernel.admission.stop();

    assertThat(request.admit(kernel.work, 1, 0)).isEqualTo(Denial.SHUTTING_DOWN);
    assertThat(account.leases().freeUnits()).isEqualTo(100);
  }

  // When

  @Test
  void aDenialOfAdmissionIsOfItsOwnTime() {
    begin();
    assertThat(request.admit(kernel.admission.catalogue().operation("none"), MINUTE))
        .isEqualTo(Denial.UNKNOWN_OPERATION);

    assertThat(request.retryAtNanos()).isEqualTo(MINUTE);
  }

  @Test
  void aRefusalAtTheStartIsOfItsOwnTime() {
    final TestKernel one = new TestKernel(4, ExecutionCapacity.uniform(1));
    final Id128 asking = one.principal(1, 0, one.funded(1, AccountTerms.STRICT, 100));
    one.started(asking, one.work, 1);
    final AdmissionRequest shed = one.request();
    TestKernel.expectNothing(shed.begin(asking, 0));
    TestKernel.expectNothing(shed.admit(one.work, 1, 0));

    assertThat(shed.start(7)).isEqualTo(Denial.START_CAPACITY_SHED);

    assertThat(shed.retryAtNanos()).isEqualTo(7);
  }

  @Test
  void anEventIsOfTheTimeOfTheStart() {
    admitted(10);
    assertThat(request.start(7)).isNull();
    request.complete();

    final UsageSlot recorded = kernel.admission.usage().poll();
    assertThat(recorded.occurredAtNanos()).isEqualTo(7);
  }

  @Test
  void anEventHasTheIdThatTheRequestHad() {
    started(10);
    final long high = request.requestIdHigh();
    final long low = request.requestIdLow();
    request.complete();

    final UsageSlot recorded = kernel.admission.usage().poll();
    assertThat(recorded.requestIdHigh()).isEqualTo(high).isNotZero();
    assertThat(recorded.requestIdLow()).isEqualTo(low).isNotZero();
  }

  @Test
  void howLongARequestIsPendingCountsFromItsOwnAdmission() {
    kernel.lease(account, 100, FOR_EVER);
    begin(LATER);
    assertThat(request.admit(kernel.work, 1, LATER)).isNull();

    assertThat(kernel.admission.sweepOverdue(LATER + MINUTE)).isZero();
    assertThat(kernel.admission.sweepOverdue(LATER + MINUTE + 1)).isEqualTo(1);
  }

  // Start

  @Test
  void whatWasCancelledBeforeItIsShedIsGivenBackOnce() {
    final TestKernel one = new TestKernel(4, ExecutionCapacity.uniform(1));
    final AccountState its = one.funded(1, AccountTerms.STRICT, 100);
    final Id128 asking = one.principal(1, 0, its);
    one.started(asking, one.work, 1);
    final AdmissionRequest shed = one.request();
    TestKernel.expectNothing(shed.begin(asking, 0));
    TestKernel.expectNothing(shed.admit(one.work, 10, 0));
    shed.split().cancel();

    assertThat(shed.start(0)).isEqualTo(Denial.START_CANCELLED);

    assertThat(its.leases().freeUnits()).isEqualTo(99);
    assertThat(one.admission.counters().count(Outcome.CAPACITY_SHED)).isZero();
    assertThat(one.admission.counters().denials(Denial.START_CAPACITY_SHED)).isZero();
  }

  // Extensions

  @Test
  void anExtensionBeyondAnyPriceIsRefusedAndTheRequestRunsOn() {
    final AdmissionRequest dear = startedOf("dear", 0);

    assertThat(dear.extendItems(FOR_EVER, 0)).isEqualTo(Denial.COST_OVERFLOW);
    assertThat(dear.extendItems(2, 0)).isEqualTo(Denial.COST_OVERFLOW);
    assertThat(kernel.admission.counters().count(Outcome.EXTENSION_REFUSED)).isEqualTo(2);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> dear.settleItems(2, 0))
        .withMessageContaining("2 items");
    dear.settleItems(0, 0);
    assertThat(dear.settledUnits()).isZero();
  }

  @Test
  void moreItemsThanCanBeCountedAreRefused() {
    started(10);
    assertThat(request.extendItems(FOR_EVER - 9, 0)).isEqualTo(Denial.COST_OVERFLOW);

    request.complete();
    assertThat(request.settledUnits()).isEqualTo(10);
  }

  @Test
  void anExtensionInItemsThatNobodyFundsIsRefused() {
    started(10);
    assertThat(request.extendItems(91, 0)).isEqualTo(Denial.INSUFFICIENT_LEASE);
    assertThat(request.extendItems(90, 0)).isNull();

    assertThat(request.reservedUnits()).isEqualTo(100);
  }

  @Test
  void negativeItemsAreRefusedAndTheRequestRunsOn() {
    started(10);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> request.extendItems(-1, 0))
        .withMessage("an extension of items cannot be -1");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> request.settleItems(-1, 0))
        .withMessage("a settlement in items cannot be -1");

    request.settleItems(3, 0);
    assertThat(request.settledUnits()).isEqualTo(3);
  }

  @Test
  void aSuspendedAccountExtendsNothing() {
    started(10);
    assertThat(
            account.publish(
                new AccountPolicy(
                    2,
                    AccountStatus.SUSPENDED,
                    CapacityClass.BEST_EFFORT,
                    AccountTerms.STRICT,
                    false)))
        .isTrue();

    assertThat(request.extend(1, 0)).isEqualTo(Denial.ACCOUNT_SUSPENDED);

    assertThat(request.refusingAccount()).isSameAs(account);
    assertThat(request.refusingLeg()).isZero();
    request.complete();
    assertThat(request.settledUnits()).isEqualTo(10);
  }

  @Test
  void anExtensionThatIsFundedForgetsTheRefusalBeforeIt() {
    started(10);
    assertThat(request.extend(91, 0)).isEqualTo(Denial.INSUFFICIENT_LEASE);
    assertThat(request.refusingAccount()).isSameAs(account);
    assertThat(request.remainingUnits()).isEqualTo(90);

    assertThat(request.extend(1, 0)).isNull();

    assertThat(request.refusingAccount()).isNull();
    assertThat(request.refusingLeg()).isEqualTo(-1);
    assertThat(request.remainingUnits()).isZero();
  }

  @Test
  void anExtensionByNothingEndsNoCommitOfTheOneBefore() {
    final AccountState elastic = kernel.funded(2, AccountTerms.elastic(50), 10);
    final AdmissionRequest extended =
        kernel.started(kernel.principal(2, 0, elastic), kernel.work, 10);
    assertThat(extended.extend(50, 0)).isNull();
    assertThat(extended.extend(0, 0)).isNull();

    assertThat(elastic.overage().committedUnits()).isEqualTo(50);
    assertThat(elastic.overage().tryDebit(1, 50)).isEqualTo(OverageAllowance.Debit.EXHAUSTED);
  }

  @Test
  void aLegThatRefusesAnExtensionHidNothing() {
    final AccountState company = kernel.funded(2, AccountTerms.STRICT, 1_000);
    final Id128 both = kernel.principal(2, 0, account, company);
    final AdmissionRequest extended = kernel.started(both, kernel.work, 10);
    final LeaseSlot leases = account.leases();
    final long moment = leases.moment();

    assertThat(extended.extend(91, 0)).isEqualTo(Denial.INSUFFICIENT_LEASE);

    assertThat(leases.hiddenUnits(moment, 0)).as("it took nothing").isZero();
    assertThat(leases.freeUnits()).isEqualTo(90);
    assertThat(company.leases().freeUnits()).isEqualTo(990);
  }

  @Test
  void anExtensionOfAsManyLegsAsThereMayBeIsUndoneByTheLast() {
    final List<AccountState> accounts = new ArrayList<>();
    for (int leg = 0; leg < UsageSlot.MAX_LEGS; leg++) {
      accounts.add(
          kernel.funded(10 + leg, AccountTerms.STRICT, leg == UsageSlot.MAX_LEGS - 1 ? 10 : 100));
    }
    final Id128 many = kernel.principal(3, 0, accounts.toArray(AccountState[]::new));
    final AdmissionRequest extended = kernel.started(many, kernel.work, 5);

    assertThat(extended.extend(6, 0)).isEqualTo(Denial.INSUFFICIENT_LEASE);
    assertThat(extended.refusingLeg()).isEqualTo(UsageSlot.MAX_LEGS - 1);
    for (int leg = 0; leg < UsageSlot.MAX_LEGS - 1; leg++) {
      assertThat(accounts.get(leg).leases().freeUnits()).isEqualTo(95);
    }
    assertThat(extended.extend(5, 0)).isNull();
    extended.complete();
    assertThat(kernel.events()).hasSize(2 * UsageSlot.MAX_LEGS);
  }

  // What it came to

  @Test
  void theHomeAccountsUnitsOnOverageAreSaid() {
    final AccountState elastic = kernel.funded(2, AccountTerms.elastic(50), 10);
    final Id128 asking = kernel.principal(2, 0, elastic);
    final AdmissionRequest settled = kernel.started(asking, kernel.work, 10);
    settled.settle(17, 0);

    assertThat(settled.overageUnits()).isEqualTo(7);
    assertThat(settled.unfundedUnits()).isZero();
    TestKernel.expectNothing(settled.begin(asking, 0));
    assertThat(settled.overageUnits()).isZero();
    assertThat(settled.settledUnits()).isZero();
  }

  @Test
  void whatNobodyFundedIsForgottenWhenTheNextBegins() {
    started(10);
    request.settle(200, 0);
    assertThat(request.unfundedUnits()).isEqualTo(190);
    begin();

    assertThat(request.unfundedUnits()).isZero();
  }

  // Helpers

  private Session session(final Id128 speaksFor) {
    final Session session =
        new Session(
            (secret, length, nowNanos) -> new Credential(new Id128(4, 4), speaksFor, FOR_EVER));
    assertThat(session.authenticate(new byte[] {1}, 1, 0)).isTrue();
    return session;
  }

  private void begin() {
    begin(0);
  }

  private void begin(final long nowNanos) {
    TestKernel.expectNothing(request.begin(principal, nowNanos));
  }

  private void admitted(final long items) {
    begin();
    TestKernel.expectNothing(request.admit(kernel.work, items, 0));
  }

  private void started(final long items) {
    admitted(items);
    TestKernel.expectNothing(request.start(0));
  }
}
