package io.tollgrid.pipelines.sweep;

import io.tollgrid.ledger.LedgerCommand;
import io.tollgrid.ledger.Refusal;
import java.util.Locale;

/** What is swept. */
public enum Sweep {
  /** Leases past their grace are written off (R12). */
  RECLAIM(Refusal.NOTHING_DUE) {
    @Override
    LedgerCommand command(long cutoffNanos) {
      return new LedgerCommand.Reclaim(cutoffNanos);
    }
  },

  /** Boundaries of accounts that nobody uses are crossed (R14). */
  ROLLOVER(Refusal.NOT_DUE) {
    @Override
    LedgerCommand command(long cutoffNanos) {
      return new LedgerCommand.Cross();
    }
  };

  private final Refusal nothingLeft;

  Sweep(Refusal nothingLeft) {
    this.nothingLeft = nothingLeft;
  }

  /** Its name in jobs and metrics. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** What it asks of an account with something due at a cutoff. */
  abstract LedgerCommand command(long cutoffNanos);

  /** The answer of an account where somebody else was first. */
  Refusal nothingLeft() {
    return nothingLeft;
  }
}
