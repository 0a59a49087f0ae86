package io.tollgrid.verification.simulation;

import io.tollgrid.ledger.AccountLedger;
import io.tollgrid.ledger.Decision;
import io.tollgrid.ledger.Ledger;
import io.tollgrid.ledger.LedgerRequest;
import org.jspecify.annotations.Nullable;

/** The ledger as owners run it: the product's own, or that with a bug planted behind it. */
@FunctionalInterface
interface LedgerFunction {
  Decision apply(@Nullable AccountLedger before, LedgerRequest request, long clockNanos);

  static LedgerFunction of(Defects defects) {
    final LedgerFunction product =
        (before, request, clockNanos) -> Ledger.apply(before, request, clockNanos, Scale.LIMITS);
    return defects.creditOnReclaim() ? new CreditOnReclaim(product) : product;
  }
}
