package io.tollgrid.admission.lease;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * What one instance has admitted of one account beyond its leases, in its process lifetime (R1,
 * R4).
 *
 * <p>One account-wide counter, never sharded and never refilled: no snapshot, lease, deposit or
 * period resets it. A debit is <em>pending</em> until its request starts and <em>committed</em>
 * afterwards; both count against the cap, only the first can come back by cancellation. The cap is
 * the account policy's and passed in, so lowering it stops new debits at once.
 *
 * <p>Thread-safe, lock-free, allocation-free.
 */
public final class OverageAllowance {
  /*
   * Three words. `used` alone decides: it is bounded by the cap in one compare-and-set. `committed` only classifies a
   * refusal, and it moves a little apart from the phase word of the request it belongs to. `publication` makes that gap
   * visible: its low half counts commits under way, its high half those that ended, so an observer that reads it twice
   * knows whether what it read in between was stable. An unstable reading is reported as "in flight", which promises
   * nothing (R33).
   */
  /** The outcome of a debit. */
  public enum Debit {
    /** The units were taken. */
    TAKEN,
    /** Committed units leave no room. */
    EXHAUSTED,
    /** There would be room if every pending debit came back. */
    TEMPORARILY_EXHAUSTED,
    /** A commit is being published; its outcome decides. */
    COMMIT_IN_PROGRESS
  }

  private static final long ONE_ENDED = 1L << 32;
  private static final long UNDER_WAY = ONE_ENDED - 1;

  private static final VarHandle USED;
  private static final VarHandle COMMITTED;
  private static final VarHandle PUBLICATION;

  static {
    try {
      final MethodHandles.Lookup lookup = MethodHandles.lookup();
      USED = lookup.findVarHandle(OverageAllowance.class, "usedUnits", long.class);
      COMMITTED = lookup.findVarHandle(OverageAllowance.class, "committedUnits", long.class);
      PUBLICATION = lookup.findVarHandle(OverageAllowance.class, "publication", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private volatile long usedUnits;
  private volatile long committedUnits;
  private volatile long publication;

  /** Takes {@code units} as pending, all or none, while no more than {@code capUnits} are used. */
  public Debit tryDebit(final long units, final long capUnits) {
    assert units >= 0 && capUnits >= 0 : units;
    for (long used = usedUnits; units <= capUnits - used; used = usedUnits) {
      if (USED.compareAndSet(this, used, used + units)) {
        return Debit.TAKEN;
      }
      Thread.onSpinWait();
    }
    return classify(units, capUnits);
  }

  /** Gives back a pending debit. */
  public void refund(final long units) {
    subtract(USED, units);
  }

  /** Announces that a pending debit is about to be committed; always followed by an end. */
  public void beginCommit() {
    PUBLICATION.getAndAdd(this, 1L);
  }

  /** Ends what {@link #beginCommit} announced; {@code committed} is 0 if the commit lost. */
  public void endCommit(final long committed) {
    COMMITTED.getAndAdd(this, committed);
    PUBLICATION.getAndAdd(this, ONE_ENDED - 1);
  }

  /** Gives back part of a committed debit: the request settled below it (R9). */
  public void refundCommitted(final long units) {
    beginCommit();
    subtract(COMMITTED, units);
    subtract(USED, units);
    PUBLICATION.getAndAdd(this, ONE_ENDED - 1);
  }

  /** Units used a moment ago, pending and committed. */
  public long usedUnits() {
    return usedUnits;
  }

  /** Units committed a moment ago. */
  public long committedUnits() {
    return committedUnits;
  }

  private Debit classify(final long units, final long capUnits) {
    final long before = publication;
    final long committed = committedUnits;
    if ((before & UNDER_WAY) != 0 || publication != before) {
      return Debit.COMMIT_IN_PROGRESS;
    }
    return units <= capUnits - committed ? Debit.TEMPORARILY_EXHAUSTED : Debit.EXHAUSTED;
  }

  private void subtract(final VarHandle counter, final long units) {
    final long before = (long) counter.getAndAdd(this, -units);
    if (before < units) {
      throw new IllegalStateException(
          "returning " + units + " units of overage where only " + before + " were taken");
    }
  }
}
