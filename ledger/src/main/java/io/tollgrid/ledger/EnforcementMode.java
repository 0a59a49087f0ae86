package io.tollgrid.ledger;

/** What happens when leases cannot fund a request (R1, R4). */
public enum EnforcementMode {
  /** The request is refused: no unit beyond the allocation is ever committed. */
  STRICT,
  /** The request may run on overage, up to the account's cap per instance process lifetime. */
  ELASTIC
}
