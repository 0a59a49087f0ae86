package io.tollgrid.client;

import io.tollgrid.ledger.Evidence;
import org.jspecify.annotations.Nullable;

/**
 * Keeps an account's {@link BalanceEstimate} (R56). Confined to the instance's thread, except for
 * {@link #estimate}.
 */
final class ShownBalance {
  private long saidUnits;
  private long saidAtNanos;
  private long heldSinceUnits;
  private volatile @Nullable BalanceEstimate estimate;

  /** The ledger said what is left. */
  void said(final @Nullable Evidence evidence, final long ledgerTimeNanos) {
    if (evidence != null && ledgerTimeNanos >= saidAtNanos) {
      saidUnits = evidence.remainingUnits();
      saidAtNanos = ledgerTimeNanos;
      heldSinceUnits = 0;
      estimate = new BalanceEstimate(saidUnits, saidAtNanos);
    }
  }

  /** Requests took so many units, or gave more back than they took. */
  void held(final long units) {
    if (units != 0 && estimate != null) {
      heldSinceUnits += units;
      final long spent = Math.max(0, heldSinceUnits);
      estimate = new BalanceEstimate(Math.max(0, saidUnits - spent), saidAtNanos);
    }
  }

  /** What to show, or null if the ledger never said. Any thread. */
  @Nullable BalanceEstimate estimate() {
    return estimate;
  }
}
