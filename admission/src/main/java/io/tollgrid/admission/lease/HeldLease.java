package io.tollgrid.admission.lease;

import io.tollgrid.ledger.Funding;
import io.tollgrid.ledger.Id128;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A lease as its holder keeps it: the capability, the units, and how long they may be spent.
 *
 * <p>Requests debit and credit; the account's owner, one thread at a time, drains, renews and books
 * what the ledger has acknowledged. At every instant
 *
 * <pre>granted = free + held by requests + drained,   billed ≤ held</pre>
 *
 * where <em>held</em> includes what was settled and <em>billed</em> is the part of it that the
 * ledger has recorded.
 */
public final class HeldLease {
  /*
   * Lapse (R13). One word holds the deadline and the verdict: once any caller's time has reached the deadline the word
   * becomes LAPSED and stays so, whatever later callers believe the time to be. A renewal moves the deadline by
   * compare-and-set from the deadline it saw, so it cannot revive a lapsed lease; work already running on one still
   * settles on it, because credits ask nothing.
   */
  private static final long LAPSED = Long.MIN_VALUE;

  private static final VarHandle USABLE_UNTIL;
  private static final VarHandle LOW_WATER_RUNG;

  static {
    try {
      final MethodHandles.Lookup lookup = MethodHandles.lookup();
      USABLE_UNTIL = lookup.findVarHandle(HeldLease.class, "usableUntilNanos", long.class);
      LOW_WATER_RUNG = lookup.findVarHandle(HeldLease.class, "lowWaterRung", boolean.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final Funding.Leased funding;
  private final long lowWaterUnits;
  private final LeaseUnits units;
  private volatile long usableUntilNanos;
  private volatile boolean lowWaterRung;

  // Written by the owner only.
  private volatile long expiresAtNanos;
  private volatile long drainedUnits;
  private volatile long billedUnits;

  /**
   * A lease just granted.
   *
   * @param leaseId its id
   * @param fence its fence
   * @param grantedUnits units granted, 0 or more
   * @param expiresAtNanos when the ledger considers it over, epoch nanoseconds
   * @param marginNanos how long before that debits and starts stop, 0 or more
   * @param lowWaterUnits when fewer units are left, the owner is told once
   */
  public HeldLease(
      final Id128 leaseId,
      final long fence,
      final long grantedUnits,
      final long expiresAtNanos,
      final long marginNanos,
      final long lowWaterUnits) {
    this(leaseId, fence, grantedUnits, expiresAtNanos, marginNanos, lowWaterUnits, 1);
  }

  /**
   * A lease just granted, its units split for many threads.
   *
   * @param shards into how many words, 1 or more
   */
  public HeldLease(
      final Id128 leaseId,
      final long fence,
      final long grantedUnits,
      final long expiresAtNanos,
      final long marginNanos,
      final long lowWaterUnits,
      final int shards) {
    this.funding = new Funding.Leased(leaseId, fence);
    this.units = new LeaseUnits(grantedUnits, shards);
    this.lowWaterUnits = lowWaterUnits;
    this.expiresAtNanos = expiresAtNanos;
    this.usableUntilNanos = Math.subtractExact(expiresAtNanos, marginNanos);
  }

  // For requests

  /**
   * Whether units may be debited and work started at {@code nowNanos}. False once means false for
   * ever.
   */
  public boolean usableAt(final long nowNanos) {
    for (long until = usableUntilNanos; until != LAPSED; until = usableUntilNanos) {
      if (nowNanos < until) {
        return true;
      }
      if (USABLE_UNTIL.compareAndSet(this, until, LAPSED)) {
        return false;
      }
    }
    return false;
  }

  /** Takes {@code units}, all or none; see {@link LeaseUnits#tryDebit}. Asks no deadline. */
  public long tryDebit(final long wanted, final int stripe) {
    return units.tryDebit(wanted, stripe);
  }

  /** Gives back what {@link #tryDebit} took; see {@link LeaseUnits#credit}. */
  public boolean credit(final long returned, final int stripe) {
    return units.credit(returned, stripe);
  }

  /**
   * Whether so few units are left that the owner has to hear of it, this one time. Where {@code
   * left} is but one shard's, the whole decides (R34).
   */
  boolean crossesLowWater(final long left) {
    return left < lowWaterUnits
        && !lowWaterRung
        && (units.shards() == 1 || units.freeUnitsOpaque() < lowWaterUnits)
        && LOW_WATER_RUNG.compareAndSet(this, false, true);
  }

  /** Into how many words its units are split. */
  public int shards() {
    return units.shards();
  }

  /** Whether the ledger still counts the lease as active at {@code nowNanos}, expiry only. */
  public boolean activeAt(final long nowNanos) {
    return nowNanos < expiresAtNanos;
  }

  /** What usage paid by this lease names. */
  public Funding.Leased funding() {
    return funding;
  }

  // For the owner

  /** The lease's id. */
  public Id128 id() {
    return funding.leaseId();
  }

  /** The lease's fence. */
  public long fence() {
    return funding.fence();
  }

  /** Units granted. */
  public long grantedUnits() {
    return units.grantedUnits();
  }

  /** When the ledger considers it over, epoch nanoseconds. */
  public long expiresAtNanos() {
    return expiresAtNanos;
  }

  /** Refuses every later debit; credits still collect. */
  public void close() {
    units.close();
  }

  /** Whether debits are refused for good. */
  public boolean isClosed() {
    return units.isClosed();
  }

  /** Takes every free unit off the counter for the ledger. Returns how many, maybe 0. */
  public long drain() {
    final long drained = units.drain();
    drainedUnits = Math.addExact(drainedUnits, drained);
    return drained;
  }

  /** Puts drained units back that are known not to have reached the ledger (R3). */
  public void putBack(final long drained) {
    if (drained < 0 || drained > drainedUnits) {
      throw new IllegalStateException(
          "putting back " + drained + " units of the " + drainedUnits + " that were drained");
    }
    drainedUnits = Math.subtractExact(drainedUnits, drained);
    units.credit(drained);
  }

  /** Books units of this lease that the ledger has recorded as billed. */
  public void booked(final long billed) {
    billedUnits = Math.addExact(billedUnits, billed);
  }

  /**
   * Moves the deadlines after a renewal. A lease that has lapsed stays so for debits and starts.
   */
  public void renewed(final long newExpiresAtNanos, final long marginNanos) {
    expiresAtNanos = newExpiresAtNanos;
    final long until = Math.subtractExact(newExpiresAtNanos, marginNanos);
    for (long seen = usableUntilNanos; seen != LAPSED && seen < until; seen = usableUntilNanos) {
      if (USABLE_UNTIL.compareAndSet(this, seen, until)) {
        return;
      }
    }
  }

  /** Free units a moment ago. */
  public long freeUnits() {
    return units.freeUnitsOpaque();
  }

  /** Units ever debited and not returned: what requests hold and what they have settled. */
  public long heldUnits() {
    return Math.max(0, grantedUnits() - drainedUnits - units.freeUnitsOpaque());
  }

  /**
   * Units that neither the ledger has recorded nor the owner has drained: work that runs, usage on
   * its way, and what is free. 0 means that the lease is fully accounted for, and stays so.
   */
  public long unaccountedUnits() {
    return grantedUnits() - drainedUnits - billedUnits;
  }

  @Override
  public String toString() {
    return "lease " + id() + " fence " + fence() + ": " + freeUnits() + " of " + grantedUnits();
  }
}
