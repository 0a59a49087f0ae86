package io.tollgrid.admission.request;

import static org.assertj.core.api.Assertions.assertThat;

import io.tollgrid.admission.account.AccountState;
import io.tollgrid.admission.denial.Denial;
import io.tollgrid.admission.denial.RetryClass;
import io.tollgrid.admission.lease.OverageAllowance;
import io.tollgrid.admission.plan.Operation;
import io.tollgrid.admission.session.Credential;
import io.tollgrid.admission.session.Session;
import io.tollgrid.ledger.AccountTerms;
import io.tollgrid.ledger.Bits256;
import io.tollgrid.ledger.Evidence;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.policy.MeterPrice;
import io.tollgrid.ledger.policy.Permissions;
import io.tollgrid.ledger.policy.Plan;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Witnesses R8: all legs of a request pay or none does, a refusal names its leg and leaves nothing
 * behind, and two requests that undo each other are told to come back and record no demand; and for
 * legs what R5 and R9 ask of one, and R25 (the policy's identity travels to the event).
 */
@Timeout(60)
class LegsTest {
  /** How long who is told to come back stays away. */
  private static final long COMES_BACK_AFTER_NANOS = 100_000;

  private final TestKernel kernel = new TestKernel();

  @Test
  void everyLegPaysAndTheHomeAccountAloneIsBilled() {
    final AccountState user = kernel.funded(1, AccountTerms.STRICT, 100);
    final AccountState team = kernel.funded(2, AccountTerms.STRICT, 100);
    final AccountState company = kernel.funded(3, AccountTerms.STRICT, 100);
    final Id128 principal = kernel.principal(1, 0, user, team, company);

    kernel.started(principal, kernel.work, 10).complete();

    assertThat(kernel.events())
        .containsExactly(
            "1 BILLING 0 Leased 10 units=10",
            "2 CAP 0 Leased 10 units=10",
            "3 CAP 0 Leased 10 units=10");
    for (final AccountState account : List.of(user, team, company)) {
      assertThat(account.leases().freeUnits()).isEqualTo(90);
    }
  }

  @Test
  void aSettlementAndAnExtensionReachEveryLeg() {
    final AccountState user = kernel.funded(1, AccountTerms.STRICT, 100);
    final AccountState company = kernel.funded(2, AccountTerms.STRICT, 14);
    final AdmissionRequest request =
        kernel.started(kernel.principal(1, 0, user, company), kernel.work, 10);

    assertThat(request.extend(3, 0)).isNull();
    assertThat(request.extend(2, 0)).isEqualTo(Denial.INSUFFICIENT_LEASE);
    assertThat(request.refusingAccount()).isSameAs(company);
    assertThat(request.refusingLeg()).isEqualTo(1);
    assertThat(user.leases().freeUnits()).as("the other leg gave back").isEqualTo(87);
    request.settle(16, 0);

    assertThat(kernel.events())
        .containsExactly(
            "1 BILLING 0 Leased 10 units=10",
            "2 CAP 0 Leased 10 units=10",
            "1 BILLING 1 Leased 3 units=3",
            "2 CAP 1 Leased 3 units=3",
            "1 BILLING 2 Leased 3 units=3",
            "2 CAP 2 Unfunded 3 units=3");
  }

  @Test
  void aLegThatCannotPayIsNamedAndNothingIsLeftBehindOnAnyOther() {
    final AccountState user = kernel.funded(1, AccountTerms.STRICT, 100);
    final AccountState company = kernel.funded(2, AccountTerms.STRICT, 9);
    final Id128 principal = kernel.principal(1, 5, user, company);
    final AdmissionRequest request = kernel.request();

    assertThat(request.begin(principal, 0)).isNull();
    assertThat(request.admit(kernel.work, 10, 0)).isEqualTo(Denial.INSUFFICIENT_LEASE);

    assertThat(request.refusingAccount()).isSameAs(company);
    assertThat(request.remainingUnits()).isEqualTo(9);
    assertThat(user.leases().freeUnits()).isEqualTo(100);
    assertThat(user.gauge().running()).isZero();
    assertThat(company.gauge().running()).isZero();
    assertThat(kernel.admission.usage().pendingRequests()).isZero();
    assertThat(user.leases().demandUnits()).isZero();
    assertThat(company.leases().demandUnits()).as("asked for where it is missing").isEqualTo(10);

    assertThat(request.begin(principal, 0)).isNull();
    assertThat(request.admit(kernel.work, 9, 0)).as("to the last unit").isNull();
    request.cancel();
    assertThat(company.leases().freeUnits()).isEqualTo(9);
  }

  /** What others hold for a moment is a reason to come back only if it would be enough. */
  @Test
  void onlyUnitsThatMayComeBackMakeAConflict() {
    final AccountState shared = kernel.funded(1, AccountTerms.STRICT, 10);
    final AdmissionRequest request = kernel.request();
    final Id128 principal = kernel.principal(1, 0, shared);
    kernel.started(principal, kernel.work, 6);
    shared.leases().beginTentative(3);

    assertThat(request.begin(principal, 0)).isNull();
    assertThat(request.admit(kernel.work, 7, 0)).isEqualTo(Denial.LEG_CONFLICT);
    assertThat(shared.leases().demandUnits()).as("no demand").isZero();
    assertThat(request.begin(principal, 0)).isNull();
    assertThat(request.admit(kernel.work, 8, 0)).isEqualTo(Denial.INSUFFICIENT_LEASE);
    assertThat(shared.leases().demandUnits()).isEqualTo(8);
    shared.leases().endTentative(3, false);
    assertThat(request.begin(principal, 0)).isNull();
    assertThat(request.admit(kernel.work, 7, 0)).isEqualTo(Denial.INSUFFICIENT_LEASE);
  }

  @Test
  void aConflictHidesNeitherEvidenceNorThatThereIsNoLease() {
    final AccountState shared = kernel.funded(1, AccountTerms.STRICT, 4);
    final AdmissionRequest request = kernel.request();
    final Id128 principal = kernel.principal(1, 0, shared);
    shared.leases().beginTentative(1_000);
    shared.leases().evidence(new Evidence(6, 1_000, 1), 0, shared.leases().fundingEpoch());

    assertThat(request.begin(principal, 0)).isNull();
    assertThat(request.admit(kernel.work, 7, 0)).isEqualTo(Denial.BALANCE_INSUFFICIENT);
    assertThat(request.begin(principal, 0)).isNull();
    assertThat(request.admit(kernel.work, 5, 0)).isEqualTo(Denial.INSUFFICIENT_LEASE);
    assertThat(shared.leases().take()).isNotNull();
    assertThat(request.begin(principal, 0)).isNull();
    assertThat(request.admit(kernel.work, 6, 0)).isEqualTo(Denial.NO_LEASE);
  }

  /** The last leg's debit is never undone, so nobody has to come back because of it. */
  @Test
  void whatWasUndoneIsCountedOnTheLegsThatHadPaid() {
    final AccountState user = kernel.funded(1, AccountTerms.STRICT, 100);
    final AccountState company = kernel.funded(2, AccountTerms.STRICT, 9);
    final AdmissionRequest request = kernel.request();
    final long ofUser = user.leases().moment();
    final long ofCompany = company.leases().moment();

    assertThat(request.begin(kernel.principal(1, 0, user, company), 0)).isNull();
    assertThat(request.admit(kernel.work, 10, 0)).isEqualTo(Denial.INSUFFICIENT_LEASE);

    assertThat(user.leases().hiddenUnits(ofUser, 0)).isEqualTo(10);
    assertThat(company.leases().hiddenUnits(ofCompany, 0)).isZero();
  }

  @Test
  void anExtensionThatIsRefusedTakesBackItsOwnUnitsAndNoEarlierOnes() {
    final AccountState user = kernel.funded(1, AccountTerms.elastic(100), 12);
    final AccountState company = kernel.funded(2, AccountTerms.STRICT, 16);
    final AdmissionRequest request =
        kernel.started(kernel.principal(1, 0, user, company), kernel.work, 10);
    assertThat(request.extend(5, 0)).isNull();
    assertThat(user.overage().committedUnits()).isEqualTo(5);
    final long moment = user.leases().moment();

    assertThat(request.extend(2, 0)).isEqualTo(Denial.INSUFFICIENT_LEASE);
    assertThat(user.leases().freeUnits()).isEqualTo(2);
    assertThat(user.leases().hiddenUnits(moment, 0)).as("it had been announced").isEqualTo(2);
    assertThat(request.extend(3, 0)).isEqualTo(Denial.INSUFFICIENT_LEASE);

    assertThat(user.overageUsedUnits()).isEqualTo(5);
    assertThat(user.overage().committedUnits()).isEqualTo(5);
    assertThat(user.overage().tryDebit(101, 100)).isEqualTo(OverageAllowance.Debit.EXHAUSTED);
    request.complete();
    assertThat(kernel.events())
        .containsExactly(
            "1 BILLING 0 Leased 10 units=10",
            "2 CAP 0 Leased 10 units=10",
            "1 BILLING 1 Overage 5 units=5",
            "2 CAP 1 Leased 5 units=5");
  }

  /** Exactly one leg is billed, and it is the home account's, though it counts nothing. */
  @Test
  void theHomeAccountIsTheBillingLegOfAnOperationThatOnlyOthersCount() {
    final AccountState home = kernel.account(1, AccountTerms.STRICT);
    final AccountState gpu = kernel.funded(2, AccountTerms.STRICT, 100);
    final Operation train = kernel.admission.catalogue().operation("train");
    kernel.publish(Plan.open("gpu", TestKernel.price("train", MeterPrice.perItem("gpu.seconds"))));
    final Id128 principal =
        kernel.principal(
            1,
            "gpu",
            0,
            List.of(TestKernel.leg(home, "units"), TestKernel.leg(gpu, "gpu.seconds")));

    final AdmissionRequest request = kernel.started(principal, train, 10);
    assertThat(request.extend(3, 0)).isNull();
    request.settle(12, 0);

    assertThat(kernel.events())
        .containsExactly(
            "1 BILLING 0 Unfunded 0",
            "2 CAP 0 Leased 10 gpu.seconds=10",
            "2 CAP 1 Leased 2 gpu.seconds=2");
  }

  @Test
  void evidenceOfOneLegIsFinalForTheRequest() {
    final AccountState user = kernel.funded(1, AccountTerms.STRICT, 100);
    final AccountState company = kernel.account(2, AccountTerms.STRICT);
    final Id128 principal = kernel.principal(1, 0, user, company);
    company.leases().evidence(new Evidence(3, 10_000, 1), company.leases().fundingEpoch(), 0);
    final AdmissionRequest request = kernel.request();

    assertThat(request.begin(principal, 0)).isNull();
    assertThat(request.admit(kernel.work, 4, 0)).isEqualTo(Denial.BALANCE_INSUFFICIENT);
    assertThat(request.remainingUnits()).isEqualTo(3);
  }

  @Test
  void twoMetersOnOneAccountAreBothBilled() {
    final Operation chat = kernel.admission.catalogue().operation("chat");
    kernel.publish(
        Plan.open(
            "chat",
            TestKernel.price(
                "chat", new MeterPrice("tokens", 5, 2, 0), new MeterPrice("calls", 1, 0, 0))));
    final AccountState user = kernel.funded(1, AccountTerms.STRICT, 100);
    final Id128 principal =
        kernel.principal(
            1, "chat", 0, List.of(TestKernel.leg(user, "tokens"), TestKernel.leg(user, "calls")));

    kernel.started(principal, chat, 10).complete();
    kernel.started(principal, chat, 10).settleItems(4, 0);
    final AdmissionRequest extended = kernel.started(principal, chat, 1);
    assertThat(extended.extendItems(2, 0)).isNull();
    extended.complete();

    assertThat(kernel.events())
        .containsExactly(
            "1 BILLING 0 Leased 26 tokens=25 calls=1",
            "1 BILLING 0 Leased 14 tokens=13 calls=1",
            "1 BILLING 0 Leased 8 tokens=8",
            "1 BILLING 1 Leased 4 tokens=3 calls=1");
  }

  @Test
  void theIdentityOfThePolicyAndOfTheCredentialGoIntoTheEvent() {
    final Bits256 revision = new Bits256(1, 2, 3, 4);
    kernel.publish(
        new Plan(
            "plan",
            2,
            revision,
            Permissions.ALL,
            Permissions.ALL,
            List.of(TestKernel.price("work", MeterPrice.perItem("units")))));
    final AccountState user = kernel.funded(1, AccountTerms.STRICT, 100);
    final Id128 principal = kernel.principal(1, 0, user);
    final Credential credential = new Credential(new Id128(8, 8), principal, 100);
    final AdmissionRequest request = kernel.request();

    try (Session session = new Session((secret, length, now) -> credential)) {
      assertThat(request.begin(session, null, 0)).isEqualTo(Denial.UNKNOWN_PRINCIPAL);
      assertThat(session.authenticate(new byte[] {1}, 1, 0)).isTrue();
      assertThat(request.begin(session, null, 0)).isNull();
    }
    assertThat(request.admit(kernel.work, 1, 0)).isNull();
    assertThat(request.start(0)).isNull();
    request.complete();

    final UsageSlot slot = kernel.admission.usage().poll();
    assertThat(slot.policyRevision()).isEqualTo(revision);
    assertThat(slot.keyId()).isEqualTo(credential.keyId());
    kernel.admission.usage().acknowledge(slot);
  }

  @Test
  void metersOnDifferentAccountsAreEachPaidByTheirOwn() {
    final Operation chat = kernel.admission.catalogue().operation("chat");
    final Operation image = kernel.admission.catalogue().operation("image");
    kernel.publish(
        Plan.open(
            "chat",
            TestKernel.price(
                "chat", MeterPrice.perItem("tokens"), new MeterPrice("calls", 1, 0, 0)),
            TestKernel.price("image", MeterPrice.perItem("pixels"))));
    final AccountState tokens = kernel.funded(1, AccountTerms.STRICT, 100);
    final AccountState calls = kernel.funded(2, AccountTerms.STRICT, 100);
    final Id128 principal =
        kernel.principal(
            1,
            "chat",
            0,
            List.of(TestKernel.leg(tokens, "tokens"), TestKernel.leg(calls, "calls")));

    kernel.started(principal, chat, 10).complete();
    final AdmissionRequest unmetered = kernel.request();
    assertThat(unmetered.begin(principal, 0)).isNull();
    assertThat(unmetered.admit(image, 1, 0)).isEqualTo(Denial.UNMETERED);

    assertThat(kernel.events())
        .containsExactly("1 BILLING 0 Leased 10 tokens=10", "2 CAP 0 Leased 1 calls=1");
  }

  @Test
  @Tag("stress")
  void aCompanysCapIsNeverExceededByItsThousandUsersAndReachesItsLastUnit() throws Exception {
    final TestKernel many = new TestKernel(4_096, null);
    final AccountState company = many.funded(0, AccountTerms.STRICT, 2_000);
    final List<Id128> users = new ArrayList<>();
    for (int user = 1; user <= 1_000; user++) {
      users.add(many.principal(user, 0, many.funded(user, AccountTerms.STRICT, 3), company));
    }
    final AtomicLong admitted = new AtomicLong();
    inParallel(
        4,
        thread -> {
          final AdmissionRequest request = many.request();
          for (int round = 0; round < 4; round++) {
            for (int i = 0; i < users.size(); i++) {
              final Id128 user = users.get((i * 7 + thread * 251) % users.size());
              Denial denial = Denial.LEG_CONFLICT;
              while (denial == Denial.LEG_CONFLICT) {
                TestKernel.expectNothing(request.begin(user, 0));
                denial = request.admit(many.work, 1, 0);
              }
              if (denial == null) {
                TestKernel.expectNothing(request.start(0));
                request.complete();
                admitted.incrementAndGet();
              }
            }
          }
        });

    assertThat(admitted.get()).isEqualTo(2_000);
    assertThat(company.leases().freeUnits()).isZero();
    long held = 0;
    for (int user = 1; user <= 1_000; user++) {
      held += 3 - many.admission.accounts().find(new Id128(0xACC, user)).leases().freeUnits();
    }
    assertThat(held).as("nobody paid for a request that the company did not").isEqualTo(2_000);
  }

  @Test
  @Tag("stress")
  void requestsThatUndoEachOtherAreTransientAndRecordNoDemand() throws Exception {
    final TestKernel contended = new TestKernel(4_096, null);
    final AccountState shared = contended.funded(0, AccountTerms.STRICT, 1_000_000);
    final AccountState empty = contended.funded(1, AccountTerms.STRICT, 0);
    final AccountState rich = contended.funded(2, AccountTerms.STRICT, 1_000_000);
    // The first asks for all there is and always fails at its second leg; the other asks for one
    // unit.
    final Id128 greedy = contended.principal(1, 0, shared, empty);
    final Id128 modest = contended.principal(2, 0, rich, shared);
    final AtomicLong refused = new AtomicLong();
    final AtomicLong asked = new AtomicLong();
    inParallel(
        2,
        thread -> {
          final AdmissionRequest request = contended.request();
          for (int i = 0; i < 50_000; i++) {
            TestKernel.expectNothing(request.begin(thread == 0 ? greedy : modest, 0));
            final Denial denial = request.admit(contended.work, thread == 0 ? 1_000_000 : 1, 0);
            if (thread == 0) {
              assertThat(denial).isNotNull();
            } else {
              asked.incrementAndGet();
              if (denial == null) {
                request.cancel();
              } else {
                assertThat(denial).isEqualTo(Denial.LEG_CONFLICT);
                assertThat(denial.retry()).isEqualTo(RetryClass.TRANSIENT);
                refused.incrementAndGet();
                LockSupport.parkNanos(COMES_BACK_AFTER_NANOS);
              }
            }
          }
        });

    // The greedy one fails on its own missing units at the shared account when the modest one holds
    // one.
    assertThat(rich.leases().demandUnits()).isZero();
    assertThat(shared.leases().demandUnits()).isIn(0L, 1_000_000L);
    assertThat(shared.leases().freeUnits()).isEqualTo(1_000_000);
    assertThat(asked.get()).isEqualTo(50_000);
    assertThat(100 * refused.get()).as("less than one in a hundred").isLessThan(asked.get());
  }

  private interface Work {
    void run(int thread) throws Exception;
  }

  private static void inParallel(final int threads, final Work work) throws Exception {
    final CountDownLatch ready = new CountDownLatch(threads);
    final List<Thread> started = new ArrayList<>();
    final List<Throwable> failures = java.util.Collections.synchronizedList(new ArrayList<>());
    for (int i = 0; i < threads; i++) {
      final int number = i;
      final Thread thread =
          new Thread(
              () -> {
                try {
                  ready.countDown();
                  ready.await();
                  work.run(number);
                } catch (Throwable e) {
                  failures.add(e);
                }
              });
      thread.start();
      started.add(thread);
    }
    for (final Thread thread : started) {
      thread.join();
    }
    assertThat(failures).isEmpty();
  }
}
