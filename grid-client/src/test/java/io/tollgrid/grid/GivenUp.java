package io.tollgrid.grid;

import io.tollgrid.ledger.LedgerCode;

/** Makes the exceptions a ledger client gives up with, for fakes in other packages. */
public final class GivenUp {
  private GivenUp() {}

  /** A command of which nothing was written. */
  public static LedgerCallException forSure() {
    return new LedgerCallException(LedgerCode.UNAVAILABLE, false, "made to fail", null);
  }

  /** A command that may have taken effect. */
  public static LedgerCallException perhaps() {
    return new LedgerCallException(LedgerCode.UNKNOWN, true, "made to be unknown", null);
  }
}
