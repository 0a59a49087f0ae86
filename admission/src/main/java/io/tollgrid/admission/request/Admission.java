package io.tollgrid.admission.request;

import io.tollgrid.admission.account.AccountRegistry;
import io.tollgrid.admission.outcome.Outcome;
import io.tollgrid.admission.outcome.OutcomeCounters;
import io.tollgrid.ledger.Id128;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The request path of one process: the accounts it knows, the slots its usage waits in, and the
 * counters of what happened.
 *
 * <p>Usable without any grid: open an account, put a lease in its slot, make a request. Safe to
 * share; each {@link AdmissionRequest} belongs to one worker at a time.
 */
public final class Admission {
  private final AccountRegistry accounts;
  private final UsageQueue usage;
  private final OutcomeCounters counters;
  private final AtomicInteger requests = new AtomicInteger();
  private volatile boolean stopped;

  /** An admission over these parts. */
  public Admission(
      final AccountRegistry accounts, final UsageQueue usage, final OutcomeCounters counters) {
    this.accounts = accounts;
    this.usage = usage;
    this.counters = counters;
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
    usage.forEachSlot(
        slot -> {
          final long use = slot.word();
          if (slot.tryRelease(use)) {
            slot.giveBackAll();
            usage.giveBack(slot);
            counters.count(swept[0]++, Outcome.ABANDONED_BEFORE_START);
          } else if (slot.trySettle(use)) {
            usage.record(slot);
            counters.count(swept[0]++, Outcome.ABANDONED_AFTER_START);
          }
        });
    return swept[0];
  }

  /** The accounts it knows. */
  public AccountRegistry accounts() {
    return accounts;
  }

  /** The slots its usage waits in. */
  public UsageQueue usage() {
    return usage;
  }

  /** The counters. */
  public OutcomeCounters counters() {
    return counters;
  }
}
