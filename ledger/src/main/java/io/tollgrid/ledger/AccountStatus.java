package io.tollgrid.ledger;

/**
 * Whether an account takes part: {@code ACTIVE ⇄ SUSPENDED}, either to {@code CLOSED}, which is
 * terminal (R18).
 */
public enum AccountStatus {
  /** Everything is allowed. */
  ACTIVE,
  /** No new lease and no consolidation; everything else is allowed. */
  SUSPENDED,
  /** Only winding down: releases, returns, usage, credits, reclaim and expiry. */
  CLOSED
}
