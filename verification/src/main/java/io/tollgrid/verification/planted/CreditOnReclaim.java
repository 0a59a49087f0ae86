package io.tollgrid.verification.planted;

import io.tollgrid.ledger.AccountLedger;
import io.tollgrid.ledger.Balances;
import io.tollgrid.ledger.Decision;
import io.tollgrid.ledger.Effects;
import io.tollgrid.ledger.Lease;
import io.tollgrid.ledger.LeaseState;
import io.tollgrid.ledger.LedgerCommand;
import io.tollgrid.ledger.LedgerFunction;
import io.tollgrid.ledger.LedgerLimits;
import io.tollgrid.ledger.LedgerRequest;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A ledger with a planted bug: what reclaim finds on a dead holder's lease goes back to the balance
 * instead of becoming loss. Its books still balance, which is what makes the bug worth planting.
 */
public final class CreditOnReclaim implements LedgerFunction {
  private final LedgerFunction product;

  /** Plants it behind {@code product}. */
  public CreditOnReclaim(LedgerFunction product) {
    this.product = product;
  }

  @Override
  public Decision apply(
      @Nullable AccountLedger before, LedgerRequest request, long clockNanos, LedgerLimits limits) {
    final Decision decision = product.apply(before, request, clockNanos, limits);
    final AccountLedger next = decision.next();
    final Effects effects = decision.effects();
    if (!(request.command() instanceof LedgerCommand.Reclaim)
        || before == null
        || next == null
        || effects == null
        || !effects.writes()) {
      return decision;
    }
    final List<Lease> updated = new ArrayList<>();
    long credited = 0;
    for (final Lease lease : effects.updated()) {
      final boolean reclaimed =
          lease.state() == LeaseState.LOSS
              && before.active().stream().anyMatch(old -> old.id().equals(lease.id()));
      updated.add(reclaimed ? credited(lease) : lease);
      credited += reclaimed ? lease.loss() : 0;
    }
    return new Decision(
        decision.outcome(),
        withCredit(next, updated, credited),
        withUpdated(effects, updated),
        decision.unmetDemandUnits());
  }

  private static Lease credited(Lease lease) {
    final long allowance =
        Math.min(lease.loss(), lease.grantedAllowance() - lease.returnedAllowance());
    return new Lease(
        lease.id(),
        lease.holder(),
        lease.fence(),
        lease.bodyHash(),
        lease.periodNumber(),
        lease.grantedAllowance(),
        lease.grantedTopUp(),
        lease.returnedAllowance() + allowance,
        lease.returnedTopUp() + lease.loss() - allowance,
        lease.billed(),
        0,
        LeaseState.SETTLED,
        lease.firstExpiresAtNanos(),
        lease.expiresAtNanos(),
        lease.graceNanos(),
        lease.endedAtNanos(),
        lease.lastStep());
  }

  private static AccountLedger withCredit(AccountLedger next, List<Lease> updated, long credited) {
    final Balances books = next.balances();
    final List<Lease> losses = new ArrayList<>(next.losses());
    for (final Lease lease : updated) {
      if (lease.state() == LeaseState.SETTLED) {
        losses.removeIf(other -> other.id().equals(lease.id()));
      }
    }
    return new AccountLedger(
        next.id(),
        next.version(),
        next.asOfNanos(),
        new Balances(
            books.deposited(),
            books.overage(),
            books.allowance(),
            books.topUp() + credited,
            books.outstanding(),
            books.billed(),
            books.lossResident() - credited,
            books.lossArchived(),
            books.expired(),
            books.unfunded()),
        next.policy(),
        next.period(),
        next.nextFence(),
        next.active(),
        losses,
        next.settled());
  }

  @SuppressWarnings("NullAway") // it does not see that the component it copies may be null
  private static Effects withUpdated(Effects effects, List<Lease> updated) {
    return new Effects(
        effects.request(),
        effects.outcome(),
        effects.baseVersion(),
        effects.ledgerTimeNanos(),
        effects.writes(),
        effects.inserted(),
        updated,
        effects.funding(),
        effects.commandRow(),
        effects.usage(),
        effects.rejected(),
        effects.credit(),
        effects.absent(),
        effects.present());
  }
}
