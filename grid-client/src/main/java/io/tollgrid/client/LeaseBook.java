package io.tollgrid.client;

import io.tollgrid.admission.lease.HeldLease;

/**
 * One lease in the books of its owner: which step comes next, what is on its way back, and when
 * something is due. Confined to the instance's thread.
 *
 * <p>A book is opened by a grant and closed only by an answer of the ledger that says the lease has
 * ended, or by the report at the end of the process (R35).
 */
final class LeaseBook {
  private final HeldLease lease;
  private int steps;
  private long returningUnits;
  private long displacedAtNanos;
  private boolean foldRefused;
  private long postponedUntilNanos;
  private long lastUsedAtNanos;
  private long sampledHeldUnits;

  LeaseBook(final HeldLease lease, final long nowNanos) {
    this.lease = lease;
    this.lastUsedAtNanos = nowNanos;
  }

  HeldLease lease() {
    return lease;
  }

  /** The number its next step must have. */
  long nextStep() {
    return steps + 1L;
  }

  /** The step was answered as taken. */
  void stepped() {
    steps = Math.incrementExact(steps);
  }

  /** The lease is not current any more; what is free on it goes home. */
  void displace(final long nowNanos) {
    displacedAtNanos = nowNanos;
  }

  long displacedAtNanos() {
    return displacedAtNanos;
  }

  /** Takes what is free off a closed lease, to be returned with what was taken before. */
  void collect() {
    returningUnits = Math.addExact(returningUnits, lease.drain());
  }

  /** Units taken off the counter that no command is carrying yet. */
  long returningUnits() {
    return returningUnits;
  }

  /** A command that carried units back is known to have taken effect. */
  void returned(final long units) {
    returningUnits = Math.subtractExact(returningUnits, units);
  }

  /**
   * Units that were on their way in a command which turned out not to have happened, and that must
   * not go back on the counter: they go home with the next step (R35).
   */
  void neverArrived(final long units) {
    returningUnits = Math.addExact(returningUnits, units);
  }

  /** Whether nothing of it is free, running or unreported: only its end is left to say. */
  boolean isAccountedFor() {
    return lease.unaccountedUnits() == 0;
  }

  /** A consolidation of this lease was refused although it has free units; do not try again. */
  void refuseFolds() {
    foldRefused = true;
  }

  boolean foldsRefused() {
    return foldRefused;
  }

  /** Neither replaces nor renews it before then: the ledger refused to. */
  void postpone(final long untilNanos) {
    postponedUntilNanos = untilNanos;
  }

  long postponedUntilNanos() {
    return postponedUntilNanos;
  }

  /** Whether any request ever took a unit of it that did not come back. */
  boolean wasUsed() {
    return lease.heldUnits() > 0;
  }

  /** Looks at the counter. Returns the units debited since the last look, less what came back. */
  long sample(final long nowNanos) {
    final long heldUnits = lease.heldUnits();
    final long newlyHeldUnits = heldUnits - sampledHeldUnits;
    if (newlyHeldUnits != 0) {
      sampledHeldUnits = heldUnits;
      lastUsedAtNanos = nowNanos;
    }
    return newlyHeldUnits;
  }

  /** The latest time at which requests are known to have moved the counter. */
  long lastUsedAtNanos() {
    return lastUsedAtNanos;
  }
}
