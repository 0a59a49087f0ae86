package io.tollgrid.admission.request;

import io.tollgrid.admission.account.AccountState;
import io.tollgrid.admission.lease.HeldLease;
import io.tollgrid.admission.plan.PriceArithmetic;
import io.tollgrid.admission.plan.PricedOperation;
import io.tollgrid.admission.snapshot.Standing;
import io.tollgrid.ledger.AccountPolicy;
import org.jspecify.annotations.Nullable;

/**
 * The legs of the request at hand, what each is to cost and what paid: the request object's own
 * notes. They stay true whatever becomes of its slot, which another thread may have released and a
 * third may be using. Reused; for one thread.
 */
final class LegQuotes {
  private final AccountState[] accounts = new AccountState[UsageSlot.MAX_LEGS];
  private final AccountPolicy[] policies = new AccountPolicy[UsageSlot.MAX_LEGS];
  private final long[] meterSets = new long[UsageSlot.MAX_LEGS];
  private final long[] units = new long[UsageSlot.MAX_LEGS];
  private final @Nullable HeldLease[] leases = new HeldLease[UsageSlot.MAX_LEGS];
  private final int[] extendedBy = new int[UsageSlot.MAX_LEGS];

  /** Units the legs' weighted rates were charged for. */
  private final long[] ratedUnits = new long[UsageSlot.MAX_LEGS];

  private int onOverage;
  private int legs;

  /**
   * Finds the legs that an operation has under a snapshot, reads each account's policy, once, and
   * prices each. The home account is always a leg, and the first: it is the one that is billed,
   * though it be for nothing (R8).
   *
   * @return whether every price fits 63 bits
   */
  boolean price(final Standing standing, final PricedOperation operation, final long items) {
    onOverage = 0;
    legs = 0;
    for (int leg = 0; leg < standing.legs(); leg++) {
      final long counted = standing.meterSet(leg) & operation.meterSet();
      if (counted != 0 || leg == 0) {
        add(standing.account(leg), counted);
      }
    }
    if (!reprice(operation, items)) {
      return false;
    }
    for (int leg = 0; leg < legs; leg++) {
      ratedUnits[leg] = accounts[leg].rates().limitsUnits() ? units[leg] : 0;
    }
    return true;
  }

  /** The very policy is looked for, and not one like it, only to spare a write. */
  @SuppressWarnings("ReferenceEquality")
  private void add(final AccountState account, final long counted) {
    if (accounts[legs] != account) {
      accounts[legs] = account;
    }
    final AccountPolicy inForce = account.policy();
    if (policies[legs] != inForce) {
      policies[legs] = inForce;
    }
    meterSets[legs] = counted;
    legs++;
  }

  /** Prices the same legs for another number of items; false if a price does not fit 63 bits. */
  boolean reprice(final PricedOperation operation, final long items) {
    for (int leg = 0; leg < legs; leg++) {
      units[leg] = operation.quoteUnits(meterSets[leg], items);
      if (units[leg] == PriceArithmetic.OVERFLOW) {
        return false;
      }
    }
    return true;
  }

  /** The same amount for every leg that counts something. */
  void each(final long amount) {
    for (int leg = 0; leg < legs; leg++) {
      units[leg] = meterSets[leg] == 0 ? 0 : amount;
    }
  }

  /** What the legs cost beyond what a slot holds already. */
  void lessThan(final UsageSlot held) {
    for (int leg = 0; leg < legs; leg++) {
      units[leg] = Math.max(0, units[leg] - held.unitsOf(leg));
    }
  }

  /** Notes what pays for a leg. */
  void paidBy(final int leg, final int funding, final @Nullable HeldLease lease) {
    if (leases[leg] != lease) {
      leases[leg] = lease;
    }
    if (funding == UsageSlot.OVERAGE) {
      onOverage |= 1 << leg;
    }
  }

  /** The legs that overage pays for, as bits. */
  int onOverage() {
    return onOverage;
  }

  /** The legs whose lease is no longer usable, as bits. One that costs nothing needs none (R15). */
  int lapsed(final long nowNanos) {
    int lapsed = 0;
    for (int leg = 0; leg < legs; leg++) {
      final HeldLease lease = leases[leg];
      if (lease != null && units[leg] > 0 && !lease.usableAt(nowNanos)) {
        lapsed |= 1 << leg;
      }
    }
    return lapsed;
  }

  int legs() {
    return legs;
  }

  AccountState account(final int leg) {
    return accounts[leg];
  }

  /** The account's policy as the request found it. */
  AccountPolicy policy(final int leg) {
    return policies[leg];
  }

  /**
   * Announces that a leg is about to be debited and may yet be given back, unless it is the last:
   * nothing after that can fail (R8).
   *
   * @return the units that were announced
   */
  long announce(final int leg) {
    extendedBy[leg] = UsageSlot.NO_PART;
    if (leg == legs - 1) {
      return 0;
    }
    accounts[leg].leases().beginTentative(units[leg]);
    return units[leg];
  }

  /**
   * Ends what {@link #announce} began.
   *
   * @param asked for how many legs it was called
   * @param undone how many of them had paid and were given back
   */
  void decided(final int asked, final int undone) {
    for (int leg = Math.min(asked, legs - 1) - 1; leg >= 0; leg--) {
      accounts[leg].leases().endTentative(units[leg], leg < undone);
    }
  }

  /** Notes which part an extension of a leg became, {@link UsageSlot#NO_PART} for none. */
  void extendedBy(final int leg, final int part) {
    extendedBy[leg] = part;
  }

  /** The part that the extension at hand became. */
  int extendedBy(final int leg) {
    return extendedBy[leg];
  }

  /** Charges a leg's rate for an extension that is funded (R9). */
  void chargeRate(final int leg, final int stripe, final long nowNanos) {
    ratedUnits[leg] += accounts[leg].rates().charge(units[leg], stripe, nowNanos);
  }

  /**
   * Corrects a leg's rate when the request ends, from what was reserved to what was used (R9). What
   * was reserved and forgiven is not given back.
   */
  void adjustRate(final int leg, final long reservedUnits, final int stripe, final long nowNanos) {
    final long used = units[leg];
    if (used > reservedUnits) {
      accounts[leg].rates().charge(used - reservedUnits, stripe, nowNanos);
    } else if (used < ratedUnits[leg]) {
      accounts[leg].rates().refund(ratedUnits[leg] - used, stripe);
    }
  }

  long meterSet(final int leg) {
    return meterSets[leg];
  }

  long units(final int leg) {
    return units[leg];
  }
}
