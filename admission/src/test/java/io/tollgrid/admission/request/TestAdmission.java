package io.tollgrid.admission.request;

import io.tollgrid.admission.account.AccountState;
import io.tollgrid.admission.lease.HeldLease;
import io.tollgrid.admission.outcome.Outcome;
import io.tollgrid.admission.outcome.OutcomeCounters;
import io.tollgrid.admission.plan.Operation;
import io.tollgrid.admission.snapshot.Publication;
import io.tollgrid.admission.snapshot.SnapshotMap;
import io.tollgrid.ledger.AccountPolicy;
import io.tollgrid.ledger.AccountStatus;
import io.tollgrid.ledger.AccountTerms;
import io.tollgrid.ledger.CapacityClass;
import io.tollgrid.ledger.Funding;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.policy.MeterPrice;
import io.tollgrid.ledger.policy.OperationPrice;
import io.tollgrid.ledger.policy.Plan;
import io.tollgrid.ledger.policy.PrincipalSnapshot;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An admission with one account and whatever leases a test puts into its slot. */
final class TestAdmission {
  static final Id128 ACCOUNT = new Id128(0, 1);
  static final long TTL = 1_000;
  static final long MARGIN = 100;

  final Admission admission;
  final AccountState account;

  /** One unit per item. */
  final Operation work;

  /** More than 63 bits for two items. */
  final Operation huge;

  private long fences;

  /**
   * Kept reachable: what a test forgets to keep would be taken for abandoned when it is collected.
   */
  private final List<AdmissionRequest> requests = new ArrayList<>();

  TestAdmission(final AccountTerms terms, final int slots) {
    this.admission = new Admission(new UsageQueue(1, slots, () -> {}), new OutcomeCounters(1));
    this.account =
        admission
            .accounts()
            .open(
                ACCOUNT,
                new AccountPolicy(1, AccountStatus.ACTIVE, CapacityClass.BEST_EFFORT, terms, true),
                () -> {});
    this.work = admission.catalogue().operation("work");
    this.huge = admission.catalogue().operation("huge");
    final SnapshotMap principals = admission.principals();
    expect(
        Publication.ACCEPTED,
        principals.publish(
            Plan.open(
                "plan",
                OperationPrice.of("work", MeterPrice.perItem("units")),
                OperationPrice.of("huge", new MeterPrice("units", 1, Long.MAX_VALUE, 0)))));
    expect(
        Publication.ACCEPTED,
        principals.resolved(
            PrincipalSnapshot.of(ACCOUNT, "plan", ACCOUNT),
            Long.MAX_VALUE,
            principals.readEpoch()));
  }

  static TestAdmission strict() {
    return new TestAdmission(AccountTerms.STRICT, 16);
  }

  static TestAdmission elastic(final long cap) {
    return new TestAdmission(AccountTerms.elastic(cap), 16);
  }

  HeldLease newLease(final long units, final long expiresAtNanos) {
    return new HeldLease(new Id128(7, ++fences), fences, units, expiresAtNanos, MARGIN, 0);
  }

  /** Makes a lease of {@code units} current. */
  HeldLease lease(final long units) {
    final HeldLease lease = newLease(units, TTL);
    account.leases().replace(lease);
    return lease;
  }

  AdmissionRequest request() {
    final AdmissionRequest request = admission.newRequest(new Id128(5, 6));
    requests.add(request);
    return request;
  }

  /** A request that has started with {@code units} reserved. */
  AdmissionRequest started(final long units, final long nowNanos) {
    final AdmissionRequest request = admitted(units, nowNanos);
    expectNothing(request.start(nowNanos));
    return request;
  }

  AdmissionRequest admitted(final long units, final long nowNanos) {
    final AdmissionRequest request = request();
    expectNothing(request.begin(ACCOUNT, nowNanos));
    expectNothing(request.admit(work, units, nowNanos));
    return request;
  }

  /** What was recorded, acknowledged at once: one line per event. */
  List<String> events() {
    final List<String> events = new ArrayList<>();
    for (UsageSlot slot = admission.usage().poll(); slot != null; slot = admission.usage().poll()) {
      for (int part = 0; part < slot.parts(); part++) {
        if (slot.isEvent(part)) {
          events.add(
              slot.partNumber(part) + " " + name(slot.funding(part)) + " " + slot.units(part));
        }
      }
      admission.usage().acknowledge(slot);
    }
    return events;
  }

  /** Everything a call could change, in words: to compare before and after. */
  String state() {
    final StringBuilder state = new StringBuilder();
    final HeldLease lease = account.leases().current();
    state.append(lease == null ? "no lease" : lease.toString());
    state.append(", overage ").append(account.overageUsedUnits());
    if (AccountState.isElastic(account.policy())) {
      state.append(" of which committed ").append(account.overage().committedUnits());
    }
    state.append(", pending ").append(admission.usage().pendingRequests());
    state.append(", started ").append(admission.usage().startedRequests());
    state.append(", recorded ").append(admission.usage().depth());
    for (final Outcome outcome : Outcome.values()) {
      state.append(", ").append(outcome).append(' ').append(admission.counters().count(outcome));
    }
    state.append(", denied ").append(admission.counters().denied());
    return state.toString();
  }

  private static String name(final Funding funding) {
    if (funding instanceof Funding.Leased leased) {
      return "lease" + leased.fence();
    }
    return funding instanceof Funding.Overage ? "overage" : "unfunded";
  }

  private static void expect(final Object expected, final Object actual) {
    if (actual != expected) {
      throw new AssertionError(actual + " instead of " + expected);
    }
  }

  private static void expectNothing(final @Nullable Object denial) {
    if (denial != null) {
      throw new AssertionError("unexpectedly denied: " + denial);
    }
  }
}
