package io.tollgrid.admission.request;

import io.tollgrid.admission.account.AccountState;
import io.tollgrid.admission.lease.HeldLease;
import io.tollgrid.admission.plan.PriceArithmetic;
import io.tollgrid.admission.plan.PricedOperation;
import io.tollgrid.admission.snapshot.Standing;
import org.jspecify.annotations.Nullable;

/**
 * The legs of the request at hand, what each is to cost and what paid: the request object's own
 * notes. They stay true whatever becomes of its slot, which another thread may have released and a
 * third may be using. Reused; for one thread.
 */
final class LegQuotes {
  private final AccountState[] accounts = new AccountState[UsageSlot.MAX_LEGS];
  private final long[] meterSets = new long[UsageSlot.MAX_LEGS];
  private final long[] units = new long[UsageSlot.MAX_LEGS];
  private final @Nullable HeldLease[] leases = new HeldLease[UsageSlot.MAX_LEGS];
  private int onOverage;
  private int legs;

  /**
   * Finds the legs that an operation has under a snapshot and prices each.
   *
   * @return whether every price fits 63 bits
   */
  boolean price(final Standing standing, final PricedOperation operation, final long items) {
    onOverage = 0;
    legs = 0;
    for (int leg = 0; leg < standing.legs(); leg++) {
      final long counted = standing.meterSet(leg) & operation.meterSet();
      if (counted != 0) {
        final AccountState account = standing.account(leg);
        if (accounts[legs] != account) {
          accounts[legs] = account;
        }
        meterSets[legs] = counted;
        legs++;
      }
    }
    return reprice(operation, items);
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

  /** The same amount for every leg. */
  void each(final long amount) {
    for (int leg = 0; leg < legs; leg++) {
      units[leg] = amount;
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

  /** The legs whose lease is no longer usable, as bits. */
  int lapsed(final long nowNanos) {
    int lapsed = 0;
    for (int leg = 0; leg < legs; leg++) {
      final HeldLease lease = leases[leg];
      if (lease != null && !lease.usableAt(nowNanos)) {
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

  long meterSet(final int leg) {
    return meterSets[leg];
  }

  long units(final int leg) {
    return units[leg];
  }
}
