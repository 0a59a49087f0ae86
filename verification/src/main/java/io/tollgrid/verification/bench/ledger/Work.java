package io.tollgrid.verification.bench.ledger;

/** What a closed loop asks of the accounts it picks; both sides count every command. */
enum Work {
  /** Acquires, one after the other. */
  ACQUIRE,
  /**
   * An acquire, then the release of what it got. For skewed picks: within seconds the first account
   * would otherwise hold more active leases than a ledger may.
   */
  TURNOVER
}
