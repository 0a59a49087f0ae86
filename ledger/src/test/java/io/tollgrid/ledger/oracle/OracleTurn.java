package io.tollgrid.ledger.oracle;

/** One command at hand: when it runs and what it has come to so far. */
final class OracleTurn {
  /** Ledger time. */
  final long now;

  private final long versionBefore;
  boolean changed;
  long unmet;

  OracleTurn(long now, long versionBefore) {
    this.now = now;
    this.versionBefore = versionBefore;
  }

  /** The version the account is in after what was done so far. */
  long version() {
    return changed ? versionBefore + 1 : versionBefore;
  }
}
