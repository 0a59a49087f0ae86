package io.tollgrid.admission.request;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.tollgrid.admission.account.AccountState;
import io.tollgrid.admission.concurrency.ExecutionCapacity;
import io.tollgrid.admission.denial.Denial;
import io.tollgrid.admission.lease.HeldLease;
import io.tollgrid.admission.lease.OverageAllowance;
import io.tollgrid.admission.plan.Operation;
import io.tollgrid.admission.plan.Route;
import io.tollgrid.admission.snapshot.Publication;
import io.tollgrid.ledger.AccountPolicy;
import io.tollgrid.ledger.AccountStatus;
import io.tollgrid.ledger.AccountTerms;
import io.tollgrid.ledger.Bits256;
import io.tollgrid.ledger.CapacityClass;
import io.tollgrid.ledger.EnforcementMode;
import io.tollgrid.ledger.Evidence;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.RateLimits;
import io.tollgrid.ledger.policy.Billing;
import io.tollgrid.ledger.policy.MeterPrice;
import io.tollgrid.ledger.policy.OperationPrice;
import io.tollgrid.ledger.policy.Permissions;
import io.tollgrid.ledger.policy.Plan;
import io.tollgrid.ledger.policy.PrincipalSnapshot;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Witnesses R27 for what is refused: each denial there is costs no byte on the calling thread. */
class DenialAllocationTest {
  private static final int WARM_UP = 12_000;
  private static final int MEASURED = 2_000;
  private static final int WINDOWS = 10;
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  @ParameterizedTest
  @EnumSource
  void noDenialAllocates(final Denial denial) {
    final Scene scene = new Scene(denial);
    for (int i = 0; i < WARM_UP; i++) {
      scene.bytesOfOne();
    }
    // The JVM needs a few bytes when it swaps code; what a denial allocates comes in every window.
    long bytes = 1;
    for (int window = 0; window < WINDOWS && bytes > 0; window++) {
      bytes = 0;
      for (int i = 0; i < MEASURED; i++) {
        bytes += scene.bytesOfOne();
      }
    }
    assertThat(bytes).isZero();
  }

  /** An admission in which a request is refused in one way, as often as one likes. */
  private static final class Scene {
    private static final Id128 STRANGER = new Id128(4, 4);

    private final Denial denial;
    private final TestKernel kernel;
    private final AccountState account;
    private final Id128 principal;
    private final AdmissionRequest request;
    private final AdmissionRequest other;
    private final Operation work;
    private final Operation secret;
    private final Operation elsewhere;
    private final Operation unpriced;
    private final Operation dear;
    private final Route closed;

    Scene(final Denial denial) {
      this.denial = denial;
      this.kernel =
          new TestKernel(
              denial == Denial.USAGE_QUEUE_FULL ? 1 : 8,
              denial == Denial.START_CAPACITY_SHED ? ExecutionCapacity.uniform(1) : null);
      this.work = kernel.work;
      this.secret = kernel.admission.catalogue().operation("secret");
      this.elsewhere = kernel.admission.catalogue().operation("elsewhere");
      this.unpriced = kernel.admission.catalogue().operation("unpriced");
      this.dear = kernel.admission.catalogue().operation("dear");
      this.closed = kernel.admission.catalogue().route("closed");
      kernel.publish(
          new Plan(
              "scene",
              1,
              Bits256.ZERO,
              Permissions.of("open"),
              Permissions.of("work", "elsewhere", "dear"),
              List.of(
                  price("work", new MeterPrice("units", 0, 1, 0)),
                  price("secret", new MeterPrice("units", 0, 1, 0)),
                  price("elsewhere", new MeterPrice("others", 0, 1, 0)),
                  price("dear", new MeterPrice("units", 0, Long.MAX_VALUE / 50, 0)))));
      this.account = kernel.account(1, terms());
      this.principal = new Id128(0xB0B, 1);
      TestKernel.expect(
          Publication.ACCEPTED,
          kernel
              .admission
              .principals()
              .resolved(
                  new PrincipalSnapshot(
                      principal,
                      1,
                      "scene",
                      List.of(TestKernel.leg(account, "units")),
                      denial == Denial.PRINCIPAL_CONCURRENCY ? 1 : 0),
                  denial == Denial.SNAPSHOT_STALE ? 0 : Long.MAX_VALUE,
                  kernel.admission.principals().readEpoch()));
      this.request = kernel.request();
      this.other = kernel.request();
      arrange();
    }

    private static OperationPrice price(final String operation, final MeterPrice price) {
      return new OperationPrice(
          operation, List.of(price), 1, 100, Billing.PER_REQUEST, Duration.ofMinutes(1));
    }

    private AccountTerms terms() {
      return switch (denial) {
        case RATE_LIMITED, UNPRICEABLE_UNDER_LIMITS -> AccountTerms.STRICT;
        case OVERAGE_EXHAUSTED,
            OVERAGE_TEMPORARILY_EXHAUSTED,
            OVERAGE_COMMIT_IN_PROGRESS,
            START_OVERAGE_EXHAUSTED,
            START_OVERAGE_TEMPORARILY_EXHAUSTED,
            START_OVERAGE_COMMIT_IN_PROGRESS ->
            AccountTerms.elastic(5);
        case REQUEST_RATE_LIMITED ->
            new AccountTerms(EnforcementMode.STRICT, 0, new RateLimits(1, 1, 0, 0), 0);
        case ACCOUNT_CONCURRENCY -> new AccountTerms(EnforcementMode.STRICT, 0, RateLimits.NONE, 1);
        default -> AccountTerms.STRICT;
      };
    }

    /** What has to be so once, before the first request. */
    private void arrange() {
      switch (denial) {
        case NO_LEASE, BALANCE_EXHAUSTED, BALANCE_INSUFFICIENT -> {}
        case LEASE_EXPIRED -> kernel.lease(account, 1_000, -1_000);
        case LEG_CONFLICT -> {
          final HeldLease lease = kernel.lease(account, 6, 1_000);
          TestKernel.expect(1L, lease.tryDebit(5, 0));
        }
        case INSUFFICIENT_LEASE,
            OVERAGE_EXHAUSTED,
            OVERAGE_TEMPORARILY_EXHAUSTED,
            OVERAGE_COMMIT_IN_PROGRESS ->
            kernel.lease(account, 1, 1_000);
        default -> kernel.lease(account, 1_000, 1_000);
      }
      switch (denial) {
        case PRINCIPAL_REVOKED ->
            TestKernel.expect(
                Publication.ACCEPTED,
                kernel.admission.principals().revoked(principal, 9, 0, Long.MAX_VALUE));
        case ACCOUNT_SUSPENDED -> policy(AccountStatus.SUSPENDED, AccountTerms.STRICT);
        case ACCOUNT_CLOSED -> policy(AccountStatus.CLOSED, AccountTerms.STRICT);
        case SHUTTING_DOWN -> kernel.admission.stop();
        case UNPRICEABLE_UNDER_LIMITS -> rates(new RateLimits(0, 0, 1, 1));
        case RATE_LIMITED -> rates(new RateLimits(0, 0, 1, 2));
        case PRINCIPAL_CONCURRENCY, ACCOUNT_CONCURRENCY, USAGE_QUEUE_FULL -> begin(other, 1);
        case REQUEST_RATE_LIMITED -> {
          begin(other, 1);
          other.cancel();
        }
        case START_CAPACITY_SHED -> {
          begin(other, 1);
          TestKernel.expectNothing(other.start(0));
        }
        case BALANCE_EXHAUSTED -> evidence(0);
        case BALANCE_INSUFFICIENT -> evidence(1);
        case LEG_CONFLICT -> account.leases().beginTentative(5);
        case OVERAGE_EXHAUSTED, START_OVERAGE_EXHAUSTED -> {
          overage(5);
          account.overage().beginCommit();
          account.overage().endCommit(5);
        }
        case OVERAGE_TEMPORARILY_EXHAUSTED, START_OVERAGE_TEMPORARILY_EXHAUSTED -> overage(5);
        case OVERAGE_COMMIT_IN_PROGRESS, START_OVERAGE_COMMIT_IN_PROGRESS -> {
          overage(5);
          account.overage().beginCommit();
        }
        default -> {}
      }
      if (denial == Denial.RATE_LIMITED) {
        begin(other, 2);
        other.cancel();
      }
    }

    private void overage(final long units) {
      TestKernel.expect(OverageAllowance.Debit.TAKEN, account.overage().tryDebit(units, 5));
    }

    private void evidence(final long remaining) {
      account
          .leases()
          .evidence(new Evidence(remaining, 10_000, 1), account.leases().fundingEpoch(), 0);
    }

    private void rates(final RateLimits limits) {
      policy(AccountStatus.ACTIVE, new AccountTerms(EnforcementMode.STRICT, 0, limits, 0));
    }

    private void policy(final AccountStatus status, final AccountTerms terms) {
      assertThat(
              account.publish(
                  new AccountPolicy(2, status, CapacityClass.BEST_EFFORT, terms, false)))
          .isTrue();
    }

    private void begin(final AdmissionRequest by, final long items) {
      TestKernel.expectNothing(by.begin(principal, 0));
      TestKernel.expectNothing(by.admit(work, items, 0));
    }

    /** Bytes that being refused once costs. */
    long bytesOfOne() {
      final boolean lapses =
          denial.stage() == Denial.Stage.START
              && denial != Denial.START_CAPACITY_SHED
              && denial != Denial.START_CANCELLED;
      if (lapses) {
        // A lease lapses for good, so each attempt has its own.
        kernel.lease(account, 1_000, 1_000);
      }
      CancelHandle handle = null;
      if (denial == Denial.START_CANCELLED) {
        begin(request, 1);
        handle = request.split();
      }
      final long before = THREADS.getCurrentThreadAllocatedBytes();
      final Denial told = attempt(handle);
      final long bytes = THREADS.getCurrentThreadAllocatedBytes() - before;
      TestKernel.expect(denial, told);
      return bytes;
    }

    private Denial attempt(final CancelHandle handle) {
      if (handle != null) {
        final CancelHandle.Cancellation unused = handle.cancel();
        return request.start(0);
      }
      final Denial begun =
          denial == Denial.ROUTE_FORBIDDEN
              ? request.begin(principal, closed, 0)
              : request.begin(denial == Denial.UNKNOWN_PRINCIPAL ? STRANGER : principal, 0);
      if (begun != null) {
        return begun;
      }
      final Denial refused = request.admit(operation(), items(), 0);
      return refused != null ? refused : request.start(950);
    }

    private Operation operation() {
      return switch (denial) {
        case WORK_FORBIDDEN -> secret;
        case UNKNOWN_OPERATION -> unpriced;
        case UNMETERED -> elsewhere;
        case COST_OVERFLOW -> dear;
        default -> work;
      };
    }

    private long items() {
      return switch (denial) {
        case TOO_MANY_ITEMS -> 101;
        case COST_OVERFLOW -> 100;
        case UNPRICEABLE_UNDER_LIMITS, RATE_LIMITED -> 2;
        case INSUFFICIENT_LEASE,
            LEG_CONFLICT,
            OVERAGE_EXHAUSTED,
            OVERAGE_TEMPORARILY_EXHAUSTED,
            OVERAGE_COMMIT_IN_PROGRESS,
            BALANCE_INSUFFICIENT ->
            5;
        default -> 1;
      };
    }
  }
}
