package io.tollgrid.client;

import io.tollgrid.admission.account.AccountState;
import io.tollgrid.admission.lease.LeaseDoorbell;
import io.tollgrid.admission.lease.LeaseSlot;
import io.tollgrid.ledger.Evidence;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.Recall;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps one account's lease slot filled, and brings home what is not needed.
 *
 * <p>Confined to the instance's thread, except for {@link #ring}. It has at most one command under
 * way; each pass looks at the books and sends the one that matters most.
 */
final class LeaseManager extends RefillState implements LeaseDoorbell {
  /*
   * What it sends, and when.
   *
   *   a refused quote     Consolidate: the free units of the current lease go back and come again in one step with
   *                       what the balance has, grown to the quote if it can fund it (R2). Acquire if nothing is free.
   *   low water           Acquire alongside, so that requests go on meanwhile (R34); the lease it replaces is displaced.
   *   a displaced lease   its free units go home: Return while work runs on it, Release when all of it is accounted
   *                       for. Renew while work runs near its end.
   *   a recall by others  the current lease is displaced if it was not used lately. A grant counts as use, also one that
   *                       is too small for the demand it was asked for: a smaller one may be waiting behind that. A
   *                       recall that presses (see RecallWatch) is answered by leases in use too, and demands that are
   *                       no larger wait for it.
   *   near its end        Consolidate if it was used, else it is displaced.
   *
   * Why every unit is reachable (R2, R15). Take a quote q that is refused and not ruled out by evidence. Displaced
   * leases return what is free on them, and the next question folds what is free on the current lease, so the balance it
   * is decided on holds every unit this instance does not run work on. If that covers q, the grant does. If not, the
   * answer carries evidence. Evidence exceeds what can be reached by (a) usage not recorded yet: its record wakes this
   * manager, which asks again; (b) work that runs here: its units, when they come back, wake it; (c) units of other
   * instances: the question left a recall, and Demand describes how several that wait make way for each other. Once (a),
   * (b) and (c) are gone, evidence is exact: q is granted or ruled out.
   *
   * A demand is taken from the slot when it is asked, and refused requests record it anew each time they try. So after a
   * grant the slot may hold a demand that the new lease can serve: asking for it again would drain the lease before the
   * request comes back for it, each time. Such a demand is dropped.
   */

  private static final Logger LOG = LoggerFactory.getLogger(LeaseManager.class);

  /**
   * How long free units of a displaced lease wait for its work to end, so that one command does.
   */
  private static final long RETURN_PATIENCE_NANOS = Duration.ofMillis(200).toNanos();

  /** No two passes for reasons of time are closer together than this. */
  private static final long SHORTEST_PAUSE_NANOS = Duration.ofMillis(1).toNanos();

  final ManagedAccount managed = new ManagedAccount(this);

  /** A lease is to be held although nobody has asked for units. */
  private boolean wanted;

  private long standByAgainNanos;

  /** Made with the first death. */
  private @Nullable Backoff deaths;

  private long deadUntilNanos;

  // The membership's own

  /** Opened by the service, and not because a snapshot names it. Any thread. */
  volatile boolean pinned;

  /** Since when no snapshot names it, {@link Duty#NEVER} while one does. */
  long unnamedSinceNanos = Duty.NEVER;

  /** Nobody needs it, or has said so yet. */
  boolean retired = true;

  /**
   * The manager of an account's slot, which it must not read before it is told to {@link #enter} a
   * mode.
   */
  LeaseManager(final AccountState account, final InstanceContext context) {
    super(account, context);
  }

  @Override
  public void ring() {
    context.loop().ring(this);
  }

  /** Changes what the manager is up to. */
  void enter(final Mode next) {
    mode = next;
    soon();
  }

  /** Whether nothing is left to bring home, or nothing can be. */
  boolean isDone() {
    return faulted || (pending == null && books.isEmpty());
  }

  /** The account. */
  Id128 account() {
    return account.id();
  }

  /** Whether a command is under way that nobody has called uncertain yet. */
  boolean isWaiting() {
    return pending != null && pending.isUnderWay() && !pending.wasEverUnknown();
  }

  /** Usage of this account was recorded: evidence may be sharper now, or a lease accounted for. */
  void usageRecorded() {
    demand = demand.expedited(nowNanos());
    soon();
  }

  /** Funding, mode or status has changed: what was known is not any more (R55). */
  void fundingChanged() {
    demand = demand.funded(nowNanos());
    changed();
    soon();
  }

  /** Word has come that the account may have more to lease (R55). */
  void fundingRaised() {
    slot().fundingChanged();
    fundingChanged();
  }

  /** Word has come that someone needs units of the account (R2). */
  void recalled(final Recall by) {
    recall.heard(by);
    soon();
  }

  /**
   * A lease is wanted although nobody has asked for units yet. If the ledger said that there are
   * none, it is asked again only now and then.
   */
  void standBy() {
    final long nowNanos = nowNanos();
    final Evidence known = slot().evidence();
    final boolean hopeless = known != null && known.remainingUnits() == 0;
    if (!hopeless || nowNanos >= standByAgainNanos) {
      standByAgainNanos =
          nowNanos
              + Backoff.jittered(context.settings().policies().refreshNanos(), context.random());
      wanted = true;
      soon();
    }
  }

  @Override
  long perform(final long nowNanos) {
    if (nowNanos < deadUntilNanos) {
      return deadUntilNanos;
    }
    try {
      return pass(nowNanos);
    } catch (RuntimeException e) {
      died(e);
      return deadUntilNanos;
    }
  }

  /** Deals with an answer, and comes back to what follows from it. */
  @Override
  void survive(final Runnable step) {
    try {
      step.run();
    } catch (RuntimeException e) {
      died(e);
    }
    soon();
  }

  /**
   * One account's fault is not the others': its manager gives up what it held, since its books
   * cannot be trusted any more, and begins anew after a while, longer each time (R36).
   */
  private void died(final RuntimeException failure) {
    if (deaths == null) {
      deaths = new Backoff(settings().backstopNanos(), settings().ttlNanos(), context.random());
    }
    deadUntilNanos = nowNanos() + deaths.nextNanos();
    LOG.error(
        "account {}: its lease manager failed and abandons {} leases, to be reclaimed; it begins"
            + " anew in {} ms",
        account.id(),
        books.size(),
        (deadUntilNanos - nowNanos()) / 1_000_000,
        failure);
    final RefillCounters refills = context.refills();
    refills.deaths.increment();
    refills.abandonedLeases.add(books.size());
    refills.abandonedUnits.add(books.unsettledUnits());
    books.abandon();
    commands().lose();
    demand = demand.forgotten(deadUntilNanos);
    changed();
  }

  private long pass(final long nowNanos) {
    observe(nowNanos);
    if (pending == null) {
      if (!faulted && nowNanos >= quietUntilNanos) {
        act(nowNanos);
      }
    } else if (!pending.isUnderWay() && nowNanos >= pending.retryAtNanos()) {
      commands().repeat();
    }
    return nextDueNanos(nowNanos);
  }

  private void observe(final long nowNanos) {
    final long newlyHeldUnits = books.observe(nowNanos);
    sizing.spent(newlyHeldUnits, nowNanos);
    shown.held(newlyHeldUnits);
    if (isUp(LeaseSlot.CREDITED)) {
      slot().rearm(LeaseSlot.CREDITED);
      demand = demand.expedited(nowNanos);
      changed();
    }
    if (demand.isUnmet()
        && slot().demandUnits() == 0
        && nowNanos >= demand.forgetAtNanos(settings())) {
      demand = demand.forgotten(nowNanos);
    }
    slot().watchCredits(demand.isUnmet());
  }

  // What to do next

  private void act(final long nowNanos) {
    final LeaseBook current = books.current();
    if (current != null && shouldDisplace(current, nowNanos)) {
      books.displaceCurrent(nowNanos);
    }
    final boolean running = mode == Mode.RUNNING;
    if (running && !demand.isUnmet() && askForDemand(nowNanos)) {
      return;
    }
    if (windDown(nowNanos)) {
      return;
    }
    if (running
        && (askForDemand(nowNanos)
            || topUp(nowNanos)
            || replaceEnding(nowNanos)
            || acquireWanted(nowNanos)
            || poll(nowNanos))) {
      return;
    }
    lookForRecall(nowNanos);
  }

  private boolean shouldDisplace(final LeaseBook current, final long nowNanos) {
    if (mode == Mode.RELEASING || !current.lease().usableAt(nowNanos)) {
      return true;
    }
    if (answersRecall(current, nowNanos)) {
      context.refills().recallsAnswered.increment();
      return true;
    }
    if (demand.isUnmet()
        && nowNanos >= demand.holdUntilNanos()
        && current.lease().freeUnits() > 0) {
      demand = demand.paused(context);
      return true;
    }
    return nowNanos >= books.replaceAtNanos(current) && !current.wasUsed();
  }

  private boolean answersRecall(final LeaseBook current, final long nowNanos) {
    return recall.goesBefore(Math.max(1, slot().demandUnits()), nowNanos)
        || (recall.isForeign(nowNanos)
            && nowNanos >= current.lastUsedAtNanos() + settings().idleNanos());
  }

  private boolean askForDemand(final long nowNanos) {
    if (slot().demandUnits() == 0) {
      // A refusal may ring after its demand was taken with an earlier one's; the next must ring
      // again.
      slot().rearm(LeaseSlot.REFUSED);
    }
    if (slot().demandUnits() == 0
        || nowNanos < demand.nextAskNanos()
        || recall.goesBefore(slot().demandUnits(), nowNanos)) {
      return false;
    }
    slot().rearm(LeaseSlot.REFUSED);
    final long units = slot().takeDemand();
    if (units == 0) {
      return false;
    }
    if (isServable(units)) {
      demand = demand.forgotten(nowNanos);
      return false;
    }
    if (!consolidate(units)) {
      commands().acquire(units);
    }
    return true;
  }

  /** Whether the current lease can serve this quote as it is: its request only has to come back. */
  private boolean isServable(final long units) {
    final LeaseBook current = books.current();
    return current != null && current.lease().freeUnits() >= units;
  }

  private boolean topUp(final long nowNanos) {
    if (!isUp(LeaseSlot.LOW_WATER)) {
      return false;
    }
    slot().rearm(LeaseSlot.LOW_WATER);
    if (books.current() == null || lastGrantWasShort || recall.isForeign(nowNanos)) {
      // The ledger gave what it had, or others need what it has: wait for a request that does.
      return false;
    }
    commands().acquire(0);
    return true;
  }

  private boolean replaceEnding(final long nowNanos) {
    final LeaseBook current = books.current();
    if (current == null || nowNanos < books.replaceAtNanos(current)) {
      return false;
    }
    if (current.foldsRefused()) {
      commands().renew(current);
    } else if (!consolidate(0)) {
      books.displaceCurrent(nowNanos);
      soon();
    }
    return true;
  }

  private boolean acquireWanted(final long nowNanos) {
    if (recall.goesBeforeWishes(nowNanos)) {
      // Others have requests for what this would only keep.
      return false;
    }
    final boolean acquires = wanted && books.current() == null;
    wanted = false;
    if (acquires) {
      commands().acquire(0);
    }
    return acquires;
  }

  /** Asks whether new funding has come for a quote that evidence ruled out (R55). */
  private boolean poll(final long nowNanos) {
    if (slot().hopelessUnits() == 0) {
      slot().rearm(LeaseSlot.HOPELESS);
    }
    if (slot().hopelessUnits() == 0
        || nowNanos < demand.nextPollNanos()
        || recall.goesBefore(slot().hopelessUnits(), nowNanos)) {
      return false;
    }
    slot().rearm(LeaseSlot.HOPELESS);
    final long units = slot().takeHopelessDemand();
    if (units == 0 || isServable(units)) {
      return false;
    }
    commands().acquire(units);
    return true;
  }

  private boolean consolidate(final long demandUnits) {
    final LeaseBook current = books.current();
    if (current == null || current.foldsRefused()) {
      return false;
    }
    final long freeUnits = current.lease().drain();
    if (freeUnits == 0) {
      return false;
    }
    commands().consolidate(current, freeUnits, demandUnits);
    return true;
  }

  private boolean windDown(final long nowNanos) {
    for (final LeaseBook book : books.displaced()) {
      book.collect();
      if (book.isAccountedFor()) {
        commands().release(book);
        return true;
      }
      if (nowNanos >= books.replaceAtNanos(book)) {
        commands().renew(book);
        return true;
      }
      if (book.returningUnits() > 0 && nowNanos >= returnAtNanos(book, nowNanos)) {
        commands().giveBack(book);
        return true;
      }
    }
    return false;
  }

  private long returnAtNanos(final LeaseBook book, final long nowNanos) {
    final boolean wanted =
        mode == Mode.RELEASING
            || demand.isUnmet()
            || slot().demandUnits() > 0
            || recall.isForeign(nowNanos);
    return wanted ? nowNanos : book.displacedAtNanos() + RETURN_PATIENCE_NANOS;
  }

  // Recalls (R2)

  private void lookForRecall(final long nowNanos) {
    if (recall.isLooking() || nowNanos < nextLookNanos(nowNanos)) {
      return;
    }
    recall.look();
    context
        .ledgers()
        .recall(
            account.id(),
            seen -> {
              recall.looked(seen, nowNanos());
              soon();
            });
  }

  private long nextLookNanos(final long nowNanos) {
    final boolean looks =
        mode == Mode.RUNNING && (recall.isPressing(nowNanos) || books.current() != null);
    return looks ? recall.nextLookNanos(nowNanos) : Duty.NEVER;
  }

  // When to come back

  private long nextDueNanos(final long nowNanos) {
    final long due;
    if (pending != null) {
      due = pending.isUnderWay() ? Duty.NEVER : pending.retryAtNanos();
    } else if (faulted) {
      due = Duty.NEVER;
    } else {
      due = Math.max(quietUntilNanos, Math.min(nextHomeNanos(nowNanos), nextWish(nowNanos)));
    }
    return Math.max(due, nowNanos + SHORTEST_PAUSE_NANOS);
  }

  private long nextHomeNanos(final long nowNanos) {
    long due = books.nextDueNanos();
    for (final LeaseBook book : books.displaced()) {
      if (book.returningUnits() > 0) {
        due = Math.min(due, returnAtNanos(book, nowNanos));
      }
    }
    return due;
  }

  private long nextWish(final long nowNanos) {
    if (mode != Mode.RUNNING) {
      return Duty.NEVER;
    }
    long due = recall.isLooking() ? Duty.NEVER : nextLookNanos(nowNanos);
    if (slot().demandUnits() > 0 && !recall.goesBefore(slot().demandUnits(), nowNanos)) {
      due = Math.min(due, demand.nextAskNanos());
    }
    if (slot().hopelessUnits() > 0 && !recall.goesBefore(slot().hopelessUnits(), nowNanos)) {
      due = Math.min(due, demand.nextPollNanos());
    }
    if (demand.isUnmet()) {
      due = Math.min(due, demand.forgetAtNanos(settings()));
    }
    if (wanted) {
      due = Math.min(due, recall.standsUntilNanos(nowNanos));
      due = Math.min(due, recall.pressesAtNanos(nowNanos));
    }
    final LeaseBook current = books.current();
    if (current != null && recall.isForeign(nowNanos)) {
      due = Math.min(due, current.lastUsedAtNanos() + settings().idleNanos());
      due = Math.min(due, recall.pressesAtNanos(nowNanos));
    }
    if (current != null && demand.isUnmet() && current.lease().freeUnits() > 0) {
      due = Math.min(due, demand.holdUntilNanos());
    }
    return due;
  }

  private LeaseCommands commands() {
    return new LeaseCommands(this);
  }

  @Override
  void changed() {
    managed.changed();
  }

  private boolean isUp(final int bell) {
    return (slot().bells() & bell) != 0;
  }

  private void soon() {
    context.loop().callOn(this, nowNanos());
  }
}
