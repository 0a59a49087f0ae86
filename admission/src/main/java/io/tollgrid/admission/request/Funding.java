package io.tollgrid.admission.request;

import io.tollgrid.admission.account.AccountState;
import io.tollgrid.admission.denial.Denial;
import io.tollgrid.admission.lease.HeldLease;
import io.tollgrid.admission.lease.LeaseSlot;
import io.tollgrid.admission.lease.OverageAllowance;
import org.jspecify.annotations.Nullable;

/**
 * What pays for one leg: the account's lease, else its overage, else nobody.
 *
 * <p>Every method acts for the thread that owns the slot right now; none allocates.
 */
final class Funding {
  private Funding() {}

  // Before start

  /**
   * Adds a leg and funds its reservation.
   *
   * @param ownTentativeUnits what the caller has announced of the same account, see {@link
   *     LeaseSlot#mayHaveHidden}
   * @return null, or why nobody pays; the leg was not added then
   */
  static @Nullable Denial reserve(
      final UsageSlot taken,
      final AccountState account,
      final long meterSet,
      final long units,
      final long ownTentativeUnits,
      final int stripe,
      final long nowNanos) {
    final LeaseSlot leases = account.leases();
    final long moment = leases.moment();
    final HeldLease lease = leases.tryDebit(units, stripe, nowNanos);
    if (lease != null && lease != LeaseSlot.CONTENDED) {
      taken.reserve(account, meterSet, UsageSlot.LEASE, lease, units);
      return null;
    }
    if (units == 0) {
      // Nothing to fund: the request needs no lease and proves nothing about funding (R15).
      taken.reserve(account, meterSet, UsageSlot.NONE, null, 0);
      return null;
    }
    final boolean conflict =
        lease == LeaseSlot.CONTENDED || leases.mayHaveHidden(moment, ownTentativeUnits);
    final Denial denial = fundByOverage(account, units, 0, conflict, nowNanos);
    if (denial == null) {
      taken.reserve(account, meterSet, UsageSlot.OVERAGE, null, units);
    }
    return denial;
  }

  /**
   * Takes a pending debit of overage for units that no lease could fund. The lease's owner hears of
   * them, unless another request may only have hidden them (R8). Evidence is consulted last, and
   * never in place of an answer that may pass by itself (R4, R15).
   */
  private static @Nullable Denial fundByOverage(
      final AccountState account,
      final long units,
      final long ownUnits,
      final boolean conflict,
      final long nowNanos) {
    final Denial withoutOverage =
        conflict ? Denial.LEG_CONFLICT : account.leases().refuse(units, ownUnits, nowNanos);
    if (!account.elastic()) {
      return withoutOverage;
    }
    return switch (account.overage().tryDebit(units, account.overageCapUnits())) {
      case TAKEN -> null;
      case EXHAUSTED ->
          conflict || withoutOverage.isFinal() ? withoutOverage : Denial.OVERAGE_EXHAUSTED;
      case TEMPORARILY_EXHAUSTED -> Denial.OVERAGE_TEMPORARILY_EXHAUSTED;
      case COMMIT_IN_PROGRESS -> Denial.OVERAGE_COMMIT_IN_PROGRESS;
    };
  }

  // Start. Until the claim is won the slot may be another request's: only the notes are read.

  /**
   * Debits overage for every lapsed leg, or for none.
   *
   * @return null, or why one cannot fall back
   */
  static @Nullable Denial debitFallback(final LegQuotes quotes, final int lapsed) {
    for (int leg = 0; leg < quotes.legs(); leg++) {
      if ((lapsed >>> leg & 1) == 0) {
        continue;
      }
      final Denial refused = debitFallback(quotes.account(leg), quotes.units(leg));
      if (refused != null) {
        refundFallback(quotes, lapsed & (1 << leg) - 1);
        return refused;
      }
    }
    return null;
  }

  private static @Nullable Denial debitFallback(final AccountState account, final long units) {
    if (!account.elastic()) {
      return Denial.START_LAPSED;
    }
    return switch (account.overage().tryDebit(units, account.overageCapUnits())) {
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

  /** Funds an extension as a whole: the reservation's own lease, the current one, overage (R9). */
  static @Nullable Denial extend(
      final UsageSlot held,
      final int leg,
      final long units,
      final int stripe,
      final long nowNanos) {
    if (units == 0) {
      return null;
    }
    if (units > Long.MAX_VALUE - held.unitsOf(leg)) {
      return Denial.COST_OVERFLOW;
    }
    final AccountState account = held.accountOf(leg);
    final long moment = account.leases().moment();
    final HeldLease lease = debitAny(held, leg, units, stripe, nowNanos);
    if (lease != null && lease != LeaseSlot.CONTENDED) {
      if (held.extend(leg, UsageSlot.LEASE, lease, units)) {
        return null;
      }
      account.leases().credit(lease, units, stripe);
      return Denial.TOO_MANY_ITEMS;
    }
    if (!held.hasRoomFor(leg, UsageSlot.OVERAGE, null)) {
      return Denial.TOO_MANY_ITEMS;
    }
    final Denial denial =
        fundByOverage(
            account,
            units,
            held.unitsOnActiveLeases(leg, nowNanos),
            lease == LeaseSlot.CONTENDED || account.leases().mayHaveHidden(moment, 0),
            nowNanos);
    if (denial == null) {
      commitOverage(held, leg, units);
    }
    return denial;
  }

  private static @Nullable HeldLease debitAny(
      final UsageSlot held,
      final int leg,
      final long units,
      final int stripe,
      final long nowNanos) {
    final LeaseSlot leases = held.accountOf(leg).leases();
    final HeldLease own = held.reservationLease(leg);
    if (own != null && leases.tryDebit(own, units, stripe, nowNanos)) {
      return own;
    }
    return leases.tryDebit(units, stripe, nowNanos);
  }

  /** Makes a pending debit of a request that has started a committed part of it. */
  private static void commitOverage(final UsageSlot held, final int leg, final long units) {
    final OverageAllowance overage = held.accountOf(leg).overage();
    overage.beginCommit();
    held.extend(leg, UsageSlot.OVERAGE, null, units);
    overage.endCommit(units);
  }

  /** Funds what a settlement exceeds its reservation by, or records that nobody did. */
  static void fundOrRecord(
      final UsageSlot held,
      final int leg,
      final long missing,
      final int stripe,
      final long nowNanos) {
    final AccountState account = held.accountOf(leg);
    final HeldLease lease = debitAny(held, leg, missing, stripe, nowNanos);
    if (lease != null && lease != LeaseSlot.CONTENDED) {
      if (held.extend(leg, UsageSlot.LEASE, lease, missing)) {
        return;
      }
      account.leases().credit(lease, missing, stripe);
    }
    if (account.elastic()
        && held.hasRoomFor(leg, UsageSlot.OVERAGE, null)
        && account.overage().tryDebit(missing, account.overageCapUnits())
            == OverageAllowance.Debit.TAKEN) {
      commitOverage(held, leg, missing);
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
