package io.tollgrid.client;

import io.tollgrid.admission.account.AccountState;
import io.tollgrid.admission.lease.LeaseSlot;
import org.jspecify.annotations.Nullable;

/**
 * What a lease manager knows of its account. Confined to the instance's thread, except for {@link
 * #shown}.
 *
 * <p>{@link LeaseManager} decides from it what to send, {@link LeaseCommands} sends, {@link
 * LeaseAnswers} writes down what came of it. There is one for each account, so it is kept small: a
 * part that has nothing to say is a shared value or null.
 */
abstract class RefillState extends InstanceLoop.Ringer {
  /** What a manager is up to. */
  enum Mode {
    /** Leases are acquired as requests need them. */
    RUNNING,
    /** Nothing is acquired any more; what is held stays usable. */
    PAUSED,
    /** Everything goes home. */
    RELEASING
  }

  final AccountState account;
  final InstanceContext context;
  final LeaseBooks books = new LeaseBooks(this);
  final GrantSizing sizing = new GrantSizing();
  final RecallWatch recall;
  final ShownBalance shown = new ShownBalance();
  Demand demand = Demand.NONE;

  /** The command that is under way or parked; no other can be sent meanwhile. */
  @Nullable PendingCommand pending;

  Mode mode = Mode.RUNNING;

  /** An accounting-integrity fault: nothing is sent any more (R36). */
  boolean faulted;

  /** The ledger gave less than was wanted: it has no more to give for now. */
  boolean lastGrantWasShort;

  /** Commands in a row that failed. */
  int failures;

  /** Until when nothing is sent, because the last command failed. */
  long quietUntilNanos;

  RefillState(final AccountState account, final InstanceContext context) {
    this.account = account;
    this.context = context;
    this.recall = new RecallWatch(context);
  }

  /** Requests that were refused may fare better, or may be told for good. */
  abstract void changed();

  /** Does what an answer brings about. */
  abstract void survive(Runnable step);

  LeaseSlot slot() {
    return account.leases();
  }

  LeaseSettings settings() {
    return context.settings().leases();
  }

  long nowNanos() {
    return context.loop().nowNanos();
  }

  /** Sends nothing for a while, longer each time in a row. */
  void quiet() {
    quietUntilNanos =
        nowNanos()
            + Backoff.nanos(
                settings().firstBackoffNanos(),
                settings().backstopNanos(),
                failures++,
                context.random());
  }

  /** Stops the instance: its books and the ledger's disagree (R36). */
  void fault(final String what) {
    faulted = true;
    books.displaceCurrent(nowNanos());
    context.faults().integrityFault(account.id(), what);
    changed();
  }
}
