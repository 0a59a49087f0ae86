package io.tollgrid.verification.simulation;

import io.tollgrid.ledger.AccountLedger;
import io.tollgrid.ledger.Balances;
import io.tollgrid.ledger.Effects;
import io.tollgrid.ledger.Funding;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.Lease;
import io.tollgrid.ledger.LeaseState;
import io.tollgrid.ledger.RowKey;
import io.tollgrid.ledger.UsageEvent;
import io.tollgrid.ledger.UsageVerdict;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The books of one account, added up from the rows alone: every funding, every lease, every
 * accepted event (R10, R20).
 *
 * <p>Sums are kept as rows are written, so that a check costs what the transition touched, not what
 * the account holds.
 */
final class BooksAudit {
  private final Map<Id128, Lease> leases = new HashMap<>();
  private final Map<Id128, Long> billedByLease = new HashMap<>();
  private final Set<RowKey.UsageKey> accepted = new HashSet<>();
  private long funded;
  private long overage;
  private long unfunded;
  private long billed;
  private long outstanding;
  private long lossResident;
  private long lossArchived;
  private long lastFence;
  private long asOfNanos = Long.MIN_VALUE;

  /** Adds what a transition wrote. */
  void wrote(Effects effects, AccountRows rows) {
    for (final Effects.FundingEntry entry : effects.funding()) {
      funded = Math.addExact(funded, entry.units());
    }
    for (final Effects.UsageEntry entry : effects.usage()) {
      accept(entry);
    }
    for (final Lease lease : effects.inserted()) {
      if (lease.fence() <= lastFence) {
        throw new Violation(
            "R11", "fences increase", lease.fence() + " after " + lastFence + " on " + lease.id());
      }
      lastFence = lease.fence();
      moved(lease, rows);
    }
    for (final Lease lease : effects.updated()) {
      moved(lease, rows);
    }
  }

  /** The account's numbers are what its rows add up to, and balance. */
  void requireBalanced(AccountLedger after) {
    final Balances b = after.balances();
    final long left = Math.addExact(b.deposited(), b.overage());
    final long right =
        sum(
            b.allowance(),
            b.topUp(),
            b.outstanding(),
            b.billed(),
            b.lossResident(),
            b.lossArchived(),
            b.expired());
    final boolean negative =
        b.deposited() < 0
            || b.overage() < 0
            || b.allowance() < 0
            || b.topUp() < 0
            || b.outstanding() < 0
            || b.billed() < 0
            || b.lossResident() < 0
            || b.lossArchived() < 0
            || b.expired() < 0
            || b.unfunded() < 0;
    if (left != right || negative) {
      throw new Violation("R10", "the books balance", b.toString());
    }
    require("deposits", b.deposited(), funded);
    require("overage", b.overage(), overage);
    require("unfunded usage", b.unfunded(), unfunded);
    require("outstanding units", b.outstanding(), outstanding);
    require("resident loss", b.lossResident(), lossResident);
    require("archived loss", b.lossArchived(), lossArchived);
    if (b.billed() != billed) {
      throw new Violation(
          "R20", "billed is the sum of accepted parts", b.billed() + " against " + billed);
    }
    if (after.nextFence() != lastFence + 1) {
      throw new Violation(
          "R11", "the next fence follows the last", after.nextFence() + " after " + lastFence);
    }
    if (after.asOfNanos() < asOfNanos) {
      throw new Violation(
          "R57", "ledger time does not run back", after.asOfNanos() + " after " + asOfNanos);
    }
    asOfNanos = after.asOfNanos();
  }

  /** Units of accepted events that name this lease. */
  long billedTo(Id128 lease) {
    return billedByLease.getOrDefault(lease, 0L);
  }

  boolean hasAccepted(RowKey.UsageKey part) {
    return accepted.contains(part);
  }

  private void accept(Effects.UsageEntry entry) {
    final UsageEvent event = entry.event();
    if (!accepted.add(AccountRows.partOf(entry))) {
      throw new Violation("R20", "a part is accepted once", event.requestId() + "/" + event.part());
    }
    if (entry.verdict() == UsageVerdict.UNFUNDED) {
      unfunded = Math.addExact(unfunded, event.units());
      return;
    }
    billed = Math.addExact(billed, event.units());
    if (event.funding() instanceof Funding.Leased leased) {
      billedByLease.merge(leased.leaseId(), event.units(), Math::addExact);
    } else {
      overage = Math.addExact(overage, event.units());
    }
  }

  private void moved(Lease lease, AccountRows rows) {
    if (!lease.equals(rows.lease(lease.id()))) {
      throw new Violation("R10", "a lease is listed once in a transition", lease.id().toString());
    }
    if (billedTo(lease.id()) != lease.billed()) {
      throw new Violation(
          "R20",
          "a lease is billed what its events say",
          lease.billed() + " against " + billedTo(lease.id()));
    }
    final Lease old = leases.put(lease.id(), lease);
    if (old != null) {
      count(old, -1);
    }
    count(lease, 1);
  }

  private void count(Lease lease, int sign) {
    final long units =
        sign
            * (lease.granted()
                - lease.returnedAllowance()
                - lease.returnedTopUp()
                - lease.billed());
    if (lease.state() == LeaseState.ACTIVE) {
      outstanding += units;
    } else if (lease.state() == LeaseState.LOSS) {
      lossResident += units;
    } else if (lease.state() == LeaseState.ARCHIVED) {
      lossArchived += units;
    } else if (units != 0) {
      throw new Violation("R10", "a settled lease holds nothing", lease.toString());
    }
  }

  private static void require(String what, long stored, long added) {
    if (stored != added) {
      throw new Violation(
          "R10", what + " are what the rows add up to", stored + " against " + added);
    }
  }

  private static long sum(long... terms) {
    long sum = 0;
    for (final long term : terms) {
      sum = Math.addExact(sum, term);
    }
    return sum;
  }
}
