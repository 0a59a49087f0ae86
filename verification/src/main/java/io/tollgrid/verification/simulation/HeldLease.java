package io.tollgrid.verification.simulation;

import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.Outcome;

/** A lease as its holder sees it: a counter of free units, and what runs on it. Mutable. */
final class HeldLease {
  final Id128 id;
  final long fence;
  long freeUnits;
  long expiresAtNanos;
  long step;
  int works;
  boolean stepPending;
  boolean lapsed;
  boolean ended;

  HeldLease(Outcome.Granted granted) {
    this.id = granted.leaseId();
    this.fence = granted.fence();
    this.freeUnits = granted.units();
    this.expiresAtNanos = granted.expiresAtNanos();
  }

  /** Whether work may start now; once it may not, it never may again (R13). */
  boolean usable(long nowNanos) {
    if (!lapsed && nowNanos >= expiresAtNanos - Scale.MARGIN_NANOS) {
      lapsed = true;
    }
    return !lapsed && !ended;
  }

  /** Whether a step can be asked of it. */
  boolean free() {
    return !stepPending && !ended;
  }
}
