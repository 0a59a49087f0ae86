package io.tollgrid.ledger;

/** Where a lease is in its life; a lease only ever moves down this list. */
public enum LeaseState {
  /** Its holder may spend, return, renew and release it. */
  ACTIVE,
  /** It ended with units nobody accounted for; a straggler may still claim them (R12). */
  LOSS,
  /** As {@link #LOSS}, but no longer in the entry: claims are decided on its row. */
  ARCHIVED,
  /** Every unit of it is accounted for. */
  SETTLED
}
