package io.tollgrid.ledger;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A ledger being changed by one command: mutable, confined to one call of {@link Ledger#apply},
 * thrown away if the command is refused.
 *
 * <p>Every method moves units between two terms of the books or enters them on both sides, so that
 * the identity of R10 holds between any two calls ({@link UnitPool}); {@link #freeze} checks it
 * once more. Sums use exact arithmetic: an overflow throws {@link ArithmeticException} and the
 * command is refused as a whole.
 */
final class LedgerDraft {
  private final AccountLedger before;
  private final long nowNanos;
  private final LedgerLimits limits;

  private final UnitPool deposited;
  private final UnitPool overage;
  private final UnitPool allowance;
  private final UnitPool topUp;
  private final UnitPool outstanding;
  private final UnitPool billed;
  private final UnitPool lossResident;
  private final UnitPool lossArchived;
  private final UnitPool expired;
  private long unfunded;
  private AccountPolicy policy;
  private Period period;
  private long nextFence;
  private final List<Lease> active;
  private final List<Lease> losses;
  private final List<Lease> settled;

  private final Map<Id128, Lease> inserted = new LinkedHashMap<>();
  private final Map<Id128, Lease> updated = new LinkedHashMap<>();
  private final List<Effects.FundingEntry> funding = new ArrayList<>();
  private boolean changed;

  LedgerDraft(AccountLedger before, long nowNanos, LedgerLimits limits) {
    this.before = before;
    this.nowNanos = nowNanos;
    this.limits = limits;
    final Balances books = before.balances();
    deposited = new UnitPool(books.deposited());
    overage = new UnitPool(books.overage());
    allowance = new UnitPool(books.allowance());
    topUp = new UnitPool(books.topUp());
    outstanding = new UnitPool(books.outstanding());
    billed = new UnitPool(books.billed());
    lossResident = new UnitPool(books.lossResident());
    lossArchived = new UnitPool(books.lossArchived());
    expired = new UnitPool(books.expired());
    unfunded = books.unfunded();
    policy = before.policy();
    period = before.period();
    nextFence = before.nextFence();
    active = new ArrayList<>(before.active());
    losses = new ArrayList<>(before.losses());
    settled = new ArrayList<>(before.settled());
  }

  long nowNanos() {
    return nowNanos;
  }

  LedgerLimits limits() {
    return limits;
  }

  long balance() {
    return allowance.units() + topUp.units();
  }

  long remaining() {
    return balance() + outstanding.units();
  }

  AccountPolicy policy() {
    return policy;
  }

  Period period() {
    return period;
  }

  List<Lease> active() {
    return active;
  }

  boolean changed() {
    return changed;
  }

  /** Evidence as of the version this draft will become. */
  Evidence evidence() {
    return new Evidence(remaining(), period.endNanos(), version());
  }

  /** The version this draft will become: one more than before once anything changed. */
  long version() {
    return changed ? before.version() + 1 : before.version();
  }

  /**
   * Marks the ledger as changed even if no number moved: a command that took effect is a version of
   * its own.
   */
  void touch() {
    changed = true;
  }

  // Funding and periods

  void fund(Effects.FundingEntry.Source source, long units) {
    deposited.growWith(source == Effects.FundingEntry.Source.ALLOWANCE ? allowance : topUp, units);
    requireBooksFit();
    if (units > 0) {
      funding.add(new Effects.FundingEntry(source, units));
    }
    touch();
  }

  /**
   * Crosses the stored boundary if ledger time has reached it, however many boundaries passed since
   * (R14).
   *
   * <p>An allowance that the books cannot hold is not deposited. Refusing the crossing instead
   * would refuse every command from then on, and with it the record of what was spent already.
   */
  void crossIfDue() {
    if (nowNanos < period.endNanos()) {
      return;
    }
    final Period.ScheduleChange change = period.change();
    final BudgetSchedule following = change == null ? period.schedule() : change.next();
    if (following == null || policy.status() == AccountStatus.CLOSED) {
      nextPeriod(Period.NEVER, null, period.funded());
    } else {
      beginPeriod(following, isUnfunded(following) && booksHold(following.amountUnits()));
    }
  }

  /** Whether the calendar period that {@code schedule} sees now was never funded. */
  boolean isUnfunded(BudgetSchedule schedule) {
    return !period.funded().covers(schedule.kind(), schedule.firstDayOf(nowNanos));
  }

  /** Begins a period under {@code schedule} now, and funds it if told to. */
  void beginPeriod(BudgetSchedule schedule, boolean funds) {
    final Period.FundedStarts funded =
        funds
            ? period.funded().with(schedule.kind(), schedule.firstDayOf(nowNanos))
            : period.funded();
    nextPeriod(schedule.endOf(nowNanos), schedule, funded);
    if (funds) {
      fund(Effects.FundingEntry.Source.ALLOWANCE, schedule.amountUnits());
    }
  }

  /** Expires what is left of the allowance and counts the period on. */
  private void nextPeriod(
      long endNanos, @Nullable BudgetSchedule schedule, Period.FundedStarts funded) {
    allowance.moveTo(expired, allowance.units());
    period = new Period(Math.addExact(period.number(), 1), endNanos, schedule, null, funded);
    touch();
  }

  void changeAtBoundary(@Nullable BudgetSchedule next) {
    period =
        new Period(
            period.number(),
            period.endNanos(),
            period.schedule(),
            new Period.ScheduleChange(next),
            period.funded());
    touch();
  }

  void policy(AccountPolicy next) {
    policy = next;
    touch();
  }

  // Leases

  /** The lease with this id as it stands in the draft, if it is resident. */
  @Nullable Lease lease(Id128 leaseId) {
    for (final List<Lease> leases : List.of(active, losses, settled)) {
      for (final Lease lease : leases) {
        if (lease.id().equals(leaseId)) {
          return lease;
        }
      }
    }
    return null;
  }

  /** The lease with this id, which the caller knows to be resident. */
  Lease require(Id128 leaseId) {
    final Lease lease = lease(leaseId);
    if (lease == null) {
      throw new IllegalStateException("lease " + leaseId + " left the draft");
    }
    return lease;
  }

  /**
   * The expiry {@code ttlNanos} from now.
   *
   * @throws ArithmeticException if it or its grace would end after the last instant there is (R7)
   */
  static long expiryAfter(long nowNanos, long ttlNanos, long graceNanos) {
    final long expiresAtNanos = Math.addExact(nowNanos, ttlNanos);
    Math.addExact(expiresAtNanos, graceNanos);
    return expiresAtNanos;
  }

  /** Moves {@code units} of the balance, allowance first, onto a new lease. */
  Lease grant(Id128 leaseId, Id128 holder, Id128 bodyHash, long units, long ttlNanos) {
    final long fromAllowance = LeaseArithmetic.allowanceOfGrant(units, allowance.units());
    final long fromTopUp = units - fromAllowance;
    allowance.moveTo(outstanding, fromAllowance);
    topUp.moveTo(outstanding, fromTopUp);
    final long expiresAtNanos = expiryAfter(nowNanos, ttlNanos, limits.graceNanos());
    final Lease lease =
        new Lease(
            leaseId,
            holder,
            nextFence,
            bodyHash,
            period.number(),
            fromAllowance,
            fromTopUp,
            0,
            0,
            0,
            0,
            LeaseState.ACTIVE,
            expiresAtNanos,
            expiresAtNanos,
            limits.graceNanos(),
            0,
            null);
    nextFence = Math.addExact(nextFence, 1);
    active.add(lease);
    inserted.put(leaseId, lease);
    touch();
    return lease;
  }

  /**
   * Gives {@code units} of an active lease back: top-up to the balance, allowance to the balance
   * or, if its period is over, to {@code expired} (R14).
   *
   * @return the units restored to the balance
   */
  long giveBack(Lease lease, long units) {
    final long topUpUnits =
        LeaseArithmetic.topUpOfReturn(
            units, lease.remaining(), lease.grantedTopUp(), lease.returnedTopUp());
    final long allowanceUnits = units - topUpUnits;
    final boolean current = lease.periodNumber() == period.number();
    outstanding.moveTo(topUp, topUpUnits);
    outstanding.moveTo(current ? allowance : expired, allowanceUnits);
    replaceActive(lease.withReturned(allowanceUnits, topUpUnits));
    return LeaseArithmetic.restoredOfReturn(units, topUpUnits, current);
  }

  /** Ends an active lease: what remains on it becomes provisional loss (R12). */
  Lease end(Lease lease) {
    final Lease ended = lease.ended(nowNanos);
    outstanding.moveTo(lossResident, ended.loss());
    active.removeIf(other -> other.id().equals(lease.id()));
    place(ended);
    return ended;
  }

  /** Bills {@code units} to an active lease. */
  void bill(Lease lease, long units) {
    outstanding.moveTo(billed, units);
    replaceActive(lease.withBilled(units));
  }

  /** Bills {@code units} of a resident lease's loss. */
  void claimResident(Lease lease, long units) {
    lossResident.moveTo(billed, units);
    losses.removeIf(other -> other.id().equals(lease.id()));
    place(lease.claimed(units));
  }

  /** Whether leases that left the entry have lost as many units together. */
  boolean holdsArchivedLoss(long units) {
    return units <= lossArchived.units();
  }

  /** Bills {@code units} of an archived lease's loss; the lease is not in the entry. */
  Lease claimArchived(Lease lease, long units) {
    lossArchived.moveTo(billed, units);
    final Lease claimed = lease.claimed(units);
    updated.put(claimed.id(), claimed);
    touch();
    return claimed;
  }

  /** Whether both sides of the books can take {@code units} more. */
  boolean booksHold(long units) {
    return Conservation.fits(deposited.units(), overage.units(), units);
  }

  void billOverage(long units) {
    overage.growWith(billed, units);
    touch();
  }

  /** Whether {@code units} more of unfunded usage can be counted. */
  boolean unfundedFits(long units) {
    return units <= Long.MAX_VALUE - unfunded;
  }

  void recordUnfunded(long units) {
    unfunded = Math.addExact(unfunded, units);
    touch();
  }

  void replaceActive(Lease lease) {
    active.replaceAll(other -> other.id().equals(lease.id()) ? lease : other);
    changed(lease);
  }

  private void place(Lease ended) {
    if (ended.state() == LeaseState.LOSS) {
      losses.add(ended);
      losses.sort(Comparator.comparingLong(Lease::fence));
    } else {
      settled.add(ended);
    }
    changed(ended);
  }

  private void changed(Lease lease) {
    if (inserted.containsKey(lease.id())) {
      inserted.put(lease.id(), lease);
    } else {
      updated.put(lease.id(), lease);
    }
    touch();
  }

  // Leaving the draft

  /**
   * The ledger as changed; housekeeping of what may leave the entry happens here, so only with a
   * write.
   */
  AccountLedger freeze() {
    archiveOldLosses();
    while (settled.size() > limits.settledKept()) {
      settled.remove(0);
    }
    return new AccountLedger(
        before.id(),
        version(),
        nowNanos,
        new Balances(
            deposited.units(),
            overage.units(),
            allowance.units(),
            topUp.units(),
            outstanding.units(),
            billed.units(),
            lossResident.units(),
            lossArchived.units(),
            expired.units(),
            unfunded),
        policy,
        period,
        nextFence,
        active,
        losses,
        settled);
  }

  List<Lease> inserted() {
    return List.copyOf(inserted.values());
  }

  List<Lease> updated() {
    return List.copyOf(updated.values());
  }

  List<Effects.FundingEntry> funding() {
    return funding;
  }

  private void archiveOldLosses() {
    final List<Lease> byAge = new ArrayList<>(losses);
    byAge.sort(Comparator.comparingLong(Lease::endedAtNanos).thenComparingLong(Lease::fence));
    int kept = byAge.size();
    for (final Lease lease : byAge) {
      final boolean tooOld = nowNanos - lease.endedAtNanos() >= limits.stragglerHorizonNanos();
      if (!tooOld && kept <= limits.lossKept()) {
        return;
      }
      lossResident.moveTo(lossArchived, lease.loss());
      losses.remove(lease);
      changed(lease.archived());
      kept--;
    }
  }

  private void requireBooksFit() {
    Math.addExact(deposited.units(), overage.units());
  }
}
