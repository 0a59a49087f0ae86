package io.tollgrid.verification.simulation;

import io.tollgrid.ledger.LedgerCode;
import io.tollgrid.ledger.Refusal;

/** How one attempt to run a command ended, as columns of the coverage table. */
enum AnswerKind {
  /** It took effect. */
  APPLIED,
  /** It had taken effect before and was answered with its receipt. */
  RECEIPT,
  NEEDS_ROWS,
  OUTDATED,

  UNKNOWN_ACCOUNT,
  ALREADY_EXISTS,
  CONFLICT,
  EXPIRED,
  ACCOUNT_SUSPENDED,
  ACCOUNT_CLOSED,
  BALANCE_EXHAUSTED,
  BALANCE_INSUFFICIENT,
  TOO_MANY_LEASES,
  TTL_TOO_LONG,
  CAPABILITY,
  LEASE_ENDED,
  STEP_GAP,
  STEP_SUPERSEDED,
  BEYOND_LEASE,
  NOT_BILLED,
  BEYOND_BILLED,
  NO_SCHEDULE,
  NOTHING_DUE,
  NOT_DUE,
  BALANCE_OVERFLOW,

  STALE,
  NO_FENCE,
  FENCED,
  REPLAY,
  CLOCK_AHEAD,
  TOO_LATE,
  UNAVAILABLE,
  UNKNOWN;

  static AnswerKind of(Refusal refusal) {
    return valueOf(refusal.name());
  }

  static AnswerKind of(LedgerCode code) {
    return valueOf(code.name());
  }
}
