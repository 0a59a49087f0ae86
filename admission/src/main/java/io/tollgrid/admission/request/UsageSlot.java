package io.tollgrid.admission.request;

import io.tollgrid.admission.account.AccountState;
import io.tollgrid.admission.lease.HeldLease;
import io.tollgrid.admission.plan.Catalogue;
import io.tollgrid.admission.plan.PricedOperation;
import io.tollgrid.ledger.Bits256;
import io.tollgrid.ledger.Funding;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.LegRole;
import io.tollgrid.ledger.MeterUnits;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One request from its reservation to the durable record of its usage: the phase word, the legs and
 * the parts that will be billed.
 *
 * <p>Made once and reused; reservation, backpressure and billing are one object, so a charge that
 * was committed always has a place from which it is emitted (R21). The public methods are for the
 * queue's consumer, between {@link UsageQueue#poll} and {@link UsageQueue#acknowledge}; they read
 * what no one changes any more.
 */
public final class UsageSlot {
  /** The most parts one request can have, over all its legs. */
  public static final int MAX_PARTS = 32;

  /** The most legs one request can have (R8). */
  public static final int MAX_LEGS = PhaseWord.MAX_LEGS;

  static final int NONE = PhaseWord.FUNDED_BY_NONE;
  static final int LEASE = PhaseWord.FUNDED_BY_LEASE;
  static final int OVERAGE = PhaseWord.FUNDED_BY_OVERAGE;

  /** Only a part settled above its reservation can be so; no word has it. */
  static final int UNFUNDED = 3;

  private static final int LEG_MASK = MAX_LEGS - 1;
  private static final int FUNDING_SHIFT = 3;
  private static final int FUNDING_MASK = 3;
  private static final int NUMBER_SHIFT = 5;

  /** Stands for the number of a part where there is none. */
  static final int NO_PART = -1;

  private static final Funding BY_OVERAGE = new Funding.Overage();
  private static final Funding BY_NOBODY = new Funding.Unfunded();
  private static final VarHandle WORD;

  static {
    try {
      WORD = MethodHandles.lookup().findVarHandle(UsageSlot.class, "word", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final int lane;
  private final int index;
  private volatile long word;

  // Everything below belongs to whoever the phase says.
  private long requestIdHigh;
  private long requestIdLow;
  private long occurredAtNanos;
  private Id128 keyId = Id128.ZERO;
  private Bits256 policyRevision = Bits256.ZERO;
  private @Nullable PricedOperation operation;
  private long items;
  private final Occupancy occupancy = new Occupancy();
  private final @Nullable AccountState[] accounts = new AccountState[MAX_LEGS];
  private final long[] meterSets = new long[MAX_LEGS];
  private int legs;
  private int parts;

  /** Leg, funding and number of each part, together so that a request touches one line for them. */
  private final short[] partKind = new short[MAX_PARTS];

  private final @Nullable HeldLease[] partLease = new HeldLease[MAX_PARTS];
  private final long[] partUnits = new long[MAX_PARTS];

  UsageSlot(final int lane, final int index) {
    this.lane = lane;
    this.index = index;
  }

  // For the queue's consumer

  /** The leading 64 bits of the request id. */
  public long requestIdHigh() {
    return requestIdHigh;
  }

  /** The trailing 64 bits of the request id. */
  public long requestIdLow() {
    return requestIdLow;
  }

  /** When the request started, epoch nanoseconds. */
  public long occurredAtNanos() {
    return occurredAtNanos;
  }

  /** The credential that asked, {@link Id128#ZERO} if unattributable. */
  public Id128 keyId() {
    return keyId;
  }

  /** Identity of the policy that priced it. */
  public Bits256 policyRevision() {
    return policyRevision;
  }

  /** How many parts there are, in the order in which they were funded. */
  public int parts() {
    return parts;
  }

  /** Whether a part is an event: every reservation is, and every extension that still has units. */
  public boolean isEvent(final int part) {
    return partNumber(part) == 0 || partUnits[part] > 0;
  }

  /** The account a part is for. */
  public AccountState account(final int part) {
    return accountOf(legOf(part));
  }

  /** 0 for a leg's reservation, 1 and up for its extensions. */
  public int partNumber(final int part) {
    return partKind[part] >> NUMBER_SHIFT;
  }

  /** Billing for the home account, cap for the others. */
  public LegRole role(final int part) {
    return legOf(part) == 0 ? LegRole.BILLING : LegRole.CAP;
  }

  /** Units to bill. */
  public long units(final int part) {
    return partUnits[part];
  }

  /** The lease that paid, or null if another funding did. */
  public @Nullable HeldLease lease(final int part) {
    return partLease[part];
  }

  /** What paid. */
  public Funding funding(final int part) {
    final HeldLease lease = partLease[part];
    if (lease != null) {
      return lease.funding();
    }
    return fundingOf(part) == OVERAGE ? BY_OVERAGE : BY_NOBODY;
  }

  /** Whether its usage is recorded per lease and second instead of one by one (R20). */
  public boolean isAggregated() {
    return operation != null && operation.isAggregated();
  }

  /**
   * How a part's units split over meters, by name. The parts of a leg fill its meters one after the
   * other, in the order in which they were funded, so that the shares of all parts add up to what
   * the leg's items cost on each meter.
   */
  public List<MeterUnits> meterUnits(final int part, final Catalogue catalogue) {
    final PricedOperation priced = operation;
    if (priced == null) {
      return List.of();
    }
    final int leg = legOf(part);
    long before = 0;
    for (int earlier = 0; earlier < part; earlier++) {
      if (legOf(earlier) == leg) {
        before = Math.addExact(before, partUnits[earlier]);
      }
    }
    long from = before;
    long left = partUnits[part];
    final List<MeterUnits> shares = new ArrayList<>(priced.meters());
    int last = -1;
    for (int i = 0; i < priced.meters(); i++) {
      if ((meterSets[leg] >>> priced.meter(i) & 1) == 0) {
        continue;
      }
      last = i;
      final long cost = priced.unitsOn(i, items);
      final long free = Math.max(0, cost - from);
      from = Math.max(0, from - cost);
      final long share = Math.min(free, left);
      if (share > 0) {
        shares.add(new MeterUnits(catalogue.meterName(priced.meter(i)), share));
        left -= share;
      }
    }
    if (left > 0 && last >= 0) {
      // Settled by units above what its items cost: the last meter takes what is over.
      addTo(shares, catalogue.meterName(priced.meter(last)), left);
    }
    return shares;
  }

  private static void addTo(final List<MeterUnits> shares, final String meter, final long units) {
    for (int i = 0; i < shares.size(); i++) {
      if (shares.get(i).meter().equals(meter)) {
        shares.set(i, new MeterUnits(meter, Math.addExact(shares.get(i).units(), units)));
        return;
      }
    }
    shares.add(new MeterUnits(meter, units));
  }

  // The phase (R6)

  long word() {
    return word;
  }

  /**
   * Publishes the request as pending. Only the thread that took the slot may.
   *
   * @return the word, by which this use of the slot is known from here on
   */
  long open() {
    long opened = PhaseWord.nextUse(word);
    for (int part = 0; part < parts; part++) {
      opened = PhaseWord.withFunding(opened, legOf(part), fundingOf(part));
    }
    // What was written before is seen by whoever sees the word; nothing is read after it.
    WORD.setRelease(this, opened);
    return opened;
  }

  /**
   * Pending to started, with the fundings of {@code funded}; false if someone released it first.
   */
  boolean tryStart(final long use, final long funded) {
    for (long seen = word; isPhase(seen, use, PhaseWord.PENDING); seen = word) {
      if (WORD.compareAndSet(this, seen, PhaseWord.started(seen, funded))) {
        return true;
      }
    }
    return false;
  }

  /** Pending to released; false if it started, or was released, first. */
  boolean tryRelease(final long use) {
    for (long seen = word; isPhase(seen, use, PhaseWord.PENDING); seen = word) {
      if (WORD.compareAndSet(this, seen, PhaseWord.released(seen))) {
        return true;
      }
    }
    return false;
  }

  /** Started to settled; false if someone else settled it first, or is changing its parts. */
  boolean trySettle(final long use) {
    for (long seen = word; isPhase(seen, use, PhaseWord.STARTED); seen = word) {
      if (PhaseWord.isBusy(seen)) {
        return false;
      }
      if (WORD.compareAndSet(this, seen, PhaseWord.settled(seen))) {
        return true;
      }
    }
    return false;
  }

  /** Keeps others from settling a started request while its parts change; false if one did. */
  boolean tryEnter(final long use) {
    for (long seen = word; isPhase(seen, use, PhaseWord.STARTED); seen = word) {
      if (PhaseWord.isBusy(seen)) {
        return false;
      }
      if (WORD.compareAndSet(this, seen, PhaseWord.busy(seen))) {
        return true;
      }
    }
    return false;
  }

  /** Ends what {@link #tryEnter} began. */
  void leave() {
    for (long seen = word; ; seen = word) {
      if (WORD.compareAndSet(this, seen, PhaseWord.idle(seen))) {
        return;
      }
    }
  }

  /**
   * Records that someone wants the request to stop; the phase is not changed.
   *
   * @return the word it was recorded in, or a word of another use if the request is gone
   */
  long requestStop(final long use) {
    for (long seen = word; ; seen = word) {
      if (!PhaseWord.sameUse(seen, use)
          || WORD.compareAndSet(this, seen, PhaseWord.stopRequested(seen))) {
        return seen;
      }
    }
  }

  private static boolean isPhase(final long seen, final long use, final int phase) {
    return PhaseWord.sameUse(seen, use) && PhaseWord.phase(seen) == phase;
  }

  // Legs and parts

  int lane() {
    return lane;
  }

  int index() {
    return index;
  }

  void identify(final long idHigh, final long idLow) {
    requestIdHigh = idHigh;
    requestIdLow = idLow;
  }

  void occurredAt(final long nanos) {
    occurredAtNanos = nanos;
  }

  void priced(
      final PricedOperation byOperation,
      final long count,
      final Bits256 revision,
      final Id128 key) {
    items = count;
    if (operation != byOperation) {
      operation = byOperation;
    }
    if (!policyRevision.equals(revision)) {
      policyRevision = revision;
    }
    if (!keyId.equals(key)) {
      keyId = key;
    }
  }

  void items(final long count) {
    items = count;
  }

  long items() {
    return items;
  }

  /** How it is priced. */
  PricedOperation operation() {
    if (operation == null) {
      throw new IllegalStateException("the request was never priced");
    }
    return operation;
  }

  /** How long it may run; racy, like all that a sweep reads before it has won the slot. */
  long longestNanos() {
    final PricedOperation priced = operation;
    return priced == null ? Long.MAX_VALUE : priced.longestNanos();
  }

  /** What it occupies while it is open. */
  Occupancy occupancy() {
    return occupancy;
  }

  /** Adds a leg and its reservation, part 0. */
  void reserve(
      final AccountState account,
      final long meterSet,
      final int funding,
      final @Nullable HeldLease lease,
      final long units) {
    if (accounts[legs] != account) {
      accounts[legs] = account;
    }
    meterSets[legs] = meterSet;
    append(legs, 0, funding, lease, units);
    legs++;
  }

  /**
   * The lease of a leg's reservation, or null if something else funds it. Reservations are the
   * first parts, in the order of the legs.
   */
  @Nullable HeldLease reservationLease(final int leg) {
    return partLease[leg];
  }

  /**
   * Adds units to a leg: as a part of its own while there is room, else to an earlier extension of
   * the same funding. One place per leg stays free for what a settlement leaves unfunded.
   *
   * @return the part that has them now; {@link #NO_PART} if there is neither room nor such a part,
   *     and nothing was added
   */
  int extend(final int leg, final int funding, final @Nullable HeldLease lease, final long units) {
    final int kept = funding == UNFUNDED ? 0 : legs;
    if (parts < MAX_PARTS - kept) {
      append(leg, numberOfNext(leg), funding, lease, units);
      return parts - 1;
    }
    final int like = extensionLike(leg, funding, lease);
    if (like != NO_PART) {
      partUnits[like] = Math.addExact(partUnits[like], units);
    }
    return like;
  }

  /** Whether a part funded by {@code lease}, or by overage if null, can still be added. */
  boolean hasRoomFor(final int leg, final int funding, final @Nullable HeldLease lease) {
    return parts < MAX_PARTS - legs || extensionLike(leg, funding, lease) != NO_PART;
  }

  /** The first extension of a leg with this funding, or {@link #NO_PART}. */
  private int extensionLike(final int leg, final int funding, final @Nullable HeldLease lease) {
    for (int part = 0; part < parts; part++) {
      if (partNumber(part) > 0
          && legOf(part) == leg
          && fundingOf(part) == funding
          && partLease[part] == lease) {
        return part;
      }
    }
    return NO_PART;
  }

  /** Changes what funds a reservation. */
  void fundBy(final int part, final int funding, final @Nullable HeldLease lease) {
    partKind[part] = kind(legOf(part), funding, partNumber(part));
    partLease[part] = lease;
  }

  int legs() {
    return legs;
  }

  AccountState accountOf(final int leg) {
    final AccountState account = accounts[leg];
    if (account == null) {
      throw new IllegalStateException("the request has no leg " + leg);
    }
    return account;
  }

  int legOf(final int part) {
    return partKind[part] & LEG_MASK;
  }

  int fundingOf(final int part) {
    return partKind[part] >> FUNDING_SHIFT & FUNDING_MASK;
  }

  private static short kind(final int leg, final int funding, final int number) {
    return (short) (leg | funding << FUNDING_SHIFT | number << NUMBER_SHIFT);
  }

  /** Units of a leg with this funding. */
  long unitsFunded(final int leg, final int funding) {
    long sum = 0;
    for (int part = 0; part < parts; part++) {
      if (legOf(part) == leg && fundingOf(part) == funding) {
        sum = Math.addExact(sum, partUnits[part]);
      }
    }
    return sum;
  }

  /** Units of a leg, however funded. */
  long unitsOf(final int leg) {
    long sum = 0;
    for (int part = 0; part < parts; part++) {
      if (legOf(part) == leg) {
        sum = Math.addExact(sum, partUnits[part]);
      }
    }
    return sum;
  }

  /** Units of a leg on leases that the ledger still counts as active at {@code nowNanos}. */
  long unitsOnActiveLeases(final int leg, final long nowNanos) {
    long sum = 0;
    for (int part = 0; part < parts; part++) {
      final HeldLease lease = partLease[part];
      if (lease != null && legOf(part) == leg && lease.activeAt(nowNanos)) {
        sum = Math.addExact(sum, partUnits[part]);
      }
    }
    return sum;
  }

  /** Takes {@code units} off a part and returns them to what funded it. */
  void giveBack(final int part, final long units, final boolean committed, final int stripe) {
    partUnits[part] = Math.subtractExact(partUnits[part], units);
    final HeldLease lease = partLease[part];
    if (lease != null) {
      accountOf(legOf(part)).leases().credit(lease, units, stripe);
    } else if (fundingOf(part) == OVERAGE) {
      if (committed) {
        accountOf(legOf(part)).overage().refundCommitted(units);
      } else {
        accountOf(legOf(part)).overage().refund(units);
      }
    }
  }

  /** Forgets the extensions at the end that hold nothing: what they took was undone. */
  void trim() {
    while (parts > 0 && partNumber(parts - 1) > 0 && partUnits[parts - 1] == 0) {
      parts--;
    }
  }

  /** Returns every unit of a request that did not start (R5), the last leg's first. */
  void giveBackAll(final int stripe) {
    for (int part = parts - 1; part >= 0; part--) {
      giveBack(part, partUnits[part], false, stripe);
    }
  }

  /** Forgets the request; the slot's word, and with it the generation, stays. */
  void clear() {
    legs = 0;
    parts = 0;
  }

  private void append(
      final int leg,
      final int number,
      final int funding,
      final @Nullable HeldLease lease,
      final long units) {
    partKind[parts] = kind(leg, funding, number);
    if (partLease[parts] != lease) {
      partLease[parts] = lease;
    }
    partUnits[parts] = units;
    parts++;
  }

  private int numberOfNext(final int leg) {
    int number = 0;
    for (int part = 0; part < parts; part++) {
      if (legOf(part) == leg) {
        number++;
      }
    }
    return number;
  }
}
