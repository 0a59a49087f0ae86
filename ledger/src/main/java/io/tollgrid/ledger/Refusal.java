package io.tollgrid.ledger;

/**
 * Every way a ledger refuses a command; a refusal changes nothing. The order of the constants is
 * stored; append only.
 */
public enum Refusal {
  /** There is no such account. */
  UNKNOWN_ACCOUNT,
  /** The account exists already (R17). */
  ALREADY_EXISTS,
  /** The id was used before by a command with another body (R16). */
  CONFLICT,
  /** Ledger time passed the request's {@code not_after}; it did not happen and never will (R16). */
  EXPIRED,
  /** The request carries no valid operator authentication (R45). */
  UNAUTHENTICATED,
  /** The account is suspended, which forbids this command (R18). */
  ACCOUNT_SUSPENDED,
  /** The account is closed, which forbids this command (R18). */
  ACCOUNT_CLOSED,
  /** Nothing remains under current funding (R15). */
  BALANCE_EXHAUSTED,
  /** Nothing can be granted now; some units are out on leases (R15). */
  BALANCE_INSUFFICIENT,
  /** The account has as many active leases as it may. */
  TOO_MANY_LEASES,
  /** The time to live is longer than the ledger allows. */
  TTL_TOO_LONG,
  /** No lease of this account has this id and fence: the capability is not real (R11). */
  CAPABILITY,
  /** The lease has ended. */
  LEASE_ENDED,
  /** The step is not the lease's next: one before it is missing. */
  STEP_GAP,
  /** The step was taken and superseded by a later one; its receipt is gone. */
  STEP_SUPERSEDED,
  /** More units than the lease still holds: an accounting-integrity fault of the holder (R12). */
  BEYOND_LEASE,
  /** The part to be credited was never billed to this account. */
  NOT_BILLED,
  /** The credit, with earlier ones, exceeds what was billed for the part. */
  BEYOND_BILLED,
  /** There is no schedule to clear. */
  NO_SCHEDULE,
  /** No lease is due at the cutoff. */
  NOTHING_DUE,
  /** The current period has not ended. */
  NOT_DUE,
  /** The books, or a deadline, would exceed 63 bits (R7). */
  BALANCE_OVERFLOW
}
