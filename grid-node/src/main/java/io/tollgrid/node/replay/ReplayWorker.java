package io.tollgrid.node.replay;

import io.tollgrid.admission.denial.Denial;
import io.tollgrid.admission.plan.Operation;
import io.tollgrid.admission.request.AdmissionRequest;
import io.tollgrid.client.ManagedAccount;
import io.tollgrid.ledger.port.LedgerClock;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntFunction;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * One instance of a replay: serves its rows in order, one at a time, as a service would that waits
 * for its refill.
 *
 * <p>Only a refusal that is final ends a row; any other is retried until the refill plane has
 * caught up. Owned by the thread that runs it.
 */
final class ReplayWorker implements Runnable {
  /** Nothing announces what other instances return, so a refused row looks again by itself. */
  private static final Duration LONGEST_WAIT = Duration.ofMillis(20);

  /**
   * Longest wait for one row's units; far beyond the time to live of a lease, which bounds what
   * others can hold.
   */
  private static final long STALLED_NANOS = TimeUnit.MINUTES.toNanos(3);

  private static final long LONGEST_DECISION_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final AdmissionRequest request;
  private final Operation completion;
  private final IntFunction<ManagedAccount> accountOf;
  private final LedgerClock clock;
  private final BlockingQueue<ReplayTask> tasks;
  private final BlockingQueue<RowResult> results;
  private final AtomicReference<@Nullable Throwable> failure;
  private final Histogram decisions = new Histogram(LONGEST_DECISION_NANOS, 3);

  /**
   * A worker.
   *
   * @param completion what every row asks for, one item per unit
   * @param accountOf the account of a rank
   * @param failure where the first failure of any worker is left
   */
  ReplayWorker(
      AdmissionRequest request,
      Operation completion,
      IntFunction<ManagedAccount> accountOf,
      LedgerClock clock,
      BlockingQueue<ReplayTask> tasks,
      BlockingQueue<RowResult> results,
      AtomicReference<@Nullable Throwable> failure) {
    this.request = request;
    this.completion = completion;
    this.accountOf = accountOf;
    this.clock = clock;
    this.tasks = tasks;
    this.results = results;
    this.failure = failure;
  }

  @Override
  public void run() {
    try (request) {
      for (ReplayTask task = tasks.take(); task.row() != null; task = tasks.take()) {
        results.put(serve(task.row(), task.rank()));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException | Error e) {
      failure.compareAndSet(null, e);
    }
  }

  /** How long decisions took on their first try; to be read when the worker has ended. */
  Histogram decisions() {
    return decisions;
  }

  private RowResult serve(TraceRow row, int rank) throws InterruptedException {
    final ManagedAccount account = accountOf.apply(rank);
    final Denial denial = admit(row, account);
    if (denial != null) {
      return new RowResult(row.index(), rank, denial, 0, 0);
    }
    if (row.missingUnits() > 0) {
      extend(row, account);
    }
    request.settle(row.actualUnits(), clock.nowNanos());
    return new RowResult(
        row.index(),
        rank,
        null,
        request.settledUnits() - request.unfundedUnits(),
        request.unfundedUnits());
  }

  private @Nullable Denial admit(TraceRow row, ManagedAccount account) throws InterruptedException {
    final long sinceNanos = clock.nowNanos();
    long seen = account.changes();
    Denial denial = tryOnce(account, row.quoteUnits(), sinceNanos);
    decisions.recordValue(
        Math.max(0, Math.min(clock.nowNanos() - sinceNanos, LONGEST_DECISION_NANOS)));
    while (denial != null && !denial.isFinal()) {
      awaitChange(row, account, seen, sinceNanos, denial);
      seen = account.changes();
      denial = tryOnce(account, row.quoteUnits(), clock.nowNanos());
    }
    return denial;
  }

  private @Nullable Denial tryOnce(ManagedAccount account, long units, long nowNanos) {
    final Denial closed = request.begin(account.id(), nowNanos);
    if (closed != null) {
      return closed;
    }
    final Denial refused = request.admit(completion, units, nowNanos);
    return refused != null ? refused : request.start(nowNanos);
  }

  /**
   * Reserves what the row exceeds its quote by; refused for good, the excess is settled as unfunded
   * (R9).
   */
  private void extend(TraceRow row, ManagedAccount account) throws InterruptedException {
    final long sinceNanos = clock.nowNanos();
    long seen = account.changes();
    Denial denial = request.extend(row.missingUnits(), sinceNanos);
    while (denial != null && !denial.isFinal()) {
      awaitChange(row, account, seen, sinceNanos, denial);
      seen = account.changes();
      denial = request.extend(row.missingUnits(), clock.nowNanos());
    }
  }

  private void awaitChange(
      TraceRow row, ManagedAccount account, long seen, long sinceNanos, Denial denial)
      throws InterruptedException {
    if (clock.nowNanos() - sinceNanos > STALLED_NANOS) {
      throw new IllegalStateException(
          "row "
              + row.index()
              + " has been refused as "
              + denial
              + " for "
              + TimeUnit.NANOSECONDS.toSeconds(STALLED_NANOS)
              + " s; its account's units are not coming back");
    }
    account.awaitChange(seen, LONGEST_WAIT);
  }
}
