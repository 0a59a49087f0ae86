package io.tollgrid.node.replay;

import io.tollgrid.admission.denial.Denial;
import io.tollgrid.client.InstanceRuntime;
import io.tollgrid.client.InstanceSettings;
import io.tollgrid.client.ShutdownReport;
import io.tollgrid.grid.LedgerClient;
import io.tollgrid.ledger.AccountTerms;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.port.IdSource;
import io.tollgrid.ledger.port.LedgerClock;
import io.tollgrid.node.TollgridNode;
import io.tollgrid.node.local.AccountBooks;
import io.tollgrid.node.local.Fleet;
import io.tollgrid.node.local.Founder;
import io.tollgrid.node.local.TokenPlan;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * Serves a recorded trace through instances on a node's grid and settles the accounts.
 *
 * <p>One thread reads the trace and deals its rows out in turn; each instance serves its own in
 * order; the caller's thread takes the results back in the order of the rows. All queues are
 * bounded, so a million rows need no more memory than a thousand.
 */
public final class Replay {
  private static final int QUEUED_ROWS = 1_024;
  private static final long POLL_MILLIS = 100;
  private static final double NANOS_PER_SECOND = 1e9;

  private final TollgridNode node;
  private final LedgerClock clock;
  private final IdSource ids;
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

  /** A replay on this node. */
  public Replay(TollgridNode node, LedgerClock clock, IdSource ids) {
    this.node = node;
    this.clock = clock;
    this.ids = ids;
  }

  /**
   * Runs a plan to its end. The trace is checked as a whole before anything is changed.
   *
   * @param progress told from time to time how many rows are done
   * @throws TraceException if the trace cannot be replayed; nothing was changed
   * @throws IOException if the decisions cannot be written
   */
  public ReplayReport run(ReplayPlan plan, LongConsumer progress)
      throws TraceException, IOException, SQLException, InterruptedException {
    final AccountDraw draw = new AccountDraw(plan.seed(), plan.accounts());
    final TraceFile trace = new TraceFile(plan.trace());
    final long rows = trace.check();
    final Id128[] accounts = found(plan, draw, rows);
    final ReplayTotals totals = new ReplayTotals();
    final Histogram decisions;
    final long beganNanos = clock.nowNanos();
    try (Fleet fleet = new Fleet(node, plan.instances(), clock, ids, InstanceSettings.DEFAULTS)) {
      decisions = serve(plan, trace, draw, accounts, fleet, totals, progress);
      requireClean(fleet.shutdown());
    }
    final long elapsedNanos = clock.nowNanos() - beganNanos;
    return report(totals, books(accounts), decisions, elapsedNanos / NANOS_PER_SECOND);
  }

  /** Creates and funds the accounts that the trace's rows belong to; index is the rank. */
  private Id128[] found(ReplayPlan plan, AccountDraw draw, long rows) throws InterruptedException {
    final BitSet ranks = new BitSet(plan.accounts() + 1);
    for (long row = 0; row < rows; row++) {
      ranks.set(draw.rankOf(row));
    }
    final Id128[] accounts = new Id128[plan.accounts() + 1];
    final List<CompletableFuture<Void>> founded = new ArrayList<>();
    try (LedgerClient operator = node.newLedgerClient("replay")) {
      final Founder founder = new Founder(operator, ids);
      for (int rank = ranks.nextSetBit(0); rank >= 0; rank = ranks.nextSetBit(rank + 1)) {
        accounts[rank] = ids.randomId();
        founded.add(founder.found(accounts[rank], AccountTerms.STRICT, plan.allowanceUnits()));
      }
      CompletableFuture.allOf(founded.toArray(CompletableFuture[]::new)).join();
    } catch (CompletionException e) {
      throw new IllegalStateException("the accounts could not be created and funded", e);
    }
    return accounts;
  }

  private Histogram serve(
      ReplayPlan plan,
      TraceFile trace,
      AccountDraw draw,
      Id128[] accounts,
      Fleet fleet,
      ReplayTotals totals,
      LongConsumer progress)
      throws TraceException, IOException, InterruptedException {
    final List<Thread> threads = new ArrayList<>();
    final List<ReplayWorker> workers = new ArrayList<>();
    final List<BlockingQueue<ReplayTask>> tasks = new ArrayList<>();
    final List<BlockingQueue<RowResult>> results = new ArrayList<>();
    for (final InstanceRuntime instance : fleet.instances()) {
      final TokenPlan tokens = new TokenPlan(instance);
      for (final Id128 account : accounts) {
        if (account != null) {
          instance.account(account);
          tokens.admit(account);
        }
      }
      tasks.add(new ArrayBlockingQueue<>(QUEUED_ROWS));
      results.add(new ArrayBlockingQueue<>(QUEUED_ROWS));
      final int last = tasks.size() - 1;
      final ReplayWorker worker =
          new ReplayWorker(
              instance.newRequest(),
              tokens.completion(),
              rank -> instance.account(accounts[rank]),
              clock,
              tasks.get(last),
              results.get(last),
              failure);
      workers.add(worker);
      threads.add(new Thread(worker, "tollgrid-replay-" + last));
    }
    threads.add(new Thread(() -> deal(plan, trace, draw, tasks), "tollgrid-replay-trace"));
    threads.forEach(thread -> thread.setDaemon(true));
    threads.forEach(Thread::start);
    try {
      collect(plan, trace, results, totals, progress);
    } finally {
      threads.forEach(Thread::interrupt);
      for (final Thread thread : threads) {
        thread.join();
      }
    }
    final Histogram decisions = new Histogram(3);
    workers.forEach(worker -> decisions.add(worker.decisions()));
    return decisions;
  }

  /** Reads the trace once more and deals its rows out in turn. */
  private void deal(
      ReplayPlan plan, TraceFile trace, AccountDraw draw, List<BlockingQueue<ReplayTask>> tasks) {
    try (TraceFile.Reader reader = trace.open()) {
      final long beganNanos = clock.nowNanos();
      long firstArrivalNanos = 0;
      for (TraceRow row = reader.next(); row != null; row = reader.next()) {
        if (row.index() == 0) {
          firstArrivalNanos = row.arrivedNanos();
        }
        if (plan.realPace()) {
          awaitInstant(beganNanos + row.arrivedNanos() - firstArrivalNanos);
        }
        tasks
            .get((int) (row.index() % tasks.size()))
            .put(new ReplayTask(row, draw.rankOf(row.index())));
      }
      for (final BlockingQueue<ReplayTask> queue : tasks) {
        queue.put(ReplayTask.END);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (TraceException | RuntimeException e) {
      failure.compareAndSet(null, e);
    }
  }

  private void awaitInstant(long nanos) throws InterruptedException {
    for (long early = nanos - clock.nowNanos(); early > 0; early = nanos - clock.nowNanos()) {
      LockSupport.parkNanos(early);
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
    }
  }

  private void collect(
      ReplayPlan plan,
      TraceFile trace,
      List<BlockingQueue<RowResult>> results,
      ReplayTotals totals,
      LongConsumer progress)
      throws TraceException, IOException, InterruptedException {
    final SequentialOracle oracle =
        plan.instances() == 1 ? new SequentialOracle(plan.allowanceUnits()) : null;
    try (Writer decisions =
            plan.decisions() == null
                ? Writer.nullWriter()
                : new BufferedWriter(
                    Files.newBufferedWriter(plan.decisions(), StandardCharsets.UTF_8));
        TraceFile.Reader reader = trace.open()) {
      for (TraceRow row = reader.next(); row != null; row = reader.next()) {
        final RowResult result = next(results.get((int) (row.index() % results.size())));
        if (oracle != null && !oracle.agrees(row, result)) {
          throw new IllegalStateException(
              "row "
                  + row.index()
                  + " was decided as "
                  + result
                  + ", one account after the other says otherwise");
        }
        totals.add(result);
        decisions.write(result.toLine() + "\n");
        progress.accept(totals.requests());
      }
    }
  }

  /** The next result of one instance; a failure anywhere ends the wait. */
  private RowResult next(BlockingQueue<RowResult> results) throws InterruptedException {
    while (true) {
      final RowResult result = results.poll(POLL_MILLIS, TimeUnit.MILLISECONDS);
      if (result != null) {
        return result;
      }
      final Throwable failed = failure.get();
      if (failed != null) {
        throw new IllegalStateException("the replay stopped: " + failed.getMessage(), failed);
      }
    }
  }

  private static void requireClean(List<ShutdownReport> reports) {
    for (final ShutdownReport report : reports) {
      if (!report.isClean()) {
        throw new IllegalStateException("an instance left something behind: " + report);
      }
    }
  }

  private AccountBooks books(Id128[] accounts) throws SQLException {
    final List<Id128> used = new ArrayList<>();
    for (final Id128 account : accounts) {
      if (account != null) {
        used.add(account);
      }
    }
    return AccountBooks.read(node.database(), used);
  }

  private static ReplayReport report(
      ReplayTotals totals, AccountBooks books, Histogram decisions, double elapsedSeconds) {
    if (books.billed() != totals.billedUnits() || books.unfunded() != totals.unfundedUnits()) {
      throw new IllegalStateException(
          "the ledger billed "
              + books.billed()
              + " and left "
              + books.unfunded()
              + " unfunded, the requests came to "
              + totals.billedUnits()
              + " and "
              + totals.unfundedUnits());
    }
    final Map<String, Long> denied = new TreeMap<>();
    for (final Map.Entry<Denial, Long> entry : totals.denied().entrySet()) {
      denied.put(entry.getKey().label(), entry.getValue());
    }
    return new ReplayReport(
        totals.requests(),
        totals.admitted(),
        denied,
        new ReplayReport.Units(
            books.deposited(),
            books.billed(),
            books.outstanding(),
            books.loss(),
            books.expired(),
            books.balance(),
            books.unfunded()),
        books.overspent(),
        books.exact() ? ReplayReport.EXACT : books.gap().toPlainString(),
        new ReplayReport.DecisionNanos(
            decisions.getValueAtPercentile(50), decisions.getValueAtPercentile(99)),
        elapsedSeconds);
  }
}
