package io.tollgrid.admission.lease;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The free units of one lease: the one word that requests of an account contend on.
 *
 * <p>Units leave by {@link #tryDebit} (a request reserves them) or {@link #drain} (the owner takes
 * them back to the ledger) and return by {@link #credit} (a request was cancelled, or settled below
 * its reservation). For a lease granted {@code g} units, at every instant:
 *
 * <pre>free + held by requests + drained = g</pre>
 *
 * <p>Thread-safe and lock-free; every method completes in a bounded number of steps of its own plus
 * one per concurrent success. No method allocates, reads a clock or knows when the lease expires:
 * {@link HeldLease} asks that first (R13).
 */
public final class LeaseUnits {
  /*
   * Why one word. A separate "closed" flag beside the counter would leave a window in which a debit passes the flag,
   * the owner drains, and the debit then takes units that are already on their way to the ledger. Folding both into
   * one word makes drain and debit race on a single compare-and-set, so exactly one of them gets each unit (R2).
   *
   *   word >= 0   open, `word` units free
   *   word <  0   closed, `word & MAX_VALUE` units free: nothing can be debited, credits still collect
   *
   * Closing is one-way. A closed lease keeps collecting what running work gives back, until its owner has drained
   * the last of it.
   *
   * Memory order: the word carries no other data with it, so plain compare-and-set is enough; readers that only report
   * use opaque reads and may see a value that was true a moment ago.
   */
  private static final long CLOSED = Long.MIN_VALUE;

  /** The answer of a debit that took nothing. */
  public static final long REFUSED = -1;

  private static final VarHandle WORD;

  static {
    try {
      WORD = MethodHandles.lookup().findVarHandle(LeaseUnits.class, "word", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final long grantedUnits;
  private volatile long word;

  /** A lease of {@code grantedUnits}, all free. Refuses a negative grant. */
  public LeaseUnits(final long grantedUnits) {
    if (grantedUnits < 0) {
      throw new IllegalArgumentException("a lease cannot be granted " + grantedUnits + " units");
    }
    this.grantedUnits = grantedUnits;
    this.word = grantedUnits;
  }

  /**
   * Takes {@code units} for one request, all or none.
   *
   * @param units 0 or more
   * @return the units left free, 0 or more; {@link #REFUSED} if fewer than {@code units} were free
   *     or the lease is closed, and then nothing was taken
   */
  public long tryDebit(final long units) {
    assert units >= 0 : units;
    for (long seen = word; seen >= units; seen = word) {
      if (WORD.compareAndSet(this, seen, seen - units)) {
        return seen - units;
      }
      Thread.onSpinWait();
    }
    return REFUSED;
  }

  /**
   * Gives back units that an earlier {@link #tryDebit} took, also after the lease was closed.
   *
   * @param units 0 or more
   * @return whether the lease is closed, so that only its owner can make use of them
   * @throws IllegalStateException if more would be free than were ever granted: the caller returned
   *     units twice, and its accounting can no longer be trusted (R36)
   */
  public boolean credit(final long units) {
    assert units >= 0 : units;
    for (long seen = word; ; seen = word) {
      final long free = (seen & ~CLOSED) + units;
      if (free < 0 || free > grantedUnits) {
        throw new IllegalStateException(
            "crediting "
                + units
                + " units would leave more free than the "
                + grantedUnits
                + " granted");
      }
      if (WORD.compareAndSet(this, seen, free | (seen & CLOSED))) {
        return seen < 0;
      }
      Thread.onSpinWait();
    }
  }

  /**
   * Takes every free unit for the ledger, leaving open what was open. Returns how many, maybe 0.
   */
  public long drain() {
    for (long seen = word; ; seen = word) {
      if (WORD.compareAndSet(this, seen, seen & CLOSED)) {
        return seen & ~CLOSED;
      }
      Thread.onSpinWait();
    }
  }

  /** Refuses every later debit. Idempotent; credits still collect. */
  public void close() {
    for (long seen = word; seen >= 0; seen = word) {
      if (WORD.compareAndSet(this, seen, seen | CLOSED)) {
        return;
      }
      Thread.onSpinWait();
    }
  }

  /** Whether debits are refused for good. */
  public boolean isClosed() {
    return word < 0;
  }

  /** Free units a moment ago, for low-water checks and reports; decides nothing. */
  public long freeUnitsOpaque() {
    return (long) WORD.getOpaque(this) & ~CLOSED;
  }
}
