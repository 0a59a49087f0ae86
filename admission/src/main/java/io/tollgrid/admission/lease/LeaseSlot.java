package io.tollgrid.admission.lease;

import io.tollgrid.admission.denial.Denial;
import io.tollgrid.ledger.Evidence;
import io.tollgrid.ledger.Id128;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * Where an instance keeps what it may spend of one account: the current lease, the last evidence of
 * funding, and the demand it could not serve.
 *
 * <p>Requests use the first half, on any thread, without blocking or allocating. The second half
 * belongs to the account's owner, one thread at a time; a policy publisher may call {@link
 * #fundingChanged()} beside it.
 */
public final class LeaseSlot {
  /*
   * Design.
   *
   * Replacement. The owner swaps `current` and then closes the lease it took out. A request that read the old lease
   * either debits before the close, and then holds units of a displaced lease like any running work, or is refused by
   * the close and looks at `current` again. No unit is debited after the owner's first drain of a closed lease (R2).
   *
   * Evidence (R15) is one immutable pair behind one reference, so a request can never combine the number of one answer
   * with the period of another. It belongs to a funding epoch: the owner reads the epoch before it asks the ledger and
   * hands it in with the answer, and an answer from an older epoch brings no evidence. Writers of evidence and epoch
   * hold this object's monitor; requests only read.
   *
   * Demand. A refused quote goes into one of two maxima: `demandUnits` if evidence leaves it possible, so that someone
   * must ask the ledger, `hopelessUnits` if evidence rules it out, so that only a slow poll for new funding is due. A
   * hopeless quote must not be in the first, or it would hide a smaller one that others' units could fund.
   *
   * Legs (R8). A request of several legs debits one after the other and gives all back if one refuses. Units it holds so
   * for a moment can be missing to another, and the other's refusal would be a false one. So such debits are announced,
   * and their units counted when they come back. A refusal that they could make false, because what is free and what may
   * come back would do, is a conflict: transient, and no demand. The last leg's debit is never undone, nor announced.
   *
   * Bells. One bit each, raised by requests and re-armed by the owner; raising a bit that is up rings nothing. The owner
   * re-arms a bell before it takes the demand, so a refusal in between rings again and is never lost.
   */

  /** Bell: the current lease fell below its low-water mark. Rung once per lease. */
  public static final int LOW_WATER = 1;

  /** Bell: a quote was refused that the account might fund. */
  public static final int REFUSED = 1 << 1;

  /** Bell: a quote was refused that, by evidence, current funding cannot serve. */
  public static final int HOPELESS = 1 << 2;

  /** Bell: units came back that only the owner can make use of, or is waiting for. */
  public static final int CREDITED = 1 << 3;

  /** Set by the owner while it waits for units that running work may give back. */
  private static final int WATCHING_CREDITS = 1 << 4;

  /** The answer of a debit that met another one collecting fragments of the same lease. */
  public static final HeldLease CONTENDED = new HeldLease(Id128.ZERO, 0, 0, 0, 0, 0);

  private static final int MAX_REPLACEMENTS_FOLLOWED = 4;

  private static final VarHandle BELLS;
  private static final VarHandle DEMAND;
  private static final VarHandle HOPELESS_DEMAND;
  private static final VarHandle LARGEST_QUOTE;
  private static final VarHandle TENTATIVE;
  private static final VarHandle UNDONE;

  static {
    try {
      final MethodHandles.Lookup lookup = MethodHandles.lookup();
      BELLS = lookup.findVarHandle(LeaseSlot.class, "bells", int.class);
      DEMAND = lookup.findVarHandle(LeaseSlot.class, "demandUnits", long.class);
      HOPELESS_DEMAND = lookup.findVarHandle(LeaseSlot.class, "hopelessUnits", long.class);
      LARGEST_QUOTE = lookup.findVarHandle(LeaseSlot.class, "largestQuoteUnits", long.class);
      TENTATIVE = lookup.findVarHandle(LeaseSlot.class, "tentativeUnits", long.class);
      UNDONE = lookup.findVarHandle(LeaseSlot.class, "undoneUnits", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final LeaseDoorbell doorbell;
  private volatile @Nullable HeldLease current;
  private volatile @Nullable Evidence evidence;
  private volatile long fundingEpoch;
  private volatile long largestQuoteUnits;
  private volatile long demandUnits;
  private volatile long hopelessUnits;
  private volatile int bells;

  /** Units debited, or about to be, by requests of several legs that are not decided. */
  private volatile long tentativeUnits;

  /** Units that such requests ever gave back; only differences mean anything, so it may wrap. */
  private volatile long undoneUnits;

  /** An empty slot whose owner is woken by {@code doorbell}. */
  public LeaseSlot(final LeaseDoorbell doorbell) {
    this.doorbell = doorbell;
  }

  // For requests

  /**
   * Takes {@code units} from the current lease, all or none.
   *
   * @param stripe any number; callers that keep theirs apart contend less on a lease in shards
   * @param nowNanos the caller's time, epoch nanoseconds
   * @return the lease they were taken from; null if there is none, it has lapsed, or it holds
   *     fewer; {@link #CONTENDED} if another debit may have hidden them
   */
  public @Nullable HeldLease tryDebit(final long units, final int stripe, final long nowNanos) {
    HeldLease lease = current;
    for (int followed = 0; lease != null && followed < MAX_REPLACEMENTS_FOLLOWED; followed++) {
      final long left = debit(lease, units, stripe, nowNanos);
      if (left >= 0) {
        return lease;
      }
      if (left == LeaseUnits.CONTENDED) {
        return CONTENDED;
      }
      final HeldLease successor = current;
      if (successor == lease) {
        return null;
      }
      lease = successor;
    }
    return null;
  }

  /** Takes {@code units} from this very lease, all or none, if it is still usable. */
  public boolean tryDebit(
      final HeldLease lease, final long units, final int stripe, final long nowNanos) {
    return debit(lease, units, stripe, nowNanos) >= 0;
  }

  private long debit(
      final HeldLease lease, final long units, final int stripe, final long nowNanos) {
    if (!lease.usableAt(nowNanos)) {
      return LeaseUnits.REFUSED;
    }
    final long left = lease.tryDebit(units, stripe);
    if (left >= 0) {
      if (lease.crossesLowWater(left)) {
        raise(LOW_WATER);
      }
    } else if (lease.shards() > 1 && lease.isClosed()) {
      // What was collected in vain went back to a lease that only its owner can make use of.
      raise(CREDITED);
    }
    return left;
  }

  /** Gives units back to the lease they were taken from, wherever it is now. */
  public void credit(final HeldLease lease, final long units, final int stripe) {
    if (lease.credit(units, stripe) || (bells & WATCHING_CREDITS) != 0) {
      raise(CREDITED);
    }
  }

  // For requests of several legs (R8)

  /** Announces that {@code units} are about to be debited and may yet be given back at once. */
  public void beginTentative(final long units) {
    TENTATIVE.getAndAdd(this, units);
  }

  /**
   * Ends what {@link #beginTentative} announced.
   *
   * @param undone whether the units were given back, before this call
   */
  public void endTentative(final long units, final boolean undone) {
    if (undone) {
      UNDONE.getAndAdd(this, units);
    }
    TENTATIVE.getAndAdd(this, -units);
  }

  /** A moment, to be read before a debit and handed to {@link #hiddenUnits} after it failed. */
  public long moment() {
    return undoneUnits;
  }

  /**
   * The most units that requests of several legs may have hidden from a debit that began at {@code
   * moment}: they gave them back since, or may yet. Those of the caller itself do not count.
   *
   * @return 0 for none; a negative number is more than fits 63 bits
   */
  public long hiddenUnits(final long moment, final long ownTentativeUnits) {
    // In this order: who ends a tentative debit has counted it as undone before.
    final long tentative = tentativeUnits - ownTentativeUnits;
    return tentative + (undoneUnits - moment);
  }

  /**
   * Whether the current lease may hold {@code units} once others have given {@code hiddenUnits}
   * back: a refusal for want of them proves nothing then (R8).
   */
  public boolean mayYetHold(final long units, final long hiddenUnits, final long nowNanos) {
    if (hiddenUnits == 0) {
      return false;
    }
    final HeldLease lease = current;
    return lease != null
        && lease.usableAt(nowNanos)
        && units <= lease.grantedUnits()
        && (hiddenUnits < 0 || units - lease.freeUnits() <= hiddenUnits);
  }

  /** Notes the size of a quote, so that grants can be sized ahead of demand. */
  public void quoted(final long units) {
    if (units > largestQuoteUnits) {
      raiseMaximum(LARGEST_QUOTE, units);
    }
  }

  /**
   * Says why {@code units} could not be funded from leases, and asks the owner for them, unless
   * they may only have been hidden.
   *
   * @param units what was refused, 0 or more
   * @param ownUnits units the same request already holds of this account's active leases: evidence
   *     counts them as remaining, yet they cannot fund it twice
   * @param hidden whether others may only have hidden them, see {@link #mayYetHold}: that is a
   *     conflict and no demand, unless evidence rules the quote out (R8)
   * @param nowNanos the caller's time, epoch nanoseconds
   */
  public Denial refuse(
      final long units, final long ownUnits, final boolean hidden, final long nowNanos) {
    final Evidence known = evidence;
    if (known != null
        && nowNanos < known.periodEndNanos()
        && units > 0
        && units > known.remainingUnits() - ownUnits) {
      raiseMaximum(HOPELESS_DEMAND, units);
      raise(HOPELESS);
      return known.remainingUnits() == 0 ? Denial.BALANCE_EXHAUSTED : Denial.BALANCE_INSUFFICIENT;
    }
    if (hidden) {
      return Denial.LEG_CONFLICT;
    }
    final HeldLease lease = current;
    raiseMaximum(DEMAND, units);
    raise(REFUSED);
    if (lease == null) {
      return Denial.NO_LEASE;
    }
    return lease.usableAt(nowNanos) ? Denial.INSUFFICIENT_LEASE : Denial.LEASE_EXPIRED;
  }

  // For the owner

  /** The current lease, if there is one. */
  public @Nullable HeldLease current() {
    return current;
  }

  /**
   * Makes {@code lease} the current one and hands back the lease it displaced, closed: the caller
   * owns it now, and it leaves the books only by release or report (R35).
   */
  public @Nullable HeldLease replace(final HeldLease lease) {
    final HeldLease displaced = current;
    if (displaced == lease) {
      return null;
    }
    current = lease;
    return closed(displaced);
  }

  /** Empties the slot and hands back the lease that was in it, closed and owned by the caller. */
  public @Nullable HeldLease take() {
    final HeldLease taken = current;
    current = null;
    return closed(taken);
  }

  /** Who is woken by it. */
  public LeaseDoorbell owner() {
    return doorbell;
  }

  /** What an answer must name to bring evidence: read it before asking. */
  public long fundingEpoch() {
    return fundingEpoch;
  }

  /**
   * Installs the evidence of an answer. It is discarded if funding has changed since the question
   * was asked, if it is older than what is known, or if it is smaller than the grant it came with.
   *
   * @param answered what the ledger said, or null if it said nothing
   * @param grantedUnits the grant in the same answer, 0 for a refusal
   * @param askedInEpoch the epoch read before asking
   */
  public synchronized void evidence(
      final @Nullable Evidence answered, final long grantedUnits, final long askedInEpoch) {
    final boolean late = askedInEpoch != fundingEpoch;
    if (grantedUnits > 0) {
      // A newer grant is a change of funding of its own: what was known before it no longer stands.
      fundingEpoch++;
      evidence = null;
    }
    if (answered == null || late || answered.remainingUnits() < grantedUnits) {
      return;
    }
    final Evidence known = evidence;
    if (known == null || known.version() <= answered.version()) {
      evidence = answered;
    }
  }

  /** Drops what is known: a deposit, a new budget or another mode makes it worthless (R15, R55). */
  public synchronized void fundingChanged() {
    fundingEpoch++;
    evidence = null;
  }

  /** Units the current lease has free, a moment ago; 0 without a lease. */
  public long freeUnits() {
    final HeldLease lease = current;
    return lease == null ? 0 : lease.freeUnits();
  }

  /** The last evidence, if it still stands. */
  public @Nullable Evidence evidence() {
    return evidence;
  }

  /** The largest quote seen, 0 before the first. */
  public long largestQuoteUnits() {
    return largestQuoteUnits;
  }

  /** The bells that are up, as a set of {@link #LOW_WATER} and its siblings. */
  public int bells() {
    return bells & ~WATCHING_CREDITS;
  }

  /** Lets {@code bell} ring again; call before taking what it announced. */
  public void rearm(final int bell) {
    BELLS.getAndBitwiseAnd(this, ~bell);
  }

  /** Whether every unit that comes back to any lease raises {@link #CREDITED}. */
  public void watchCredits(final boolean watch) {
    if (watch) {
      BELLS.getAndBitwiseOr(this, WATCHING_CREDITS);
    } else {
      BELLS.getAndBitwiseAnd(this, ~WATCHING_CREDITS);
    }
  }

  /** What {@link #takeDemand} would return. */
  public long demandUnits() {
    return demandUnits;
  }

  /** What {@link #takeHopelessDemand} would return. */
  public long hopelessUnits() {
    return hopelessUnits;
  }

  /** The largest quote refused since the last call that evidence leaves possible, 0 for none. */
  public long takeDemand() {
    return (long) DEMAND.getAndSet(this, 0L);
  }

  /** The largest quote refused since the last call that evidence rules out, 0 for none. */
  public long takeHopelessDemand() {
    return (long) HOPELESS_DEMAND.getAndSet(this, 0L);
  }

  private static @Nullable HeldLease closed(final @Nullable HeldLease lease) {
    if (lease != null) {
      lease.close();
    }
    return lease;
  }

  private void raise(final int bell) {
    if ((bells & bell) == 0 && ((int) BELLS.getAndBitwiseOr(this, bell) & bell) == 0) {
      doorbell.ring();
    }
  }

  private void raiseMaximum(final VarHandle maximum, final long units) {
    for (long seen = (long) maximum.getVolatile(this);
        seen < units;
        seen = (long) maximum.getVolatile(this)) {
      if (maximum.compareAndSet(this, seen, units)) {
        return;
      }
    }
  }
}
