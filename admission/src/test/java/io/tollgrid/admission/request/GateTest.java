package io.tollgrid.admission.request;

import static org.assertj.core.api.Assertions.assertThat;

import io.tollgrid.admission.account.AccountState;
import io.tollgrid.admission.concurrency.ExecutionCapacity;
import io.tollgrid.admission.denial.Denial;
import io.tollgrid.admission.outcome.Outcome;
import io.tollgrid.admission.plan.Operation;
import io.tollgrid.admission.snapshot.Publication;
import io.tollgrid.ledger.AccountPolicy;
import io.tollgrid.ledger.AccountStatus;
import io.tollgrid.ledger.AccountTerms;
import io.tollgrid.ledger.Bits256;
import io.tollgrid.ledger.CapacityClass;
import io.tollgrid.ledger.EnforcementMode;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.RateLimits;
import io.tollgrid.ledger.policy.Billing;
import io.tollgrid.ledger.policy.MeterPrice;
import io.tollgrid.ledger.policy.OperationPrice;
import io.tollgrid.ledger.policy.Permissions;
import io.tollgrid.ledger.policy.Plan;
import io.tollgrid.ledger.policy.PrincipalSnapshot;
import io.tollgrid.ledger.policy.SnapshotLeg;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Witnesses R28 (the order of the checks, seen by a request that fails all from some point on), and
 * with it R26, R29, R30, R31, R32, R33 and R50 as a request meets them.
 */
class GateTest {
  private static final long SECOND = 1_000_000_000L;

  private final TestKernel kernel = new TestKernel();

  @Test
  void theFirstReasonInTheFixedOrderIsTheOneNamed() {
    final Operation dear = kernel.admission.catalogue().operation("dear");
    final Operation secret = kernel.admission.catalogue().operation("secret");
    final Operation nobody = kernel.admission.catalogue().operation("nobody");
    final Operation unknown = kernel.admission.catalogue().operation("unknown");
    kernel.publish(
        new Plan(
            "tight",
            1,
            Bits256.ZERO,
            Permissions.of("api"),
            Permissions.of("dear", "nobody"),
            List.of(
                TestKernel.price("dear", new MeterPrice("units", 0, 1L << 50, 0)),
                TestKernel.price("secret", MeterPrice.perItem("units")),
                TestKernel.price("nobody", MeterPrice.perItem("elsewhere")))));
    final AccountState account =
        kernel.account(1, new AccountTerms(EnforcementMode.STRICT, 0, RateLimits.NONE, 0));
    final Id128 principal = new Id128(0xB0B, 1);
    final AdmissionRequest request = kernel.request();

    assertThat(request.begin(principal, 0)).isEqualTo(Denial.UNKNOWN_PRINCIPAL);
    publish(principal, 1, 2 * SECOND, account);
    publish(account, 2, AccountStatus.SUSPENDED);
    assertThat(request.begin(principal, 3 * SECOND))
        .as("status before freshness")
        .isEqualTo(Denial.ACCOUNT_SUSPENDED);
    assertThat(request.refusingAccount()).isSameAs(account);
    publish(account, 3, AccountStatus.ACTIVE);
    assertThat(request.begin(principal, kernel.admission.catalogue().route("other"), 2 * SECOND))
        .as("freshness before route")
        .isEqualTo(Denial.SNAPSHOT_STALE);
    assertThat(request.begin(principal, kernel.admission.catalogue().route("other"), 0))
        .isEqualTo(Denial.ROUTE_FORBIDDEN);

    begin(request, principal);
    assertThat(request.admit(unknown, 2 * SECOND))
        .as("the pinned expiry before the work")
        .isEqualTo(Denial.SNAPSHOT_STALE);
    begin(request, principal);
    assertThat(request.admit(unknown, 0)).isEqualTo(Denial.UNKNOWN_OPERATION);
    begin(request, principal);
    assertThat(request.admit(secret, 0)).isEqualTo(Denial.WORK_FORBIDDEN);
    begin(request, principal);
    assertThat(request.admit(nobody, 2_000_000, 0))
        .as("how many before what")
        .isEqualTo(Denial.TOO_MANY_ITEMS);
    begin(request, principal);
    assertThat(request.admit(nobody, 1, 0)).isEqualTo(Denial.UNMETERED);
    begin(request, principal);
    assertThat(request.admit(dear, 1 << 14, 0)).isEqualTo(Denial.COST_OVERFLOW);
    begin(request, principal);
    assertThat(request.admit(dear, 1, 0)).isEqualTo(Denial.NO_LEASE);

    assertThat(kernel.admission.principals().revoked(principal, 7, 0, Long.MAX_VALUE))
        .isEqualTo(Publication.ACCEPTED);
    assertThat(request.begin(principal, 0)).isEqualTo(Denial.PRINCIPAL_REVOKED);
    assertThat(kernel.admission.usage().pendingRequests()).isZero();
  }

  @Test
  void whatIsPinnedAtTheBeginningIsWhatJudges() {
    final AccountState account = kernel.funded(1, AccountTerms.STRICT, 100);
    final Id128 principal = kernel.principal(1, 0, account);
    final AdmissionRequest request = kernel.request();
    begin(request, principal);

    kernel.publish(new Plan("plan", 2, Bits256.ZERO, Permissions.ALL, Permissions.ALL, List.of()));
    assertThat(kernel.admission.principals().revoked(principal, 9, 0, Long.MAX_VALUE))
        .isEqualTo(Publication.ACCEPTED);

    assertThat(request.admit(kernel.work, 3, 0)).as("by the plan it began with").isNull();
    request.cancel();
    assertThat(request.begin(principal, 0)).isEqualTo(Denial.PRINCIPAL_REVOKED);
  }

  @Test
  void ratesAreTakenAfterAllArePeekedAtAndCeilingsComeAfterThem() {
    final AccountState limited =
        kernel.account(
            1, new AccountTerms(EnforcementMode.STRICT, 0, new RateLimits(1, 2, 10, 20), 1));
    final AccountState slow =
        kernel.account(
            2, new AccountTerms(EnforcementMode.STRICT, 0, new RateLimits(1, 1, 0, 0), 0));
    kernel.publish(
        Plan.open(
            "small",
            new OperationPrice(
                "work",
                List.of(MeterPrice.perItem("units")),
                1,
                20,
                Billing.PER_REQUEST,
                Duration.ofMinutes(1))));
    kernel.lease(limited, 100, 100 * SECOND);
    kernel.lease(slow, 100, 100 * SECOND);
    final Id128 one = kernel.principal(1, "small", 0, List.of(SnapshotLeg.of(limited.id())));
    final Id128 both =
        kernel.principal(
            2, "small", 0, List.of(SnapshotLeg.of(limited.id()), SnapshotLeg.of(slow.id())));
    final AdmissionRequest running = kernel.request();
    final AdmissionRequest next = kernel.request();

    assertThat(admit(running, both, 5, 0)).isNull();
    assertThat(admit(next, both, 5, 0))
        .as("the second leg is out of requests; the first is not touched")
        .isEqualTo(Denial.REQUEST_RATE_LIMITED);
    assertThat(next.refusingLeg()).isEqualTo(1);
    assertThat(next.retryAtNanos()).isEqualTo(SECOND);
    assertThat(admit(next, one, 16, 0)).isEqualTo(Denial.RATE_LIMITED);
    assertThat(next.retryAtNanos()).isEqualTo(SECOND / 10);
    assertThat(admit(next, one, 15, 0))
        .as("rates come before ceilings, and their tokens stay taken")
        .isEqualTo(Denial.ACCOUNT_CONCURRENCY);
    running.cancel();
    assertThat(admit(next, one, 1, 0)).isEqualTo(Denial.REQUEST_RATE_LIMITED);
    assertThat(admit(next, one, 1, SECOND)).isNull();
    next.cancel();
    assertThat(limited.gauge().running()).isZero();
  }

  @Test
  void aPrincipalsCeilingComesBeforeItsAccountsAndBothAreLeftInTheEnd() {
    final AccountState account =
        kernel.account(1, new AccountTerms(EnforcementMode.STRICT, 0, RateLimits.NONE, 2));
    kernel.lease(account, 100, 1_000);
    final Id128 first = kernel.principal(1, 1, account);
    final Id128 second = kernel.principal(2, 2, account);
    final AdmissionRequest one = kernel.started(first, kernel.work, 1);
    final AdmissionRequest asking = kernel.request();

    assertThat(admit(asking, first, 1, 0)).isEqualTo(Denial.PRINCIPAL_CONCURRENCY);
    final AdmissionRequest two = kernel.started(second, kernel.work, 1);
    assertThat(admit(asking, second, 1, 0)).isEqualTo(Denial.ACCOUNT_CONCURRENCY);
    assertThat(principalOf(second)).as("undone").isEqualTo(1);
    one.settle(0, 0);
    two.complete();

    assertThat(account.gauge().running()).isZero();
    assertThat(principalOf(first)).isZero();
    assertThat(principalOf(second)).isZero();
    assertThat(admit(asking, first, 1, 0)).isNull();
  }

  @Test
  void aFullProcessShedsForZeroAndKeepsItsReserveForTheAssured() {
    final TestKernel full = new TestKernel(16, ExecutionCapacity.withReserve(1, 1));
    final AccountState usual = full.funded(1, AccountTerms.STRICT, 100);
    final AccountState assured = full.account(2, AccountTerms.STRICT, CapacityClass.ASSURED, 1);
    full.lease(assured, 100, 1_000);
    final Id128 one = full.principal(1, 0, usual);
    final Id128 vip = full.principal(2, 0, assured);
    final AdmissionRequest running = full.started(one, full.work, 1);
    final AdmissionRequest shed = full.request();

    assertThat(shed.begin(one, 0)).isNull();
    assertThat(shed.admit(full.work, 1, 0)).isNull();
    assertThat(shed.start(0)).isEqualTo(Denial.START_CAPACITY_SHED);
    assertThat(usual.leases().freeUnits()).isEqualTo(99);
    assertThat(full.admission.counters().count(Outcome.CAPACITY_SHED)).isEqualTo(1);
    final AdmissionRequest reserved = full.started(vip, full.work, 1);
    assertThat(shed.begin(vip, 0)).isNull();
    assertThat(shed.admit(full.work, 1, 0)).isNull();
    assertThat(shed.start(0)).isEqualTo(Denial.START_CAPACITY_SHED);
    running.complete();
    full.started(one, full.work, 1).complete();
    reserved.complete();
    full.started(vip, full.work, 1).complete();

    assertThat(full.admission.capacity().running()).isZero();
    assertThat(full.admission.counters().resolved())
        .isEqualTo(full.admission.counters().count(Outcome.ADMITTED));
  }

  @Test
  void anEstimateThatIsNotGivenIsTheOperationsDefault() {
    kernel.publish(
        Plan.open(
            "chat",
            new OperationPrice(
                "chat",
                List.of(MeterPrice.perItem("tokens")),
                40,
                100,
                Billing.PER_REQUEST,
                Duration.ofMinutes(1))));
    final AccountState account = kernel.funded(1, AccountTerms.STRICT, 100);
    final Id128 principal = kernel.principal(1, "chat", 0, List.of(SnapshotLeg.of(account.id())));
    final AdmissionRequest request = kernel.request();

    begin(request, principal);
    assertThat(request.admit(kernel.admission.catalogue().operation("chat"), 0)).isNull();
    assertThat(request.reservedUnits()).isEqualTo(40);
  }

  @Test
  void aDenialIsKeptByTheMinuteForWhoeverAsks() {
    final AccountState account = kernel.funded(1, AccountTerms.STRICT, 5);
    final Id128 principal = kernel.principal(1, 0, account);
    final AdmissionRequest request = kernel.request();
    for (int i = 0; i < 3; i++) {
      assertThat(admit(request, principal, 6 + i, 0)).isEqualTo(Denial.INSUFFICIENT_LEASE);
    }
    assertThat(request.begin(new Id128(9, 9), 0)).isEqualTo(Denial.UNKNOWN_PRINCIPAL);

    final var entries = new ArrayList<String>();
    kernel
        .admission
        .denials()
        .drain(
            60 * SECOND,
            entry ->
                entries.add(
                    entry.account().low()
                        + " "
                        + entry.principal().low()
                        + " "
                        + entry.denial()
                        + " "
                        + entry.count()
                        + " "
                        + entry.lastQuoteUnits()));
    assertThat(entries)
        .containsExactlyInAnyOrder("1 1 INSUFFICIENT_LEASE 3 8", "0 9 UNKNOWN_PRINCIPAL 1 0");
  }

  private long principalOf(final Id128 id) {
    return kernel.admission.principals().find(id.high(), id.low()).gauge().running();
  }

  private Denial admit(
      final AdmissionRequest request, final Id128 principal, final long items, final long now) {
    TestKernel.expectNothing(request.begin(principal, now));
    return request.admit(kernel.work, items, now);
  }

  private static void begin(final AdmissionRequest request, final Id128 principal) {
    TestKernel.expectNothing(request.begin(principal, 0));
  }

  private void publish(
      final Id128 principal,
      final long generation,
      final long freshUntil,
      final AccountState account) {
    assertThat(
            kernel
                .admission
                .principals()
                .resolved(
                    new PrincipalSnapshot(
                        principal,
                        generation,
                        "tight",
                        List.of(TestKernel.leg(account, "units")),
                        0),
                    freshUntil,
                    kernel.admission.principals().readEpoch()))
        .isEqualTo(Publication.ACCEPTED);
  }

  private static void publish(
      final AccountState account, final long generation, final AccountStatus status) {
    assertThat(
            account.publish(
                new AccountPolicy(
                    generation, status, CapacityClass.BEST_EFFORT, AccountTerms.STRICT, false)))
        .isTrue();
  }
}
