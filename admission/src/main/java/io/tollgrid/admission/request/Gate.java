package io.tollgrid.admission.request;

import io.tollgrid.admission.account.AccountState;
import io.tollgrid.admission.denial.Denial;
import io.tollgrid.admission.plan.Operation;
import io.tollgrid.admission.plan.PricedOperation;
import io.tollgrid.admission.rate.RateLimiter;
import io.tollgrid.admission.snapshot.Standing;
import org.jspecify.annotations.Nullable;

/**
 * Everything between a free slot and an admitted request, in the fixed order of R28: freshness,
 * permission, price, rates, ceilings, funding. Whoever refuses names the reason; what was taken
 * before it stays in the slot for the caller to give back, rate tokens excepted.
 */
final class Gate {
  /** Stands for the operation's default number of items. */
  static final long DEFAULT_ITEMS = -1;

  private final int stripe;
  private final LegQuotes quotes;
  private final LastDenial last;

  Gate(final int stripe, final LegQuotes quotes, final LastDenial last) {
    this.stripe = stripe;
    this.quotes = quotes;
    this.last = last;
  }

  @Nullable Denial pass(
      final UsageSlot taken,
      final Pinned pinned,
      final Operation operation,
      final long wantedItems,
      final long nowNanos) {
    if (pinned.isStale(nowNanos)) {
      return Denial.SNAPSHOT_STALE;
    }
    final PricedOperation priced = pinned.plan().operation(operation);
    if (priced == null) {
      return Denial.UNKNOWN_OPERATION;
    }
    if (!priced.isPermitted()) {
      return Denial.WORK_FORBIDDEN;
    }
    final Denial unpriced = price(taken, pinned, priced, wantedItems);
    if (unpriced != null) {
      return unpriced;
    }
    for (int leg = 0; leg < quotes.legs(); leg++) {
      final Denial closed = quotes.account(leg).closedTo(quotes.policy(leg), nowNanos);
      if (closed != null) {
        return refuse(closed, leg);
      }
    }
    final Denial limited = limit(nowNanos);
    if (limited != null) {
      return limited;
    }
    final Denial crowded = enter(taken, pinned);
    return crowded != null ? crowded : fund(taken, nowNanos);
  }

  private @Nullable Denial price(
      final UsageSlot taken,
      final Pinned pinned,
      final PricedOperation priced,
      final long wantedItems) {
    final Standing standing = pinned.standing();
    final long items = wantedItems == DEFAULT_ITEMS ? priced.estimateItems() : wantedItems;
    if (items > priced.maximumItems()) {
      return Denial.TOO_MANY_ITEMS;
    }
    if ((priced.meterSet() & ~standing.fundedMeters()) != 0) {
      return Denial.UNMETERED;
    }
    if (!quotes.price(standing, priced, items)) {
      return Denial.COST_OVERFLOW;
    }
    taken.priced(priced, items, pinned.plan().revision(), pinned.keyId());
    return null;
  }

  /** Rates: all buckets of all legs are peeked at before one is taken from (R29). */
  private @Nullable Denial limit(final long nowNanos) {
    if (quotes.legs() == 1) {
      final RateLimiter rates = quotes.account(0).rates();
      if (rates.isUnpriceable(quotes.units(0))) {
        return refuse(Denial.UNPRICEABLE_UNDER_LIMITS, 0);
      }
      final Denial limited = rates.pass(quotes.units(0), stripe, nowNanos);
      return limited == null ? null : refuse(limited, 0);
    }
    for (int leg = 0; leg < quotes.legs(); leg++) {
      if (quotes.account(leg).rates().isUnpriceable(quotes.units(leg))) {
        return refuse(Denial.UNPRICEABLE_UNDER_LIMITS, leg);
      }
    }
    for (int leg = 0; leg < quotes.legs(); leg++) {
      final Denial limited = quotes.account(leg).rates().peek(quotes.units(leg), stripe, nowNanos);
      if (limited != null) {
        return refuse(limited, leg);
      }
    }
    for (int leg = 0; leg < quotes.legs(); leg++) {
      final Denial limited = quotes.account(leg).rates().take(quotes.units(leg), stripe, nowNanos);
      if (limited != null) {
        return refuse(limited, leg);
      }
    }
    return null;
  }

  /** Ceilings: the principal's first, then each account's (R30). */
  private @Nullable Denial enter(final UsageSlot taken, final Pinned pinned) {
    if (!taken.occupancy().tryEnter(pinned.principal().gauge(), stripe)) {
      return Denial.PRINCIPAL_CONCURRENCY;
    }
    for (int leg = 0; leg < quotes.legs(); leg++) {
      if (!taken.occupancy().tryEnter(quotes.account(leg).gauge(), stripe)) {
        return refuse(Denial.ACCOUNT_CONCURRENCY, leg);
      }
    }
    return null;
  }

  /**
   * Funds every leg or none (R8): the home account's first, shared parents' last. Each debit but
   * the last may be undone, and is announced for as long as that is open.
   */
  private @Nullable Denial fund(final UsageSlot taken, final long nowNanos) {
    int asked = 0;
    boolean funded = false;
    try {
      for (int leg = 0; leg < quotes.legs(); leg++) {
        final long tentative = quotes.announce(leg);
        asked++;
        final Denial refused = fund(taken, leg, tentative, nowNanos);
        if (refused != null) {
          return refuse(refused, leg);
        }
      }
      funded = true;
      return null;
    } finally {
      if (!funded) {
        taken.giveBackAll(stripe);
      }
      quotes.decided(asked, funded ? 0 : taken.legs());
    }
  }

  private @Nullable Denial fund(
      final UsageSlot taken, final int leg, final long ownTentativeUnits, final long nowNanos) {
    final AccountState account = quotes.account(leg);
    final long units = quotes.units(leg);
    account.leases().quoted(units);
    final Denial refused =
        Funding.reserve(
            taken,
            account,
            quotes.policy(leg),
            quotes.meterSet(leg),
            units,
            ownTentativeUnits,
            stripe,
            nowNanos);
    if (refused == null) {
      quotes.paidBy(leg, taken.fundingOf(leg), taken.reservationLease(leg));
    }
    return refused;
  }

  private Denial refuse(final Denial denial, final int leg) {
    return last.note(denial, leg, quotes.account(leg), quotes.units(leg));
  }
}
