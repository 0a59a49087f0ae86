package io.tollgrid.client;

import io.tollgrid.ledger.Evidence;
import org.jspecify.annotations.Nullable;

/** What an account's {@link BalanceEstimate} is made of when somebody asks (R56). Thread-safe. */
final class ShownBalance {
  private static final long NEVER_SAID = -1;

  private long saidUnits;
  private long saidAtNanos = NEVER_SAID;
  private long heldSinceUnits;

  /** The ledger said what is left. */
  synchronized void said(final @Nullable Evidence evidence, final long ledgerTimeNanos) {
    if (evidence != null && ledgerTimeNanos >= saidAtNanos) {
      saidUnits = evidence.remainingUnits();
      saidAtNanos = ledgerTimeNanos;
      heldSinceUnits = 0;
    }
  }

  /** Requests took so many units, or gave more back than they took. */
  synchronized void held(final long units) {
    heldSinceUnits += units;
  }

  /** What to show, or null if the ledger never said. */
  synchronized @Nullable BalanceEstimate estimate() {
    final long spent = Math.max(0, heldSinceUnits);
    return saidAtNanos == NEVER_SAID
        ? null
        : new BalanceEstimate(Math.max(0, saidUnits - spent), saidAtNanos);
  }
}
