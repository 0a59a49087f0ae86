package io.tollgrid.admission.request;

import io.tollgrid.admission.account.AccountState;
import io.tollgrid.admission.concurrency.ExecutionCapacity;
import io.tollgrid.admission.denial.Denial;
import io.tollgrid.admission.outcome.Outcome;
import io.tollgrid.admission.outcome.OutcomeCounters;
import io.tollgrid.admission.plan.Operation;
import io.tollgrid.admission.plan.PricedOperation;
import io.tollgrid.admission.plan.Route;
import io.tollgrid.admission.session.Credential;
import io.tollgrid.admission.session.Session;
import io.tollgrid.admission.snapshot.Principal;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.policy.Subject;
import java.lang.ref.Cleaner;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One request after another, from the question whether it may run to the record of what it cost.
 *
 * <pre>
 * begin → admit → start → (extend)* → complete | settle
 *                └ cancel
 * </pre>
 *
 * <p>A step answers null, or the {@link Denial} that ended the request. Steps in another order
 * throw {@link IllegalStateException} naming the call that is missing or extra, and change nothing.
 * {@link #close} ends whatever is open: cancelled before start, charged as reserved after it.
 *
 * <p>One object per worker or connection, reused; not safe for use by two threads at once. The
 * thread that begins a request makes its other calls too, or another that {@link #adopt adopts} it;
 * a call by any other throws. It allocates nothing, blocks on nothing and reads no clock: each step
 * that depends on time takes {@code nowNanos}, epoch nanoseconds of the clock the leases are kept
 * by.
 */
public final class AdmissionRequest implements AutoCloseable {
  /** Where the object is in the order of calls. */
  private enum State {
    IDLE,
    BEGUN,
    ADMITTED,
    STARTED,
    CLOSED
  }

  private static final int HOME = 0;

  private final Admission admission;
  private final int stripe;
  private final int lane;
  private final RequestIds ids;
  private final OutcomeCounters.Writer outcomes;

  /** What is open, where the cleaner finds it when this object is gone. */
  private final OpenRequest open;

  private final Cleaner.Cleanable cleanable;

  private final Occupancy leaving = new Occupancy();
  private final Pinned pinned = new Pinned();
  private final LegQuotes quotes = new LegQuotes();
  private final LastDenial last = new LastDenial();
  private final Gate gate;

  private State state = State.IDLE;

  /** Whose the open request is; left standing when it is over. */
  private Thread owner = Thread.currentThread();

  private Id128 asking = Id128.ZERO;
  private @Nullable PricedOperation operation;

  /** Kept here until the slot is this thread's for good. */
  private long startedAtNanos;

  private long reservedUnits;
  private long settledUnits;
  private long unfundedUnits;
  private long overageUnits;

  AdmissionRequest(final Admission admission, final int stripe, final RequestIds ids) {
    this.admission = admission;
    this.stripe = stripe;
    this.ids = ids;
    this.gate = new Gate(stripe, quotes, last);
    this.lane = admission.usage().laneOf(stripe);
    this.outcomes = admission.counters().newWriter();
    this.open = new OpenRequest(admission, outcomes);
    this.cleanable = admission.clean(this, open);
  }

  // Before it runs

  /** Begins a request on no route in particular; see {@link #begin(Id128, Route, long)}. */
  public @Nullable Denial begin(final Id128 principalId, final long nowNanos) {
    return begin(principalId, null, nowNanos);
  }

  /**
   * Begins a request of a principal and pins its snapshot.
   *
   * @param principalId who asks
   * @param route the way it came in, null for none
   * @return null, or why no request of this principal may begin
   */
  public @Nullable Denial begin(
      final Id128 principalId, final @Nullable Route route, final long nowNanos) {
    return begin(principalId, Id128.ZERO, route, nowNanos);
  }

  /**
   * Begins a request of whoever proved to be on the other end of a session; its usage is attributed
   * to the credential.
   *
   * @param route the way it came in, null for none
   * @return null, or why no request may begin; {@link Denial#UNKNOWN_PRINCIPAL} if nothing is
   *     proved
   */
  public @Nullable Denial begin(
      final Session session, final @Nullable Route route, final long nowNanos) {
    final Credential credential = session.credential(nowNanos);
    if (credential == null) {
      own("begin()");
      last.none(nowNanos);
      asking = Id128.ZERO;
      return deny(Denial.UNKNOWN_PRINCIPAL);
    }
    return begin(credential.principal(), credential.keyId(), route, nowNanos);
  }

  /**
   * Begins a request of a subject that the credential proved on a session speaks for; its usage is
   * attributed to the credential.
   *
   * @param route the way it came in, null for none
   * @return null, or why no request may begin; {@link Denial#UNKNOWN_PRINCIPAL} if nothing is
   *     proved, or not for this subject
   */
  public @Nullable Denial begin(
      final Session session,
      final Subject subject,
      final @Nullable Route route,
      final long nowNanos) {
    final Credential credential = session.credential(nowNanos);
    if (credential == null || !credential.speaksFor(subject)) {
      own("begin()");
      last.none(nowNanos);
      asking = Id128.ZERO;
      return deny(Denial.UNKNOWN_PRINCIPAL);
    }
    return begin(subject.principal(), credential.keyId(), route, nowNanos);
  }

  private @Nullable Denial begin(
      final Id128 principalId,
      final Id128 keyId,
      final @Nullable Route route,
      final long nowNanos) {
    own("begin()");
    settledUnits = 0;
    unfundedUnits = 0;
    overageUnits = 0;
    last.none(nowNanos);
    if (!asking.equals(principalId)) {
      asking = principalId;
    }
    if (admission.isStopped()) {
      return deny(Denial.SHUTTING_DOWN);
    }
    final Principal found = admission.principals().find(principalId.high(), principalId.low());
    final Denial denial = pinned.pin(found, keyId, route, nowNanos, last);
    if (denial != null) {
      if (denial == Denial.UNKNOWN_PRINCIPAL) {
        admission.missed().note(principalId);
      }
      return deny(denial);
    }
    state = State.BEGUN;
    return null;
  }

  /** Reserves the price of the operation's default number of items (R9). */
  public @Nullable Denial admit(final Operation operation, final long nowNanos) {
    return reserve(operation, Gate.DEFAULT_ITEMS, nowNanos);
  }

  /**
   * Reserves the price of {@code items} items of an operation.
   *
   * @param items how many, or how many are expected; 0 or more
   * @return null, or why it is not admitted; nothing is held then
   */
  public @Nullable Denial admit(final Operation operation, final long items, final long nowNanos) {
    require(State.BEGUN, "admit()");
    requireAmount("items", items);
    return reserve(operation, items, nowNanos);
  }

  private @Nullable Denial reserve(final Operation wanted, final long items, final long nowNanos) {
    require(State.BEGUN, "admit()");
    Objects.requireNonNull(wanted, "operation");
    last.none(nowNanos);
    if (admission.isStopped()) {
      return deny(Denial.SHUTTING_DOWN);
    }
    // First of all: a time that no id can hold is refused before anything is taken.
    ids.next(nowNanos);
    final UsageSlot taken = admission.usage().take(lane);
    if (taken == null) {
      return deny(Denial.USAGE_QUEUE_FULL);
    }
    Denial denial = Denial.SHUTTING_DOWN;
    try {
      denial = gate.pass(taken, pinned, wanted, items, nowNanos);
    } finally {
      if (denial != null) {
        taken.occupancy().leave();
        admission.usage().giveBack(taken);
      }
    }
    if (denial != null) {
      return deny(denial);
    }
    final PricedOperation priced = taken.operation();
    if (operation != priced) {
      operation = priced;
    }
    reservedUnits = quotes.units(HOME);
    taken.identify(ids.high(), ids.low());
    taken.occurredAt(nowNanos);
    open.set(taken, taken.open());
    state = State.ADMITTED;
    outcomes.count(Outcome.ADMITTED);
    if (quotes.onOverage() != 0) {
      outcomes.count(Outcome.ADMITTED_OVERAGE);
    }
    return null;
  }

  /** Undoes a request that has not started; it costs nothing (R5). */
  public void cancel() {
    if (state == State.BEGUN) {
      requireOwner("cancel()");
      forget();
      return;
    }
    if (state == State.STARTED) {
      throw new IllegalStateException(
          "cancel() after start(): the charge stands; call settle(0) to bill zero units");
    }
    require(State.ADMITTED, "cancel()");
    final UsageSlot held = slot();
    if (held.tryRelease(open.use())) {
      release(held, Outcome.CANCELLED_BEFORE_START);
    } else {
      cancelledByOthers();
    }
  }

  /**
   * A handle by which another thread can cancel the request that is open. This one call allocates.
   */
  public CancelHandle split() {
    requireOpen("split()");
    final UsageSlot held = slot();
    return new CancelHandle(admission, held, open.use(), reservedUnits);
  }

  /**
   * Makes the calling thread the one that goes on with the open request. The thread that had it
   * must have made its last call, and the caller must see it: hand the request over by a queue, a
   * future or the like.
   */
  public void adopt() {
    if (state != State.BEGUN && state != State.ADMITTED && state != State.STARTED) {
      throw new IllegalStateException(misuse("adopt()"));
    }
    owner = Thread.currentThread();
  }

  /** Whether a {@link CancelHandle} asked the running request to stop, in vain or not. */
  public boolean isStopRequested() {
    final long seen = slot().word();
    return PhaseWord.sameUse(seen, open.use()) && PhaseWord.isStopRequested(seen);
  }

  // Start

  /**
   * Commits the charge: from here on the request costs what it settles at.
   *
   * @return null, or why it must not run; it cost nothing then
   */
  public @Nullable Denial start(final long nowNanos) {
    require(State.ADMITTED, "start()");
    // What was swept as abandoned may be another request's slot by now: only the claim tells, so
    // nothing of it is read or written before that is won.
    final UsageSlot held = slot();
    last.none(nowNanos);
    startedAtNanos = nowNanos;
    final ExecutionCapacity capacity = admission.capacity();
    if (capacity == null && quotes.lapsed(nowNanos) == 0) {
      return Funding.tryStart(held, open.use(), false, quotes, 0) ? started() : cancelledByOthers();
    }
    return startWithCare(held, capacity, nowNanos);
  }

  /*
   * The rest (R6, R13, R31). Execution capacity first. Then every leg whose lease has lapsed debits overage, before the
   * claim; the leases' units go back after it. So a claim that wins never names overage an account did not take, and one
   * that loses gives nothing back that the canceller has given back already. The request starts busy, so that no sweep
   * reads its parts, or leaves its places, before both are as the claim says.
   */
  private @Nullable Denial startWithCare(
      final UsageSlot held, final @Nullable ExecutionCapacity capacity, final long nowNanos) {
    int token = ExecutionCapacity.SHED;
    if (capacity != null) {
      token = capacity.tryEnter(quotes.policy(HOME).capacityClass());
      if (token == ExecutionCapacity.SHED) {
        return refuseStart(held, Denial.START_CAPACITY_SHED, Outcome.CAPACITY_SHED);
      }
    }
    final int lapsed = quotes.lapsed(nowNanos);
    final Denial refused = Funding.debitFallback(quotes, lapsed, last);
    final boolean won = refused == null && Funding.tryStart(held, open.use(), true, quotes, lapsed);
    if (!won) {
      if (refused == null) {
        Funding.refundFallback(quotes, lapsed);
      }
      if (capacity != null) {
        capacity.leave(token);
      }
      return refused == null
          ? cancelledByOthers()
          : refuseStart(held, refused, Outcome.REFUSED_AT_START);
    }
    try {
      if (capacity != null) {
        held.occupancy().occupy(capacity, token);
      }
      Funding.fallBack(held, lapsed, stripe);
    } finally {
      held.leave();
    }
    if (lapsed != 0 && quotes.onOverage() == 0) {
      outcomes.count(Outcome.COMMITTED_AT_OVERAGE);
    }
    return started();
  }

  private @Nullable Denial started() {
    state = State.STARTED;
    outcomes.count(Outcome.EXECUTION_STARTED);
    return null;
  }

  private Denial refuseStart(final UsageSlot held, final Denial denial, final Outcome outcome) {
    if (!held.tryRelease(open.use())) {
      return cancelledByOthers();
    }
    release(held, outcome);
    outcomes.denied(denial);
    return denial;
  }

  // While it runs

  /**
   * Reserves {@code units} more on every leg of a request that counts on one meter.
   *
   * @param units 0 or more
   * @return null if they were reserved, else why not; the request runs on either way
   */
  public @Nullable Denial extend(final long units, final long nowNanos) {
    require(State.STARTED, "extend()");
    requireAmount("an extension of units", units);
    requireOneMeter("extend(units)", "extendItems(items)");
    final UsageSlot held = enter("extend()", nowNanos);
    quotes.each(units);
    return extend(held, held.items(), nowNanos);
  }

  /**
   * Reserves the price of {@code items} more.
   *
   * @param items 0 or more
   * @return null if they were reserved, else why not; the request runs on either way
   */
  public @Nullable Denial extendItems(final long items, final long nowNanos) {
    require(State.STARTED, "extendItems()");
    requireAmount("an extension of items", items);
    final UsageSlot held = enter("extendItems()", nowNanos);
    final long all = held.items();
    if (items > Long.MAX_VALUE - all || !quotes.reprice(operation(), all + items)) {
      held.leave();
      return refuseExtension(Denial.COST_OVERFLOW);
    }
    quotes.lessThan(held);
    return extend(held, all + items, nowNanos);
  }

  private UsageSlot enter(final String call, final long nowNanos) {
    final UsageSlot held = slot();
    if (!held.tryEnter(open.use())) {
      throw sweptAway(call);
    }
    last.none(nowNanos);
    return held;
  }

  private @Nullable Denial extend(final UsageSlot held, final long items, final long nowNanos) {
    final Denial denial;
    try {
      denial = fundExtension(held, nowNanos);
      if (denial == null) {
        held.items(items);
        for (int leg = 0; leg < quotes.legs(); leg++) {
          quotes.chargeRate(leg, stripe, nowNanos);
        }
        reservedUnits = held.unitsOf(HOME);
      }
    } finally {
      held.leave();
    }
    if (denial != null) {
      return refuseExtension(denial);
    }
    outcomes.count(Outcome.EXTENDED);
    return null;
  }

  /** Funds an extension on every leg or on none. */
  private @Nullable Denial fundExtension(final UsageSlot held, final long nowNanos) {
    for (int leg = 0; leg < quotes.legs(); leg++) {
      final Denial closed = quotes.account(leg).closedTo(nowNanos);
      if (closed != null) {
        return last.note(closed, leg, quotes.account(leg), quotes.units(leg));
      }
    }
    int asked = 0;
    int funded = 0;
    try {
      for (int leg = 0; leg < quotes.legs(); leg++) {
        final long tentative = quotes.announce(leg);
        asked++;
        final Denial refused = Funding.extend(held, quotes, leg, tentative, stripe, nowNanos);
        if (refused != null) {
          return last.note(refused, leg, quotes.account(leg), quotes.units(leg));
        }
        funded++;
      }
      return null;
    } finally {
      final boolean all = funded == quotes.legs();
      for (int leg = funded - 1; leg >= 0; leg--) {
        if (all) {
          Funding.settleExtension(held, quotes, leg);
        } else {
          Funding.undoExtension(held, quotes, leg, stripe);
        }
      }
      held.trim();
      quotes.decided(asked, all ? 0 : funded);
    }
  }

  /** Ends the request at what it reserved, extensions included. */
  public void complete() {
    require(State.STARTED, "complete()");
    finish(claim("complete()"));
  }

  /**
   * Ends a request that counts on one meter at what it really used (R9). Below the reservation the
   * difference returns at once; above it, what no lease and no overage funds is recorded as
   * unfunded.
   *
   * @param actualUnits 0 or more; 0 is billed as a zero-unit event
   */
  public void settle(final long actualUnits, final long nowNanos) {
    require(State.STARTED, "settle()");
    requireAmount("a settlement in units", actualUnits);
    requireOneMeter("settle(units)", "settleItems(items)");
    final UsageSlot held = claim("settle()");
    quotes.each(actualUnits);
    settle(held, nowNanos);
  }

  /**
   * Ends the request at the price of the items it really used; see {@link #settle(long, long)}.
   *
   * @param actualItems 0 or more
   * @throws IllegalArgumentException if their price does not fit 63 bits; the request runs on
   */
  public void settleItems(final long actualItems, final long nowNanos) {
    require(State.STARTED, "settleItems()");
    requireAmount("a settlement in items", actualItems);
    if (!quotes.reprice(operation(), actualItems)) {
      throw new IllegalArgumentException(
          "the price of " + actualItems + " items does not fit 63 bits; settle what can be billed");
    }
    final UsageSlot held = claim("settleItems()");
    held.items(actualItems);
    settle(held, nowNanos);
  }

  private void settle(final UsageSlot held, final long nowNanos) {
    try {
      for (int leg = 0; leg < quotes.legs(); leg++) {
        final long reserved = held.unitsOf(leg);
        final long actual = quotes.units(leg);
        if (actual < reserved) {
          Funding.giveBack(held, leg, reserved - actual, stripe);
        } else if (actual > reserved) {
          Funding.fundOrRecord(held, leg, actual - reserved, stripe, nowNanos);
        }
        quotes.adjustRate(leg, reserved, stripe, nowNanos);
      }
    } finally {
      finish(held);
    }
  }

  /** Ends what is open, as {@link #cancel} or {@link #complete} would, and the object with it. */
  @Override
  public void close() {
    if (state != State.IDLE && state != State.CLOSED) {
      requireOwner("close()");
    }
    if (state == State.ADMITTED) {
      cancel();
    } else if (state == State.STARTED) {
      final UsageSlot held = slot();
      if (held.trySettle(open.use())) {
        finish(held);
      }
    }
    forget();
    state = State.CLOSED;
    cleanable.clean();
  }

  // What the open request is, and what the last one came to; valid until the next begin()

  /** The leading 64 bits of the id of the request that is open. */
  public long requestIdHigh() {
    requireOpen("requestIdHigh()");
    return ids.high();
  }

  /** The trailing 64 bits of the id of the request that is open. */
  public long requestIdLow() {
    requireOpen("requestIdLow()");
    return ids.low();
  }

  /** Units the open request holds on its home account, reservation and extensions. */
  public long reservedUnits() {
    requireOpen("reservedUnits()");
    return reservedUnits;
  }

  /** Units the home account of the last settled request was charged, unfunded ones included. */
  public long settledUnits() {
    return settledUnits;
  }

  /** Units of the home account of the last settled request that nobody funded. */
  public long unfundedUnits() {
    return unfundedUnits;
  }

  /** Units of the home account of the last settled request that overage funded. */
  public long overageUnits() {
    return overageUnits;
  }

  /** The account whose leg caused the last denial, or null if none did. */
  public @Nullable AccountState refusingAccount() {
    return last.account();
  }

  /** The number of the leg that caused the last denial, 0 for the first, -1 for none. */
  public int refusingLeg() {
    return last.leg();
  }

  /**
   * Units that could still be had where the last denial came from: an upper bound by the ledger's
   * word if it is known, else what this instance holds. 0 if no leg caused the denial.
   */
  public long remainingUnits() {
    return last.remainingUnits();
  }

  /**
   * When the same request could pass the rates of the leg that caused the last denial, at the
   * earliest: a bound, no promise. The time of the denial for every other cause.
   *
   * @return epoch nanoseconds; {@link Long#MAX_VALUE} for never
   */
  public long retryAtNanos() {
    return last.retryAtNanos();
  }

  // Endings

  private UsageSlot claim(final String call) {
    final UsageSlot held = slot();
    if (!held.trySettle(open.use())) {
      throw sweptAway(call);
    }
    return held;
  }

  private void finish(final UsageSlot held) {
    held.occurredAt(startedAtNanos);
    settledUnits = held.unitsOf(HOME);
    unfundedUnits = held.unitsFunded(HOME, UsageSlot.UNFUNDED);
    overageUnits = held.unitsFunded(HOME, UsageSlot.OVERAGE);
    outcomes.count(Outcome.SETTLED);
    if (unfundedUnits > 0) {
      outcomes.count(Outcome.SETTLED_UNFUNDED);
    }
    // Its places are left last (R30), and by then the slot may be another request's.
    leaving.takeOver(held.occupancy());
    try {
      admission.usage().record(held);
    } finally {
      leaving.leave();
      forget();
    }
  }

  /** Ends a request that this thread released; only the thread that won may. */
  private void release(final UsageSlot held, final Outcome outcome) {
    forget();
    admission.released(held, outcome, stripe);
  }

  /** The request was released by someone else, who has given everything back and counted it. */
  private Denial cancelledByOthers() {
    forget();
    return Denial.START_CANCELLED;
  }

  private Denial deny(final Denial denial) {
    outcomes.denied(denial);
    admission.denials().record(last.accountId(), asking, denial, last.units(), last.atNanos());
    forget();
    return denial;
  }

  private Denial refuseExtension(final Denial denial) {
    outcomes.count(Outcome.EXTENSION_REFUSED);
    return denial;
  }

  private void forget() {
    open.clear();
    state = State.IDLE;
  }

  // Order of calls

  private void require(final State needed, final String call) {
    if (state != needed) {
      throw new IllegalStateException(misuse(call));
    }
    requireOwner(call);
  }

  /** A request begins: it is the calling thread's. */
  private void own(final String call) {
    if (state != State.IDLE) {
      throw new IllegalStateException(misuse(call));
    }
    final Thread caller = Thread.currentThread();
    if (owner != caller) {
      owner = caller;
    }
  }

  private void requireOwner(final String call) {
    final Thread caller = Thread.currentThread();
    if (owner != caller) {
      throw new IllegalStateException(
          call
              + " on thread "
              + caller.getName()
              + ", but the request is thread "
              + owner.getName()
              + "'s: call adopt() on the thread that goes on with it, or cancel it by a handle from"
              + " split()");
    }
  }

  private void requireOpen(final String call) {
    if (state != State.ADMITTED && state != State.STARTED) {
      throw new IllegalStateException(misuse(call));
    }
    requireOwner(call);
  }

  private String misuse(final String call) {
    return switch (state) {
      case IDLE -> call + " without a request: call begin() first";
      case BEGUN ->
          call.equals("begin()")
              ? "begin() twice: the request was begun and not admitted; call admit() or cancel()"
              : call + " too early: the request is begun; call admit() first";
      case ADMITTED ->
          call.equals("begin()") || call.equals("admit()")
              ? call + " while a request is admitted: call start() or cancel() first"
              : call + " too early: the request is admitted; call start() first";
      case STARTED -> call + " while a request runs: call complete() or settle() first";
      case CLOSED -> call + " after close(): make a new request with Admission.newRequest()";
    };
  }

  private IllegalStateException sweptAway(final String call) {
    forget();
    return new IllegalStateException(
        call
            + " after the request was ended as abandoned: it was charged as reserved, because the"
            + " instance shut down, or it ran for longer than its operation may");
  }

  private void requireOneMeter(final String call, final String instead) {
    if (operation().meters() > 1) {
      throw new IllegalStateException(
          call
              + " for operation "
              + operation().name()
              + ", which counts on several meters: call "
              + instead);
    }
  }

  private PricedOperation operation() {
    if (operation == null) {
      throw new IllegalStateException(misuse("this call"));
    }
    return operation;
  }

  private UsageSlot slot() {
    final UsageSlot held = open.slot();
    if (held == null) {
      throw new IllegalStateException(misuse("this call"));
    }
    return held;
  }

  private static void requireAmount(final String what, final long amount) {
    if (amount < 0) {
      throw new IllegalArgumentException(what + " cannot be " + amount);
    }
  }
}
