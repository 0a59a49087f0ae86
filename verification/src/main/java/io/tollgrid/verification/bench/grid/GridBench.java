package io.tollgrid.verification.bench.grid;

import io.tollgrid.ledger.Id128;
import io.tollgrid.node.local.LocalSystem;
import io.tollgrid.verification.bench.Figure;
import io.tollgrid.verification.bench.Figures;
import io.tollgrid.verification.bench.ledger.AccountPick;
import io.tollgrid.verification.bench.ledger.GridSide;
import io.tollgrid.verification.bench.ledger.Stopwatch;
import java.io.PrintWriter;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;

/**
 * P4: one decision, and decisions a second with every event on record, against Bucket4j on the same
 * grid; round by round, a round's ratio is of that round alone, and the figure is the median.
 *
 * <p>Both sides run beside the grid's one member, in its process. Bucket4j makes its decision in an
 * entry processor and stores nothing durable; the product decides against a lease, and what it
 * served counts once PostgreSQL has it.
 */
public final class GridBench {
  private static final double GOAL_ONE = 1.0 / 1_000;
  private static final double GOAL_MANY = 4;
  private static final int DECISIONS = 200_000;
  private static final List<Integer> THREADS = List.of(2, 8, 32);
  private static final int SHORT_SHARE = 10;
  private static final long LEASE_UNITS = 1L << 20;
  private static final long REFUSED_PAUSE_NANOS = TimeUnit.MICROSECONDS.toNanos(200);
  private static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final int accounts;
  private final int rounds;
  private final Duration window;
  private final PrintWriter progress;

  /**
   * A bench.
   *
   * @param window how long decisions are made in each round, by each side
   */
  public GridBench(int accounts, int rounds, Duration window, PrintWriter progress) {
    this.accounts = accounts;
    this.rounds = rounds;
    this.window = window;
    this.progress = progress;
  }

  /** Runs everything in a throw-away system. */
  public Map<String, Figure> run() throws InterruptedException, SQLException {
    try (LocalSystem system = LocalSystem.throwAway();
        GridSide ledgers = new GridSide(system.node(), LEASE_UNITS)) {
      final List<Id128> ids = ledgers.accounts(accounts);
      try (AdmissionSide ours = new AdmissionSide(system.node(), ids)) {
        final BucketSide theirs = new BucketSide(system.node().hazelcast(), ids);
        final Map<String, Figure> figures = new LinkedHashMap<>();
        figures.put("P4a", one(ours, theirs));
        figures.put("P4b", many(ours, theirs));
        return figures;
      }
    }
  }

  private Figure one(Side ours, Side theirs) {
    final List<Double> ratios = new ArrayList<>();
    final List<Double> oursNanos = new ArrayList<>();
    final List<Double> theirsNanos = new ArrayList<>();
    // The first round of each finds its accounts unknown and its code cold.
    medianNanos(ours);
    medianNanos(theirs);
    for (int round = 0; round < rounds; round++) {
      oursNanos.add((double) medianNanos(ours));
      theirsNanos.add((double) medianNanos(theirs));
      ratios.add(oursNanos.get(round) / theirsNanos.get(round));
      progress.printf(
          "bench: one decision, round %d: %.0f ns against %.0f ns%n",
          round + 1, oursNanos.get(round), theirsNanos.get(round));
    }
    final double value = Figures.median(ratios);
    final Map<String, Object> detail = new LinkedHashMap<>();
    detail.put("accounts", accounts);
    detail.put("medianNanos", oursNanos);
    detail.put("bucket4jMedianNanos", theirsNanos);
    detail.put("ratios", ratios);
    return new Figure(value, GOAL_ONE, value <= GOAL_ONE, detail);
  }

  /** The median of single decisions by one caller, each taken back. */
  private long medianNanos(Side side) {
    final Side.Caller caller = side.caller();
    final AccountPick pick = AccountPick.uniform(accounts, 1);
    final Histogram nanos = new Histogram(LONGEST_NANOS, 3);
    int admitted = 0;
    while (admitted < DECISIONS) {
      final int account = pick.next();
      final long from = System.nanoTime();
      final boolean isAdmitted = caller.decide(account);
      final long took = System.nanoTime() - from;
      if (isAdmitted) {
        caller.undo();
        nanos.recordValue(Math.min(took, LONGEST_NANOS));
        admitted++;
      } else {
        LockSupport.parkNanos(REFUSED_PAUSE_NANOS);
      }
    }
    return nanos.getValueAtPercentile(50);
  }

  private Figure many(Side ours, Side theirs) throws InterruptedException {
    final Duration brief = window.dividedBy(SHORT_SHARE);
    final int ourThreads = best(ours, brief);
    final int theirThreads = best(theirs, brief);
    final List<Double> ratios = new ArrayList<>();
    final List<Double> oursPerSecond = new ArrayList<>();
    final List<Double> theirsPerSecond = new ArrayList<>();
    final List<Long> lag = new ArrayList<>();
    for (int round = 0; round < rounds; round++) {
      oursPerSecond.add(perSecond(ours, ourThreads, window));
      lag.add(ours.unrecorded());
      theirsPerSecond.add(perSecond(theirs, theirThreads, window));
      ratios.add(oursPerSecond.get(round) / theirsPerSecond.get(round));
      progress.printf(
          "bench: round %d: %.0f on record a second, Bucket4j %.0f decisions a second, ratio %.2f%n",
          round + 1, oursPerSecond.get(round), theirsPerSecond.get(round), ratios.get(round));
    }
    final double value = Figures.median(ratios);
    final Map<String, Object> detail = new LinkedHashMap<>();
    detail.put("accounts", accounts);
    detail.put("threads", ourThreads);
    detail.put("bucket4jThreads", theirThreads);
    detail.put("recordedPerSecond", oursPerSecond);
    detail.put("bucket4jPerSecond", theirsPerSecond);
    detail.put("unrecordedAtTheEnd", lag);
    detail.put("ratios", ratios);
    return new Figure(value, GOAL_MANY, value >= GOAL_MANY, detail);
  }

  private int best(Side side, Duration brief) throws InterruptedException {
    int best = THREADS.get(0);
    double most = 0;
    for (final int threads : THREADS) {
      final double rate = perSecond(side, threads, brief);
      progress.printf("bench: %s with %d threads: %.0f a second%n", side.name(), threads, rate);
      if (rate > most) {
        most = rate;
        best = threads;
      }
    }
    return best;
  }

  /** What a side served and has on record, a second; what is still under way does not count. */
  private double perSecond(Side side, int threads, Duration length) throws InterruptedException {
    final LongAdder served = new LongAdder();
    final long unrecordedBefore = side.unrecorded();
    final Stopwatch watch = Stopwatch.start();
    final List<Thread> callers = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      final AccountPick pick = AccountPick.uniform(accounts, i);
      final Thread caller =
          new Thread(
              () -> {
                final Side.Caller requests = side.caller();
                while (watch.elapsedNanos() < length.toNanos()) {
                  if (requests.serve(pick.next())) {
                    served.increment();
                  } else {
                    LockSupport.parkNanos(REFUSED_PAUSE_NANOS);
                  }
                }
              },
              "bench-caller-" + i);
      callers.add(caller);
      caller.start();
    }
    for (final Thread caller : callers) {
      caller.join();
    }
    final double seconds = watch.elapsedSeconds();
    return (served.sum() + unrecordedBefore - side.unrecorded()) / seconds;
  }
}
