package io.tollgrid.admission.request;

import io.tollgrid.admission.account.AccountState;
import io.tollgrid.admission.concurrency.ExecutionCapacity;
import io.tollgrid.admission.lease.HeldLease;
import io.tollgrid.admission.outcome.OutcomeCounters;
import io.tollgrid.admission.plan.Operation;
import io.tollgrid.admission.snapshot.Publication;
import io.tollgrid.admission.snapshot.SnapshotMapLimits;
import io.tollgrid.ledger.AccountPolicy;
import io.tollgrid.ledger.AccountStatus;
import io.tollgrid.ledger.AccountTerms;
import io.tollgrid.ledger.CapacityClass;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.policy.Billing;
import io.tollgrid.ledger.policy.MeterPrice;
import io.tollgrid.ledger.policy.OperationPrice;
import io.tollgrid.ledger.policy.Plan;
import io.tollgrid.ledger.policy.PrincipalSnapshot;
import io.tollgrid.ledger.policy.SnapshotLeg;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** An admission with as many accounts, principals and plans as a test wants. */
final class TestKernel {
  static final long MARGIN = 100;

  final Admission admission;

  /** One unit of meter "units" per item, up to a million items. */
  final Operation work;

  private long fences;
  private long seeds;

  /**
   * Kept reachable: what a test forgets to keep would be taken for abandoned when it is collected.
   */
  private final List<AdmissionRequest> requests = new ArrayList<>();

  TestKernel(final int slots, final @Nullable ExecutionCapacity capacity) {
    this.admission =
        new Admission(
            new UsageQueue(1, slots, () -> {}),
            new OutcomeCounters(1),
            capacity,
            SnapshotMapLimits.DEFAULT,
            () -> {});
    this.work = admission.catalogue().operation("work");
    publish(Plan.open("plan", price("work", MeterPrice.perItem("units"))));
  }

  TestKernel() {
    this(64, null);
  }

  static OperationPrice price(final String operation, final MeterPrice... prices) {
    return new OperationPrice(
        operation, List.of(prices), 1, 1_000_000, Billing.PER_REQUEST, Duration.ofMinutes(1));
  }

  void publish(final Plan plan) {
    expect(Publication.ACCEPTED, admission.principals().publish(plan));
  }

  AccountState account(final long id, final AccountTerms terms) {
    return account(id, terms, CapacityClass.BEST_EFFORT, 1);
  }

  AccountState account(
      final long id, final AccountTerms terms, final CapacityClass capacity, final int shards) {
    return admission
        .accounts()
        .open(
            new Id128(0xACC, id),
            new AccountPolicy(1, AccountStatus.ACTIVE, capacity, terms, false),
            () -> {},
            shards);
  }

  /** An account with a lease of so many units, usable until instant 900. */
  AccountState funded(final long id, final AccountTerms terms, final long units) {
    final AccountState account = account(id, terms);
    lease(account, units, 1_000);
    return account;
  }

  HeldLease lease(final AccountState account, final long units, final long expiresAtNanos) {
    final HeldLease lease =
        new HeldLease(
            new Id128(7, ++fences), fences, units, expiresAtNanos, MARGIN, 0, account.shards());
    account.leases().replace(lease);
    return lease;
  }

  /** A principal of plan "plan" that these accounts pay for, all meters, the home account first. */
  Id128 principal(final long id, final long ceiling, final AccountState... accounts) {
    final List<SnapshotLeg> legs = new ArrayList<>();
    for (final AccountState account : accounts) {
      legs.add(SnapshotLeg.of(account.id()));
    }
    return principal(id, "plan", ceiling, legs);
  }

  Id128 principal(
      final long id, final String plan, final long ceiling, final List<SnapshotLeg> legs) {
    final Id128 principal = new Id128(0xB0B, id);
    expect(
        Publication.ACCEPTED,
        admission
            .principals()
            .resolved(
                new PrincipalSnapshot(principal, 1, plan, legs, ceiling),
                Long.MAX_VALUE,
                admission.principals().readEpoch()));
    return principal;
  }

  static SnapshotLeg leg(final AccountState account, final String... meters) {
    return new SnapshotLeg(account.id(), Set.of(meters));
  }

  AdmissionRequest request() {
    final AdmissionRequest request = unkept();
    requests.add(request);
    return request;
  }

  /** A request object that is collected if a test does not keep it. */
  AdmissionRequest unkept() {
    return admission.newRequest(new Id128(5, ++seeds));
  }

  /** A request of one operation that has started. */
  AdmissionRequest started(final Id128 principal, final Operation operation, final long items) {
    final AdmissionRequest request = request();
    expectNothing(request.begin(principal, 0));
    expectNothing(request.admit(operation, items, 0));
    expectNothing(request.start(0));
    return request;
  }

  /** What was recorded, acknowledged at once: account, role, part, funding, units, meters. */
  List<String> events() {
    final List<String> events = new ArrayList<>();
    for (UsageSlot slot = admission.usage().poll(); slot != null; slot = admission.usage().poll()) {
      for (int part = 0; part < slot.parts(); part++) {
        if (slot.isEvent(part)) {
          events.add(describe(slot, part));
        }
      }
      admission.usage().acknowledge(slot);
    }
    return events;
  }

  private String describe(final UsageSlot slot, final int part) {
    final StringBuilder line = new StringBuilder();
    line.append(slot.account(part).id().low()).append(' ').append(slot.role(part));
    line.append(' ').append(slot.partNumber(part)).append(' ');
    line.append(slot.funding(part).getClass().getSimpleName()).append(' ');
    line.append(slot.units(part));
    slot.meterUnits(part, admission.catalogue())
        .forEach(share -> line.append(' ').append(share.meter()).append('=').append(share.units()));
    return line.toString();
  }

  static void expect(final @Nullable Object expected, final @Nullable Object actual) {
    if (actual != expected) {
      throw new AssertionError(actual + " instead of " + expected);
    }
  }

  static void expectNothing(final @Nullable Object denial) {
    expect(null, denial);
  }
}
