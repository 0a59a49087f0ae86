package io.tollgrid.verification.simulation;

import io.tollgrid.ledger.AccountLedger;
import io.tollgrid.ledger.AccountPolicy;
import io.tollgrid.ledger.AccountStatus;
import io.tollgrid.ledger.Balances;
import io.tollgrid.ledger.BudgetSchedule;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.Lease;
import io.tollgrid.ledger.LeaseState;
import io.tollgrid.ledger.Period;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An account as the rules describe it, written a second time and with other means than the ledger:
 * what {@link TransitionRules} expects a transition to have done. Mutable, confined to one check.
 */
final class ReferenceAccount {
  long deposited;
  long overage;
  long allowance;
  long topUp;
  long outstanding;
  long billed;
  long loss;
  long expired;
  long unfunded;
  long nextFence;
  AccountPolicy policy;
  long periodNumber;
  long periodEnd;
  @Nullable BudgetSchedule schedule;
  boolean changePending;
  @Nullable BudgetSchedule afterChange;
  Period.FundedStarts funded;
  boolean crossed;

  private final long nowNanos;
  private final AccountRows rows;
  private final List<ReferenceLease> resident = new ArrayList<>();
  private final List<ReferenceLease> fromRows = new ArrayList<>();

  ReferenceAccount(AccountLedger before, AccountRows rows, long nowNanos) {
    this.rows = rows;
    this.nowNanos = nowNanos;
    final Balances b = before.balances();
    deposited = b.deposited();
    overage = b.overage();
    allowance = b.allowance();
    topUp = b.topUp();
    outstanding = b.outstanding();
    billed = b.billed();
    loss = b.lossResident() + b.lossArchived();
    expired = b.expired();
    unfunded = b.unfunded();
    nextFence = before.nextFence();
    policy = before.policy();
    final Period period = before.period();
    periodNumber = period.number();
    periodEnd = period.endNanos();
    schedule = period.schedule();
    final Period.ScheduleChange change = period.change();
    changePending = change != null;
    afterChange = change == null ? null : change.next();
    funded = period.funded();
    before.active().forEach(lease -> resident.add(new ReferenceLease(lease)));
    before.losses().forEach(lease -> resident.add(new ReferenceLease(lease)));
  }

  long nowNanos() {
    return nowNanos;
  }

  long balance() {
    return allowance + topUp;
  }

  long remaining() {
    return balance() + outstanding;
  }

  long activeLeases() {
    return resident.stream().filter(lease -> lease.state == LeaseState.ACTIVE).count();
  }

  // Periods (R14)

  void crossIfDue() {
    if (nowNanos < periodEnd) {
      return;
    }
    crossed = true;
    final BudgetSchedule next = changePending ? afterChange : schedule;
    if (next == null || policy.status() == AccountStatus.CLOSED) {
      expire(null);
      return;
    }
    // An allowance that the books cannot hold is not deposited; the period begins all the same.
    final boolean fits = deposited + overage + next.amountUnits() >= 0;
    begin(next, fits && isUnfunded(next));
  }

  void begin(BudgetSchedule next, boolean funds) {
    expire(next);
    if (!funds) {
      return;
    }
    allowance = next.amountUnits();
    deposited += next.amountUnits();
    final long latest = Math.max(nameOf(next), lastFunded(next));
    funded =
        switch (next.kind()) {
          case DAY -> new Period.FundedStarts(latest, funded.week(), funded.month());
          case WEEK -> new Period.FundedStarts(funded.day(), latest, funded.month());
          case MONTH -> new Period.FundedStarts(funded.day(), funded.week(), latest);
        };
  }

  boolean isUnfunded(BudgetSchedule next) {
    return nameOf(next) > lastFunded(next);
  }

  private void expire(@Nullable BudgetSchedule next) {
    expired += allowance;
    allowance = 0;
    periodNumber++;
    schedule = next;
    changePending = false;
    afterChange = null;
    periodEnd = next == null ? Period.NEVER : next.endOf(nowNanos);
  }

  /** The calendar period that a schedule sees now: its first day; a month by its own first. */
  private long nameOf(BudgetSchedule next) {
    final LocalDate first = LocalDate.ofEpochDay(next.firstDayOf(nowNanos));
    return next.kind() == BudgetSchedule.Kind.MONTH
        ? first.withDayOfMonth(1).toEpochDay()
        : first.toEpochDay();
  }

  private long lastFunded(BudgetSchedule next) {
    return switch (next.kind()) {
      case DAY -> funded.day();
      case WEEK -> funded.week();
      case MONTH -> funded.month();
    };
  }

  // Leases

  /** The lease as it stands, resident or from its row; null if there is none. */
  @Nullable ReferenceLease lease(Id128 id) {
    for (final ReferenceLease lease : resident) {
      if (lease.id.equals(id)) {
        return lease;
      }
    }
    for (final ReferenceLease lease : fromRows) {
      if (lease.id.equals(id)) {
        return lease;
      }
    }
    final Lease row = rows.lease(id);
    if (row == null) {
      return null;
    }
    final ReferenceLease lease = new ReferenceLease(row);
    fromRows.add(lease);
    return lease;
  }

  void grant(Id128 id, Id128 holder, long units, long ttlNanos) {
    final long fromAllowance = Math.min(units, allowance);
    allowance -= fromAllowance;
    topUp -= units - fromAllowance;
    outstanding += units;
    resident.add(
        new ReferenceLease(
            id,
            holder,
            nextFence++,
            periodNumber,
            fromAllowance,
            units - fromAllowance,
            nowNanos + ttlNanos));
  }

  /** Top-up units among {@code units} given back: as many as are left of them. */
  static long topUpOf(ReferenceLease lease, long units) {
    final long topUpLeft = Math.min(lease.grantedTopUp - lease.returnedTopUp, lease.left());
    return Math.min(units, topUpLeft);
  }

  /** Returns what came back to the balance. */
  long giveBack(ReferenceLease lease, long units) {
    final long topUpUnits = topUpOf(lease, units);
    final long allowanceUnits = units - topUpUnits;
    lease.returnedTopUp += topUpUnits;
    lease.returnedAllowance += allowanceUnits;
    outstanding -= units;
    topUp += topUpUnits;
    if (lease.periodNumber == periodNumber) {
      allowance += allowanceUnits;
      return units;
    }
    expired += allowanceUnits;
    return topUpUnits;
  }

  void end(ReferenceLease lease) {
    outstanding -= lease.left();
    loss += lease.left();
    lease.state = lease.left() > 0 ? LeaseState.LOSS : LeaseState.SETTLED;
    lease.endedAtNanos = nowNanos;
  }

  List<ReferenceLease> dueBy(long nanos) {
    return resident.stream()
        .filter(lease -> lease.dueBy(nanos))
        .sorted(
            Comparator.comparingLong((ReferenceLease lease) -> lease.expiresAtNanos)
                .thenComparingLong(lease -> lease.fence))
        .toList();
  }

  /** Loss leaves the entry when it is too old or there is too much of it, oldest first (R12). */
  private void archive() {
    final List<ReferenceLease> lost =
        new ArrayList<>(
            resident.stream()
                .filter(lease -> lease.state == LeaseState.LOSS)
                .sorted(
                    Comparator.comparingLong((ReferenceLease lease) -> lease.endedAtNanos)
                        .thenComparingLong(lease -> lease.fence))
                .toList());
    while (!lost.isEmpty()
        && (lost.size() > Scale.LIMITS.lossKept()
            || nowNanos - lost.get(0).endedAtNanos >= Scale.LIMITS.stragglerHorizonNanos())) {
      lost.remove(0).state = LeaseState.ARCHIVED;
    }
  }

  // Comparing

  /** Refuses a ledger that is not what the rules make of it. */
  void requireEquals(AccountLedger after) {
    archive();
    final Balances b = after.balances();
    final boolean books =
        b.deposited() == deposited
            && b.overage() == overage
            && b.allowance() == allowance
            && b.topUp() == topUp
            && b.outstanding() == outstanding
            && b.billed() == billed
            && b.lossResident() + b.lossArchived() == loss
            && b.expired() == expired
            && b.unfunded() == unfunded;
    if (!books) {
      throw new Violation("R12", "units move as the rules say", b + ", expected " + this);
    }
    if (after.nextFence() != nextFence || !after.policy().equals(policy)) {
      throw new Violation("R18", "policy and fence move as the rules say", after.toString());
    }
    final Period period = after.period();
    final Period.ScheduleChange change = period.change();
    if (period.number() != periodNumber
        || period.endNanos() != periodEnd
        || !equal(period.schedule(), schedule)
        || (change != null) != changePending
        || (change != null && !equal(change.next(), afterChange))
        || !period.funded().equals(funded)) {
      throw new Violation("R14", "periods move as the rules say", period + ", expected " + this);
    }
    requireLeases(after);
  }

  private void requireLeases(AccountLedger after) {
    int expectedResident = 0;
    for (final ReferenceLease lease : resident) {
      final boolean stays = lease.state == LeaseState.ACTIVE || lease.state == LeaseState.LOSS;
      expectedResident += stays ? 1 : 0;
      final List<Lease> where = lease.state == LeaseState.ACTIVE ? after.active() : after.losses();
      if (stays && where.stream().noneMatch(lease::equalsRow)) {
        throw new Violation("R12", "leases move as the rules say", lease + " is not in " + where);
      }
    }
    if (after.active().size() + after.losses().size() != expectedResident) {
      throw new Violation(
          "R12",
          "leases stay in the entry as the rules say",
          after.active() + " and " + after.losses() + ", expected " + resident);
    }
  }

  private static boolean equal(@Nullable Object one, @Nullable Object other) {
    return one == null ? other == null : one.equals(other);
  }

  @Override
  public String toString() {
    return "deposited "
        + deposited
        + ", overage "
        + overage
        + ", allowance "
        + allowance
        + ", topUp "
        + topUp
        + ", outstanding "
        + outstanding
        + ", billed "
        + billed
        + ", loss "
        + loss
        + ", expired "
        + expired
        + ", unfunded "
        + unfunded
        + ", period "
        + periodNumber
        + " to "
        + periodEnd;
  }
}
