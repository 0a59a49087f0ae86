package io.tollgrid.admission.request;

import io.tollgrid.admission.account.AccountState;
import io.tollgrid.admission.denial.Denial;
import io.tollgrid.admission.lease.HeldLease;
import io.tollgrid.admission.lease.OverageAllowance;
import io.tollgrid.admission.outcome.Outcome;
import io.tollgrid.ledger.Id128;
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
 * <p>One object per worker or connection, reused; not safe for use by two threads at once. It
 * allocates nothing, blocks on nothing and reads no clock: each step that depends on time takes
 * {@code nowNanos}, epoch nanoseconds of the clock the leases are kept by.
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
  private final RequestIds ids;

  private State state = State.IDLE;
  private @Nullable AccountState account;
  private @Nullable UsageSlot slot;
  private long use;

  private long settledUnits;
  private long unfundedUnits;
  private long overageUnits;

  AdmissionRequest(final Admission admission, final int stripe, final RequestIds ids) {
    this.admission = admission;
    this.stripe = stripe;
    this.ids = ids;
  }

  /**
   * Begins a request of an account.
   *
   * @return null, or why no request of this account may begin
   */
  public @Nullable Denial begin(final Id128 accountId, final long nowNanos) {
    require(State.IDLE, "begin()");
    settledUnits = 0;
    unfundedUnits = 0;
    overageUnits = 0;
    if (admission.isStopped()) {
      return deny(Denial.SHUTTING_DOWN);
    }
    final AccountState found = admission.accounts().find(accountId);
    if (found == null) {
      return deny(Denial.UNKNOWN_PRINCIPAL);
    }
    final Denial closed = found.closedTo(nowNanos);
    if (closed != null) {
      return deny(closed);
    }
    account = found;
    state = State.BEGUN;
    return null;
  }

  /** Reserves the price of {@code items} items of an operation; see {@link #admit(long, long)}. */
  public @Nullable Denial admit(final Operation operation, final long items, final long nowNanos) {
    require(State.BEGUN, "admit()");
    final long units = operation.quoteUnits(items);
    return units == Operation.OVERFLOW ? deny(Denial.COST_OVERFLOW) : admit(units, nowNanos);
  }

  /**
   * Reserves {@code units} for the request.
   *
   * @param units the quote, 0 or more
   * @return null, or why it is not admitted; nothing is held then
   */
  public @Nullable Denial admit(final long units, final long nowNanos) {
    require(State.BEGUN, "admit()");
    requireUnits("a quote", units);
    if (admission.isStopped()) {
      return deny(Denial.SHUTTING_DOWN);
    }
    final AccountState home = account();
    // First of all: a time that no id can hold is refused before anything is taken.
    ids.next(nowNanos);
    final UsageSlot taken = admission.usage().take(stripe);
    if (taken == null) {
      return deny(Denial.USAGE_QUEUE_FULL);
    }
    Denial denial = home.closedTo(nowNanos);
    if (denial == null) {
      home.leases().quoted(units);
      denial = reserve(taken, home, units, nowNanos);
    }
    if (denial != null) {
      admission.usage().giveBack(taken);
      return deny(denial);
    }
    taken.identify(ids.high(), ids.low());
    taken.occurredAt(nowNanos);
    use = taken.open();
    slot = taken;
    state = State.ADMITTED;
    admission.counters().count(stripe, Outcome.ADMITTED);
    if (taken.fundingOf(HOME) == UsageSlot.OVERAGE) {
      admission.counters().count(stripe, Outcome.ADMITTED_OVERAGE);
    }
    return null;
  }

  /**
   * Commits the charge: from here on the request costs what it settles at.
   *
   * @return null, or why it must not run; it cost nothing then
   */
  public @Nullable Denial start(final long nowNanos) {
    require(State.ADMITTED, "start()");
    // What was swept as abandoned may be another request's slot by now: only the claim tells, so
    // nothing read here is relied on, and nothing is written, before it is won.
    final UsageSlot held = slot();
    final AccountState home = account();
    final HeldLease lease = held.lease(HOME);
    if (lease != null && !lease.usableAt(nowNanos)) {
      return startOnOverage(held, home, lease, nowNanos);
    }
    final boolean pendingOverage = held.fundingOf(HOME) == UsageSlot.OVERAGE;
    return tryStart(held, home, use, pendingOverage)
        ? started(held, nowNanos)
        : cancelledByOthers();
  }

  /**
   * Reserves {@code units} more for a request that runs.
   *
   * @param units 0 or more
   * @return null if they were reserved, else why not; the request runs on either way
   */
  public @Nullable Denial extend(final long units, final long nowNanos) {
    require(State.STARTED, "extend()");
    requireUnits("an extension", units);
    final UsageSlot held = slot();
    if (units == 0) {
      return null;
    }
    final AccountState home = account();
    final Denial closed = home.closedTo(nowNanos);
    if (closed != null) {
      return refuseExtension(closed);
    }
    if (!held.tryEnter(use)) {
      throw sweptAway("extend()");
    }
    final Denial denial;
    try {
      denial = fundMore(held, home, units, nowNanos);
    } finally {
      held.leave();
    }
    if (denial != null) {
      return refuseExtension(denial);
    }
    admission.counters().count(stripe, Outcome.EXTENDED);
    return null;
  }

  /** Ends the request at what it reserved, extensions included. */
  public void complete() {
    require(State.STARTED, "complete()");
    final UsageSlot held = claim("complete()");
    finish(held);
  }

  /**
   * Ends the request at what it really used (R9). Below the reservation the difference returns at
   * once; above it, what no lease and no overage funds is recorded as unfunded.
   *
   * @param actualUnits 0 or more; 0 is billed as a zero-unit event
   */
  public void settle(final long actualUnits, final long nowNanos) {
    require(State.STARTED, "settle()");
    requireUnits("a settlement", actualUnits);
    final UsageSlot held = claim("settle()");
    final long reserved = held.unitsOf(HOME);
    if (actualUnits < reserved) {
      giveBack(held, reserved - actualUnits);
    } else if (actualUnits > reserved) {
      fundOrRecord(held, actualUnits - reserved, nowNanos);
    }
    finish(held);
  }

  /** Undoes a request that has not started; it costs nothing (R5). */
  public void cancel() {
    if (state == State.BEGUN) {
      forget();
      return;
    }
    if (state == State.STARTED) {
      throw new IllegalStateException(
          "cancel() after start(): the charge stands; call settle(0) to bill zero units");
    }
    require(State.ADMITTED, "cancel()");
    if (slot().tryRelease(use)) {
      release(Outcome.CANCELLED_BEFORE_START);
    } else {
      cancelledByOthers();
    }
  }

  /** Ends what is open, as {@link #cancel} or {@link #complete} would, and the object with it. */
  @Override
  public void close() {
    if (state == State.ADMITTED) {
      cancel();
    } else if (state == State.STARTED) {
      if (slot().trySettle(use)) {
        finish(slot());
      }
      forget();
    }
    account = null;
    state = State.CLOSED;
  }

  // What the last request came to; valid until the next begin().

  /** The leading 64 bits of the id of the request that is open. */
  public long requestIdHigh() {
    return slot().requestIdHigh();
  }

  /** The trailing 64 bits of the id of the request that is open. */
  public long requestIdLow() {
    return slot().requestIdLow();
  }

  /** Units the open request holds, reservation and extensions. */
  public long reservedUnits() {
    return slot().unitsOf(HOME);
  }

  /** Units the last settled request was charged, what nobody funded included. */
  public long settledUnits() {
    return settledUnits;
  }

  /** Units of the last settled request that nobody funded. */
  public long unfundedUnits() {
    return unfundedUnits;
  }

  /** Units of the last settled request that overage funded. */
  public long overageUnits() {
    return overageUnits;
  }

  // Funding

  private static @Nullable Denial reserve(
      final UsageSlot taken, final AccountState home, final long units, final long nowNanos) {
    final HeldLease lease = home.leases().tryDebit(units, nowNanos);
    if (lease != null) {
      taken.reserve(home, UsageSlot.LEASE, lease, units);
      return null;
    }
    if (units == 0) {
      // Nothing to fund: the request needs no lease and proves nothing about funding (R15).
      taken.reserve(home, UsageSlot.NONE, null, 0);
      return null;
    }
    final Denial denial = fundByOverage(home, units, 0, nowNanos);
    if (denial == null) {
      taken.reserve(home, UsageSlot.OVERAGE, null, units);
    }
    return denial;
  }

  /**
   * Takes a pending debit of overage for units that no lease could fund; the lease's owner hears of
   * them either way. Evidence is consulted last, and never in place of an answer that may pass by
   * itself (R4, R15).
   */
  private static @Nullable Denial fundByOverage(
      final AccountState home, final long units, final long ownUnits, final long nowNanos) {
    final Denial withoutOverage = home.leases().refuse(units, ownUnits, nowNanos);
    if (!home.elastic()) {
      return withoutOverage;
    }
    return switch (home.overage().tryDebit(units, home.overageCapUnits())) {
      case TAKEN -> null;
      case EXHAUSTED -> withoutOverage.isFinal() ? withoutOverage : Denial.OVERAGE_EXHAUSTED;
      case TEMPORARILY_EXHAUSTED -> Denial.OVERAGE_TEMPORARILY_EXHAUSTED;
      case COMMIT_IN_PROGRESS -> Denial.OVERAGE_COMMIT_IN_PROGRESS;
    };
  }

  /** Funds an extension as a whole: the reservation's own lease, the current one, overage (R9). */
  private static @Nullable Denial fundMore(
      final UsageSlot held, final AccountState home, final long units, final long nowNanos) {
    if (units > Long.MAX_VALUE - held.unitsOf(HOME)) {
      return Denial.COST_OVERFLOW;
    }
    final HeldLease lease = debitAny(held, home, units, nowNanos);
    if (lease != null) {
      if (held.extend(HOME, UsageSlot.LEASE, lease, units)) {
        return null;
      }
      home.leases().credit(lease, units);
      return Denial.TOO_MANY_ITEMS;
    }
    if (!held.hasRoomFor(HOME, UsageSlot.OVERAGE, null)) {
      return Denial.TOO_MANY_ITEMS;
    }
    final Denial denial =
        fundByOverage(home, units, held.unitsOnActiveLeases(HOME, nowNanos), nowNanos);
    if (denial == null) {
      commitOverage(held, home, units);
    }
    return denial;
  }

  private static @Nullable HeldLease debitAny(
      final UsageSlot held, final AccountState home, final long units, final long nowNanos) {
    final HeldLease own = held.lease(HOME);
    if (own != null && home.leases().tryDebit(own, units, nowNanos)) {
      return own;
    }
    return home.leases().tryDebit(units, nowNanos);
  }

  /** Makes a pending debit of a request that has started a committed part of it. */
  private static void commitOverage(
      final UsageSlot held, final AccountState home, final long units) {
    home.overage().beginCommit();
    held.extend(HOME, UsageSlot.OVERAGE, null, units);
    home.overage().endCommit(units);
  }

  /** Funds what a settlement exceeds its reservation by, or records that nobody did. */
  private static void fundOrRecord(final UsageSlot held, final long missing, final long nowNanos) {
    final AccountState home = held.accountOf(HOME);
    final HeldLease lease = debitAny(held, home, missing, nowNanos);
    if (lease != null) {
      if (held.extend(HOME, UsageSlot.LEASE, lease, missing)) {
        return;
      }
      home.leases().credit(lease, missing);
    } else if (home.elastic()
        && held.hasRoomFor(HOME, UsageSlot.OVERAGE, null)
        && home.overage().tryDebit(missing, home.overageCapUnits())
            == OverageAllowance.Debit.TAKEN) {
      commitOverage(held, home, missing);
      return;
    }
    held.extend(HOME, UsageSlot.UNFUNDED, null, missing);
  }

  /** Returns units of a started request, overage before lease, the latest part first. */
  private static void giveBack(final UsageSlot held, final long units) {
    final long left = giveBack(held, units, UsageSlot.OVERAGE);
    final long none = giveBack(held, left, UsageSlot.LEASE);
    assert none == 0 : none;
  }

  private static long giveBack(final UsageSlot held, final long units, final int funding) {
    long left = units;
    for (int part = held.parts() - 1; part >= 0 && left > 0; part--) {
      if (held.legOf(part) == HOME && held.fundingOf(part) == funding) {
        final long returned = Math.min(left, held.units(part));
        held.giveBack(part, returned, true);
        left -= returned;
      }
    }
    return left;
  }

  // Start

  /*
   * The lapse fallback (R6, R13). Overage is debited before the claim and the lease's units go back after it: a claim
   * that wins never names overage the account did not take, and one that loses gives nothing back that the canceller
   * has given back already. The request starts busy, so that no sweep reads the part before it names its new funding.
   */
  private @Nullable Denial startOnOverage(
      final UsageSlot held, final AccountState home, final HeldLease lease, final long nowNanos) {
    final long units = held.units(HOME);
    if (!home.elastic()) {
      return refuseStart(held, Denial.START_LAPSED);
    }
    final Denial refused =
        switch (home.overage().tryDebit(units, home.overageCapUnits())) {
          case TAKEN -> null;
          case EXHAUSTED -> Denial.START_OVERAGE_EXHAUSTED;
          case TEMPORARILY_EXHAUSTED -> Denial.START_OVERAGE_TEMPORARILY_EXHAUSTED;
          case COMMIT_IN_PROGRESS -> Denial.START_OVERAGE_COMMIT_IN_PROGRESS;
        };
    if (refused != null) {
      return refuseStart(held, refused);
    }
    final long funded =
        PhaseWord.busy(PhaseWord.withFunding(use, HOME, PhaseWord.FUNDED_BY_OVERAGE));
    if (!tryStart(held, home, funded, true)) {
      home.overage().refund(units);
      return cancelledByOthers();
    }
    held.fundBy(HOME, UsageSlot.OVERAGE, null);
    held.leave();
    home.leases().credit(lease, units);
    admission.counters().count(stripe, Outcome.COMMITTED_AT_OVERAGE);
    return started(held, nowNanos);
  }

  private boolean tryStart(
      final UsageSlot held, final AccountState home, final long funded, final boolean overage) {
    if (!overage) {
      return held.tryStart(use, funded);
    }
    home.overage().beginCommit();
    final boolean won = held.tryStart(use, funded);
    home.overage().endCommit(won ? held.units(HOME) : 0);
    return won;
  }

  private @Nullable Denial started(final UsageSlot held, final long nowNanos) {
    held.occurredAt(nowNanos);
    state = State.STARTED;
    admission.counters().count(stripe, Outcome.EXECUTION_STARTED);
    return null;
  }

  private Denial refuseStart(final UsageSlot held, final Denial denial) {
    if (!held.tryRelease(use)) {
      return cancelledByOthers();
    }
    release(Outcome.REFUSED_AT_START);
    admission.counters().denied(stripe, denial);
    return denial;
  }

  // Endings

  private UsageSlot claim(final String call) {
    final UsageSlot held = slot();
    if (!held.trySettle(use)) {
      throw sweptAway(call);
    }
    return held;
  }

  private void finish(final UsageSlot held) {
    settledUnits = held.unitsOf(HOME);
    unfundedUnits = held.unitsFunded(HOME, UsageSlot.UNFUNDED);
    overageUnits = held.unitsFunded(HOME, UsageSlot.OVERAGE);
    admission.counters().count(stripe, Outcome.SETTLED);
    if (unfundedUnits > 0) {
      admission.counters().count(stripe, Outcome.SETTLED_UNFUNDED);
    }
    admission.usage().record(held);
    forget();
  }

  /** Ends a request that this thread released; only the thread that won may. */
  private void release(final Outcome outcome) {
    final UsageSlot held = slot();
    held.giveBackAll();
    admission.usage().giveBack(held);
    admission.counters().count(stripe, outcome);
    forget();
  }

  /** The request was released by someone else, who has given everything back and counted it. */
  private Denial cancelledByOthers() {
    forget();
    return Denial.START_CANCELLED;
  }

  private Denial deny(final Denial denial) {
    admission.counters().denied(stripe, denial);
    forget();
    return denial;
  }

  private Denial refuseExtension(final Denial denial) {
    admission.counters().count(stripe, Outcome.EXTENSION_REFUSED);
    return denial;
  }

  private void forget() {
    account = null;
    slot = null;
    state = State.IDLE;
  }

  // Order of calls

  private void require(final State needed, final String call) {
    if (state != needed) {
      throw new IllegalStateException(misuse(call));
    }
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
            + " instance shut down before it was settled");
  }

  private AccountState account() {
    if (account == null) {
      throw new IllegalStateException(misuse("admit()"));
    }
    return account;
  }

  private UsageSlot slot() {
    if (slot == null) {
      throw new IllegalStateException(misuse("this call"));
    }
    return slot;
  }

  private static void requireUnits(final String what, final long units) {
    if (units < 0) {
      throw new IllegalArgumentException(what + " cannot be " + units + " units");
    }
  }
}
