package io.tollgrid.ledger;

import org.jspecify.annotations.Nullable;

/** What a command does to a ledger: {@link Ledger#apply}, except where a harness plants a bug. */
@FunctionalInterface
public interface LedgerFunction {
  /**
   * Decides a request; pure.
   *
   * @param before the ledger, or null if there is none
   * @param clockNanos the member's clock, epoch nanoseconds
   */
  Decision apply(
      @Nullable AccountLedger before, LedgerRequest request, long clockNanos, LedgerLimits limits);
}
