package io.tollgrid.client;

import io.tollgrid.admission.account.AccountState;
import io.tollgrid.admission.lease.LeaseSlot;

/**
 * What the parts of one lease manager know together. Confined to the instance's thread.
 *
 * <p>{@link LeaseManager} decides from it what to send, {@link LeaseCommands} sends, {@link
 * LeaseAnswers} writes down what came of it.
 */
final class RefillState {
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
  final LeaseSlot slot;
  final InstanceContext context;
  final LeaseSettings settings;
  final LeaseBooks books;
  final GrantSizing sizing;
  final Demand demand;
  final RecallWatch recall;
  final ShownBalance shown = new ShownBalance();

  /** Called when requests that were refused may fare better, or may be told for good. */
  final Runnable onChange;

  Mode mode = Mode.RUNNING;

  /** An accounting-integrity fault: nothing is sent any more (R36). */
  boolean faulted;

  /** The ledger gave less than was wanted: it has no more to give for now. */
  boolean lastGrantWasShort;

  /** Commands in a row that failed. */
  int failures;

  /** Until when nothing is sent, because the last command failed. */
  long quietUntilNanos;

  RefillState(final AccountState account, final InstanceContext context, final Runnable onChange) {
    this.account = account;
    this.slot = account.leases();
    this.context = context;
    this.settings = context.settings().leases();
    this.onChange = onChange;
    this.books = new LeaseBooks(slot, settings);
    this.sizing = new GrantSizing(settings);
    this.demand = new Demand(settings, context.random());
    this.recall = new RecallWatch(context.holder(), settings);
  }

  long nowNanos() {
    return context.loop().nowNanos();
  }

  /** Sends nothing for a while, longer each time in a row. */
  void quiet() {
    quietUntilNanos =
        nowNanos()
            + Backoff.nanos(
                settings.firstBackoffNanos(),
                settings.backstopNanos(),
                failures++,
                context.random());
  }

  /** Stops the instance: its books and the ledger's disagree (R36). */
  void fault(final String what) {
    faulted = true;
    books.displaceCurrent(nowNanos());
    context.faults().integrityFault(account.id(), what);
    onChange.run();
  }
}
