package io.tollgrid.admission.request;

import io.tollgrid.admission.account.AccountState;
import io.tollgrid.admission.denial.Denial;
import io.tollgrid.admission.lease.HeldLease;
import io.tollgrid.admission.lease.LeaseSlot;
import io.tollgrid.admission.lease.OverageAllowance;
import io.tollgrid.ledger.AccountPolicy;
import org.jspecify.annotations.Nullable;

/**
 * What pays for one leg: the account's lease, else its overage, else nobody.
 *
 * <p>Every method acts for the thread that owns the slot right now; none allocates.
 */
final class Funding {
  private Funding() {}

  // Before start

  /** The answer to how much was hidden when another debit was collecting fragments: who knows. */
  private static final long ANY_NUMBER = Long.MAX_VALUE;

  /**
   * How often a debit looks again for units that others only hid: longer than they are hidden by a
   * thread that runs, too short to wait for one that does not.
   */
  private static final int LOOKS = 64;

  /**
   * Adds a leg and funds its reservation.
   *
   * @param policy of the account, read once for this request (R28)
   * @param ownTentativeUnits what the caller has announced of the same account, see {@link
   *     LeaseSlot#hiddenUnits}
   * @return null, or why nobody pays; the leg was not added then
   */
  static @Nullable Denial reserve(
      final UsageSlot taken,
      final AccountState account,
      final AccountPolicy policy,
      final long meterSet,
      final long units,
      final long ownTentativeUnits,
      final int stripe,
      final long nowNanos) {
    final HeldLease lease =
        debit(account.leases(), null, units, ownTentativeUnits, stripe, nowNanos);
    if (lease != null && lease != LeaseSlot.CONTENDED) {
      taken.reserve(account, meterSet, UsageSlot.LEASE, lease, units);
      return null;
    }
    if (units == 0) {
      // Nothing to fund: the request needs no lease and proves nothing about funding (R15).
      taken.reserve(account, meterSet, UsageSlot.NONE, null, 0);
      return null;
    }
    final Denial denial = fundByOverage(account, policy, units, 0, lease != null, nowNanos);
    if (denial == null) {
      taken.reserve(account, meterSet, UsageSlot.OVERAGE, null, units);
    }
    return denial;
  }

  /**
   * Takes units from {@code own}, else from the current lease. Where others may only have hidden
   * them it looks again, so many times at the most.
   *
   * @param own the lease of the same request's reservation, null for none
   * @return the lease that has paid; null if none can; {@link LeaseSlot#CONTENDED} if others still
   *     may hide what would do
   */
  private static @Nullable HeldLease debit(
      final LeaseSlot leases,
      final @Nullable HeldLease own,
      final long units,
      final long ownTentativeUnits,
      final int stripe,
      final long nowNanos) {
    for (int look = 0; look < LOOKS; look++) {
      final long moment = leases.moment();
      if (own != null && leases.tryDebit(own, units, stripe, nowNanos)) {
        return own;
      }
      final HeldLease lease = leases.tryDebit(units, stripe, nowNanos);
      if (lease != null && lease != LeaseSlot.CONTENDED) {
        return lease;
      }
      final long hidden =
          lease == null ? leases.hiddenUnits(moment, ownTentativeUnits) : ANY_NUMBER;
      if (!leases.mayYetHold(units, hidden, nowNanos)) {
        return null;
      }
      Thread.onSpinWait();
    }
    return LeaseSlot.CONTENDED;
  }

  /**
   * Takes a pending debit of overage for units that no lease could fund. The lease's owner hears of
   * them, unless another request may only have hidden them (R8). Evidence is consulted last, and
   * never in place of an answer that may pass by itself (R4, R15).
   */
  private static @Nullable Denial fundByOverage(
      final AccountState account,
      final AccountPolicy policy,
      final long units,
      final long ownUnits,
      final boolean hidden,
      final long nowNanos) {
    final Denial withoutOverage = account.leases().refuse(units, ownUnits, hidden, nowNanos);
    if (!AccountState.isElastic(policy)) {
      return withoutOverage;
    }
    return switch (account.overage().tryDebit(units, AccountState.overageCapUnits(policy))) {
      case TAKEN -> null;
      case EXHAUSTED ->
          withoutOverage.isFinal() || withoutOverage == Denial.LEG_CONFLICT
              ? withoutOverage
              : Denial.OVERAGE_EXHAUSTED;
      case TEMPORARILY_EXHAUSTED -> Denial.OVERAGE_TEMPORARILY_EXHAUSTED;
      case COMMIT_IN_PROGRESS -> Denial.OVERAGE_COMMIT_IN_PROGRESS;
    };
  }

  // Start. Until the claim is won the slot may be another request's: only the notes are read.

  /**
   * Debits overage for every lapsed leg, or for none.
   *
   * @param last notes the leg that cannot
   * @return null, or why one cannot fall back
   */
  static @Nullable Denial debitFallback(
      final LegQuotes quotes, final int lapsed, final LastDenial last) {
    for (int leg = 0; leg < quotes.legs(); leg++) {
      if ((lapsed >>> leg & 1) == 0) {
        continue;
      }
      final Denial refused = debitFallback(quotes.account(leg), quotes.units(leg));
      if (refused != null) {
        refundFallback(quotes, lapsed & (1 << leg) - 1);
        return last.note(refused, leg, quotes.account(leg), quotes.units(leg));
      }
    }
    return null;
  }

  private static @Nullable Denial debitFallback(final AccountState account, final long units) {
    final AccountPolicy policy = account.policy();
    if (!AccountState.isElastic(policy)) {
      return Denial.START_LAPSED;
    }
    return switch (account.overage().tryDebit(units, AccountState.overageCapUnits(policy))) {
      case TAKEN -> null;
      case EXHAUSTED -> Denial.START_OVERAGE_EXHAUSTED;
      case TEMPORARILY_EXHAUSTED -> Denial.START_OVERAGE_TEMPORARILY_EXHAUSTED;
      case COMMIT_IN_PROGRESS -> Denial.START_OVERAGE_COMMIT_IN_PROGRESS;
    };
  }

  /** Gives back what {@link #debitFallback} took: the claim was lost. */
  static void refundFallback(final LegQuotes quotes, final int lapsed) {
    for (int leg = 0; leg < quotes.legs(); leg++) {
      if ((lapsed >>> leg & 1) != 0) {
        quotes.account(leg).overage().refund(quotes.units(leg));
      }
    }
  }

  /**
   * Claims a pending request, announcing to every overage involved that its commit is decided now.
   *
   * @param busy whether the request is to start busy
   */
  static boolean tryStart(
      final UsageSlot held,
      final long use,
      final boolean busy,
      final LegQuotes quotes,
      final int lapsed) {
    long funded = busy ? PhaseWord.busy(use) : use;
    for (int leg = 0; leg < quotes.legs(); leg++) {
      if ((lapsed >>> leg & 1) != 0) {
        funded = PhaseWord.withFunding(funded, leg, PhaseWord.FUNDED_BY_OVERAGE);
      }
    }
    final int overage = lapsed | quotes.onOverage();
    for (int leg = 0; leg < quotes.legs(); leg++) {
      if ((overage >>> leg & 1) != 0) {
        quotes.account(leg).overage().beginCommit();
      }
    }
    final boolean won = held.tryStart(use, funded);
    for (int leg = 0; leg < quotes.legs(); leg++) {
      if ((overage >>> leg & 1) != 0) {
        quotes.account(leg).overage().endCommit(won ? quotes.units(leg) : 0);
      }
    }
    return won;
  }

  /** Makes overage pay for the lapsed legs of a request whose claim was won. */
  static void fallBack(final UsageSlot held, final int lapsed, final int stripe) {
    for (int leg = 0; leg < held.legs(); leg++) {
      final HeldLease lease = held.reservationLease(leg);
      if ((lapsed >>> leg & 1) != 0 && lease != null) {
        held.fundBy(leg, UsageSlot.OVERAGE, null);
        held.accountOf(leg).leases().credit(lease, held.units(leg), stripe);
      }
    }
  }

  // While it runs

  /**
   * Funds an extension of a leg as a whole: by the reservation's own lease, the current one,
   * overage (R9). Where it went is noted in {@code quotes}, to be settled or undone when every leg
   * is decided.
   *
   * @param ownTentativeUnits as for {@link #reserve}
   */
  static @Nullable Denial extend(
      final UsageSlot held,
      final LegQuotes quotes,
      final int leg,
      final long ownTentativeUnits,
      final int stripe,
      final long nowNanos) {
    final long units = quotes.units(leg);
    if (units == 0) {
      return null;
    }
    if (units > Long.MAX_VALUE - held.unitsOf(leg)) {
      return Denial.COST_OVERFLOW;
    }
    final AccountState account = held.accountOf(leg);
    final LeaseSlot leases = account.leases();
    final HeldLease lease =
        debit(leases, held.reservationLease(leg), units, ownTentativeUnits, stripe, nowNanos);
    if (lease != null && lease != LeaseSlot.CONTENDED) {
      final int part = held.extend(leg, UsageSlot.LEASE, lease, units);
      if (part == UsageSlot.NO_PART) {
        leases.credit(lease, units, stripe);
        return Denial.TOO_MANY_ITEMS;
      }
      quotes.extendedBy(leg, part);
      return null;
    }
    if (!held.hasRoomFor(leg, UsageSlot.OVERAGE, null)) {
      return Denial.TOO_MANY_ITEMS;
    }
    final long ownUnits = held.unitsOnActiveLeases(leg, nowNanos);
    final Denial denial =
        fundByOverage(account, account.policy(), units, ownUnits, lease != null, nowNanos);
    if (denial == null) {
      account.overage().beginCommit();
      quotes.extendedBy(leg, held.extend(leg, UsageSlot.OVERAGE, null, units));
    }
    return denial;
  }

  /** Makes what {@link #extend} took final. */
  static void settleExtension(final UsageSlot held, final LegQuotes quotes, final int leg) {
    final int part = quotes.extendedBy(leg);
    if (part != UsageSlot.NO_PART && held.fundingOf(part) == UsageSlot.OVERAGE) {
      held.accountOf(leg).overage().endCommit(quotes.units(leg));
    }
  }

  /** Gives back what {@link #extend} took. */
  static void undoExtension(
      final UsageSlot held, final LegQuotes quotes, final int leg, final int stripe) {
    final int part = quotes.extendedBy(leg);
    if (part == UsageSlot.NO_PART) {
      return;
    }
    held.giveBack(part, quotes.units(leg), false, stripe);
    if (held.fundingOf(part) == UsageSlot.OVERAGE) {
      held.accountOf(leg).overage().endCommit(0);
    }
  }

  /** Funds what a settlement exceeds its reservation by, or records that nobody did. */
  static void fundOrRecord(
      final UsageSlot held,
      final int leg,
      final long missing,
      final int stripe,
      final long nowNanos) {
    final AccountState account = held.accountOf(leg);
    final LeaseSlot leases = account.leases();
    final HeldLease lease = debit(leases, held.reservationLease(leg), missing, 0, stripe, nowNanos);
    if (lease != null && lease != LeaseSlot.CONTENDED) {
      if (held.extend(leg, UsageSlot.LEASE, lease, missing) != UsageSlot.NO_PART) {
        return;
      }
      leases.credit(lease, missing, stripe);
    }
    final AccountPolicy policy = account.policy();
    if (AccountState.isElastic(policy)
        && held.hasRoomFor(leg, UsageSlot.OVERAGE, null)
        && account.overage().tryDebit(missing, AccountState.overageCapUnits(policy))
            == OverageAllowance.Debit.TAKEN) {
      account.overage().beginCommit();
      held.extend(leg, UsageSlot.OVERAGE, null, missing);
      account.overage().endCommit(missing);
      return;
    }
    held.extend(leg, UsageSlot.UNFUNDED, null, missing);
  }

  /** Returns units of a started request, overage before lease, the latest part first. */
  static void giveBack(final UsageSlot held, final int leg, final long units, final int stripe) {
    final long left = giveBack(held, leg, units, UsageSlot.OVERAGE, stripe);
    final long none = giveBack(held, leg, left, UsageSlot.LEASE, stripe);
    assert none == 0 : none;
  }

  private static long giveBack(
      final UsageSlot held, final int leg, final long units, final int funding, final int stripe) {
    long left = units;
    for (int part = held.parts() - 1; part >= 0 && left > 0; part--) {
      if (held.legOf(part) == leg && held.fundingOf(part) == funding) {
        final long returned = Math.min(left, held.units(part));
        held.giveBack(part, returned, true, stripe);
        left -= returned;
      }
    }
    return left;
  }
}
