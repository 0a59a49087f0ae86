package io.tollgrid.admission.request;

import io.tollgrid.admission.account.AccountRegistry;
import io.tollgrid.admission.account.AccountState;
import io.tollgrid.admission.concurrency.ExecutionCapacity;
import io.tollgrid.admission.lease.HeldLease;
import io.tollgrid.admission.outcome.DenialMinutes;
import io.tollgrid.admission.outcome.Outcome;
import io.tollgrid.admission.outcome.OutcomeCounters;
import io.tollgrid.admission.plan.Catalogue;
import io.tollgrid.admission.snapshot.MissedPrincipals;
import io.tollgrid.admission.snapshot.SnapshotMap;
import io.tollgrid.admission.snapshot.SnapshotMapLimits;
import io.tollgrid.ledger.AccountPolicy;
import io.tollgrid.ledger.AccountStatus;
import io.tollgrid.ledger.AccountTerms;
import io.tollgrid.ledger.CapacityClass;
import io.tollgrid.ledger.Id128;
import java.lang.ref.Cleaner;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The request path of one process: the principals and accounts it knows, the slots its usage waits
 * in, and the counters of what happened.
 *
 * <p>Usable without any grid: open an account, publish a plan and a snapshot, put a lease in the
 * account's slot, make a request. Safe to share; each {@link AdmissionRequest} belongs to one
 * worker at a time.
 */
public final class Admission {
  /** Reasons, principals and minutes that are kept until they are shipped. */
  private static final int DENIAL_ENTRIES = 4_096;

  private static final long FOR_EVER_NANOS = Long.MAX_VALUE;

  private final Catalogue catalogue = new Catalogue();
  private final AccountRegistry accounts = new AccountRegistry();
  private final SnapshotMap principals;
  private final MissedPrincipals missed;
  private final UsageQueue usage;
  private final OutcomeCounters counters;
  private final @Nullable ExecutionCapacity capacity;
  private final DenialMinutes denials = new DenialMinutes(DENIAL_ENTRIES);
  private final AtomicInteger requests = new AtomicInteger();
  private final Cleaner cleaner = Cleaner.create();
  private volatile boolean stopped;

  /** An admission without a limit on what runs at once in this process. */
  public Admission(final UsageQueue usage, final OutcomeCounters counters) {
    this(usage, counters, null, SnapshotMapLimits.DEFAULT, () -> {});
  }

  /**
   * An admission over these parts.
   *
   * @param capacity how much runs at once in this process, null for no limit
   * @param missBell called when a request asked for a principal that is not known; must neither
   *     block nor allocate
   */
  public Admission(
      final UsageQueue usage,
      final OutcomeCounters counters,
      final @Nullable ExecutionCapacity capacity,
      final SnapshotMapLimits limits,
      final Runnable missBell) {
    this.usage = usage;
    this.counters = counters;
    this.capacity = capacity;
    this.missed = new MissedPrincipals(missBell);
    this.principals = new SnapshotMap(catalogue, accounts, limits);
  }

  /**
   * A request object, to be reused for as long as its worker lives.
   *
   * @param seed 128 random bits of its own, from which its request ids are made
   */
  public AdmissionRequest newRequest(final Id128 seed) {
    return new AdmissionRequest(this, requests.getAndIncrement(), new RequestIds(seed));
  }

  /** Admits nothing any more; what was admitted may start, extend and settle. */
  public void stop() {
    stopped = true;
  }

  /** Whether {@link #stop} was called. */
  public boolean isStopped() {
    return stopped;
  }

  /**
   * Ends every request that is neither cancelled nor settled, for a process about to end: what did
   * not start is released, what did is charged as reserved (R21). Requests that are changing their
   * parts this very moment are left alone.
   *
   * @return how many were ended
   */
  public int sweepAbandoned() {
    final int[] swept = new int[1];
    usage.forEachSlot(slot -> swept[0] += abandon(slot, slot.word()) ? 1 : 0);
    return swept[0];
  }

  /**
   * Ends every request that has waited for its start for longer than its operation may run, and
   * every one that has surely run for longer: to be called now and then. Times count from the
   * admission; so a request is given twice its time before it counts as started for too long.
   *
   * @return how many were ended
   */
  public int sweepOverdue(final long nowNanos) {
    final int[] swept = new int[1];
    usage.forEachSlot(slot -> swept[0] += sweepOverdue(slot, nowNanos) ? 1 : 0);
    return swept[0];
  }

  private boolean sweepOverdue(final UsageSlot slot, final long nowNanos) {
    // The word is read first: if the slot is another request's meanwhile, nothing happens.
    final long use = slot.word();
    final long openNanos = nowNanos - slot.occurredAtNanos();
    final long longestNanos = slot.longestNanos();
    return switch (PhaseWord.phase(use)) {
      case PhaseWord.PENDING -> openNanos > longestNanos && release(slot, use);
      case PhaseWord.STARTED -> openNanos / 2 > longestNanos && settle(slot, use);
      default -> false;
    };
  }

  /** Ends one use of a slot, if it is open: released before start, charged as reserved after it. */
  boolean abandon(final UsageSlot slot, final long use) {
    return release(slot, use) || settle(slot, use);
  }

  private boolean release(final UsageSlot slot, final long use) {
    if (!slot.tryRelease(use)) {
      return false;
    }
    released(slot, Outcome.ABANDONED_BEFORE_START, slot.index());
    return true;
  }

  private boolean settle(final UsageSlot slot, final long use) {
    if (!slot.trySettle(use)) {
      return false;
    }
    counters.count(slot.index(), Outcome.ABANDONED_AFTER_START);
    final Occupancy leaving = new Occupancy();
    leaving.takeOver(slot.occupancy());
    try {
      usage.record(slot);
    } finally {
      leaving.leave();
    }
    return true;
  }

  /** Gives back all that a request holds which the caller released, and counts what it came to. */
  void released(final UsageSlot slot, final Outcome outcome, final int stripe) {
    try {
      slot.giveBackAll(stripe);
    } finally {
      slot.occupancy().leave();
      usage.giveBack(slot);
      counters.count(stripe, outcome);
    }
  }

  Cleaner.Cleanable clean(final AdmissionRequest request, final OpenRequest open) {
    return cleaner.register(request, open);
  }

  /** The names of operations, routes and meters. */
  public Catalogue catalogue() {
    return catalogue;
  }

  /** The accounts it knows. */
  public AccountRegistry accounts() {
    return accounts;
  }

  /** The principals it knows. */
  public SnapshotMap principals() {
    return principals;
  }

  /** The principals that requests asked for in vain. */
  public MissedPrincipals missed() {
    return missed;
  }

  /** The slots its usage waits in. */
  public UsageQueue usage() {
    return usage;
  }

  /** The counters. */
  public OutcomeCounters counters() {
    return counters;
  }

  /** Who was denied what, by the minute. */
  public DenialMinutes denials() {
    return denials;
  }

  /**
   * Opens an account that pays from a fixed number of units, without a ledger and without a refill:
   * for services that run alone, and for tests.
   *
   * @param units what it may spend, 0 or more
   */
  public AccountState openPrepaid(final Id128 account, final AccountTerms terms, final long units) {
    final AccountState opened =
        accounts.open(
            account,
            new AccountPolicy(1, AccountStatus.ACTIVE, CapacityClass.BEST_EFFORT, terms, false),
            () -> {});
    final var displaced =
        opened.leases().replace(new HeldLease(account, 1, units, FOR_EVER_NANOS, 0, 0));
    assert displaced == null : displaced;
    return opened;
  }

  /** How much may run at once in this process, or null if that is not limited. */
  @Nullable ExecutionCapacity capacity() {
    return capacity;
  }
}
