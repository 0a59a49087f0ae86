package io.tollgrid.verification.bench.admission;

import io.tollgrid.admission.account.AccountState;
import io.tollgrid.admission.lease.HeldLease;
import io.tollgrid.admission.outcome.OutcomeCounters;
import io.tollgrid.admission.plan.Operation;
import io.tollgrid.admission.plan.Route;
import io.tollgrid.admission.request.Admission;
import io.tollgrid.admission.request.UsageQueue;
import io.tollgrid.admission.snapshot.Publication;
import io.tollgrid.ledger.AccountPolicy;
import io.tollgrid.ledger.AccountStatus;
import io.tollgrid.ledger.AccountTerms;
import io.tollgrid.ledger.Bits256;
import io.tollgrid.ledger.CapacityClass;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.policy.Billing;
import io.tollgrid.ledger.policy.MeterPrice;
import io.tollgrid.ledger.policy.OperationPrice;
import io.tollgrid.ledger.policy.Permissions;
import io.tollgrid.ledger.policy.Plan;
import io.tollgrid.ledger.policy.PrincipalSnapshot;
import io.tollgrid.ledger.policy.SnapshotLeg;
import java.time.Duration;
import java.util.List;

/**
 * An admission kernel as a process would hold it: one plan, accounts with a lease that never runs
 * dry, principals that each have one account.
 *
 * <p>Opened by one thread; {@link #newWorker} is safe for several.
 */
final class KernelFixture {
  /** When it all begins, epoch nanoseconds. */
  static final long START_NANOS = 1_700_000_000_000_000_000L;

  /** Items of every request. */
  static final long ITEMS = 100;

  /** What they cost. */
  static final long UNITS = 210;

  private static final long FIXED_UNITS = 10;
  private static final long UNITS_PER_ITEM = 2;
  private static final long MINIMUM_UNITS = 5;
  private static final long MOST_ITEMS = 10_000;
  private static final long NEVER_NANOS = START_NANOS + Duration.ofDays(3650).toNanos();

  /** More than any run can spend, and far above the low-water mark. */
  private static final long GRANTED_UNITS = 1L << 50;

  private static final String PLAN = "standard";

  private final Limits limits;
  private final int lanes;
  private final int shards;
  private final AccountTerms terms;
  private final Admission admission;
  private final Operation operation;
  private final Route route;
  private int workers;

  /**
   * A kernel without an account.
   *
   * @param limits what its accounts and principals are limited by
   * @param lanes of its usage queue; workers take turns
   * @param slotsPerLane requests that can be open or on their way out, per lane
   * @param shards into how many words an account's lease is split
   */
  KernelFixture(Limits limits, int lanes, int slotsPerLane, int shards) {
    this.limits = limits;
    this.lanes = lanes;
    this.shards = shards;
    this.terms = limits.terms();
    this.admission =
        new Admission(
            new UsageQueue(lanes, slotsPerLane, () -> {}),
            new OutcomeCounters(Integer.highestOneBit(2 * lanes - 1)));
    this.operation = admission.catalogue().operation("chat");
    this.route = admission.catalogue().route("api");
    accepted(
        admission
            .principals()
            .publish(
                new Plan(
                    PLAN,
                    1,
                    new Bits256(1, 2, 3, 4),
                    Permissions.of(route.name()),
                    Permissions.ALL,
                    List.of(
                        new OperationPrice(
                            operation.name(),
                            List.of(
                                new MeterPrice(
                                    "tokens", FIXED_UNITS, UNITS_PER_ITEM, MINIMUM_UNITS)),
                            1,
                            MOST_ITEMS,
                            Billing.PER_REQUEST,
                            Duration.ofMinutes(10))))));
  }

  /** Opens an account and puts a lease into its slot. */
  AccountState account(Id128 id) {
    final AccountState account =
        admission
            .accounts()
            .open(
                id,
                new AccountPolicy(1, AccountStatus.ACTIVE, CapacityClass.BEST_EFFORT, terms, false),
                () -> {},
                shards);
    account.leases().replace(new HeldLease(id, 1, GRANTED_UNITS, NEVER_NANOS, 0, 1, shards));
    return account;
  }

  /** Makes a principal known whose only leg is this account. */
  void principal(Id128 id, AccountState account) {
    accepted(
        admission
            .principals()
            .resolved(
                new PrincipalSnapshot(
                    id, 1, PLAN, List.of(SnapshotLeg.of(account.id())), limits.ceiling()),
                NEVER_NANOS,
                admission.principals().readEpoch()));
  }

  /** A worker with a request object of its own; the n-th one has the n-th lane, in turn. */
  synchronized Worker newWorker() {
    final int number = workers++;
    return new Worker(
        admission.newRequest(new Id128(0x746f6c6c67726964L, number + 1)),
        operation,
        route,
        admission.usage(),
        number % lanes);
  }

  /** Where its usage waits. */
  UsageQueue usage() {
    return admission.usage();
  }

  private static void accepted(Publication publication) {
    if (publication != Publication.ACCEPTED) {
      throw new IllegalStateException("the kernel answered " + publication + " to a first edition");
    }
  }
}
