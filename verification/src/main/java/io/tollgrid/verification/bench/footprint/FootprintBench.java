package io.tollgrid.verification.bench.footprint;

import io.tollgrid.client.Instance;
import io.tollgrid.client.InstanceGrid;
import io.tollgrid.client.InstanceRuntime;
import io.tollgrid.client.InstanceSettings;
import io.tollgrid.client.ShutdownReport;
import io.tollgrid.grid.ChangeFeed;
import io.tollgrid.grid.RandomIds;
import io.tollgrid.grid.SystemClock;
import io.tollgrid.grid.usage.LocalUsageInbox;
import io.tollgrid.ledger.port.LedgerClock;
import io.tollgrid.verification.bench.Figure;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.lang.ref.Reference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * P9: heap of an instance for each of its principals, two to an account, when each was served once;
 * its threads; and what it sends when nobody asks for anything.
 *
 * <p>Heap is what is gone after the instance is: everything reachable in the process with it, less
 * everything without it, each after full collections. Policies and ledgers are there both times,
 * and share no object with it.
 */
public final class FootprintBench {
  private static final double BYTES_GOAL = 600;
  private static final int LARGEST_SHOWN = 40;
  private static final int WARM_UP_ACCOUNTS = 100;
  private static final Duration HOLDING = Duration.ofSeconds(10);
  private static final Duration QUIET = Duration.ofMinutes(2);
  private static final Duration RETIREMENT = Duration.ofMinutes(4);
  private static final long FEW_LEASES = 8;
  private static final Duration LONGEST_SHUTDOWN = Duration.ofMinutes(1);
  private static final long LOOK_MILLIS = 10;
  private static final double NANOS_PER_SECOND = 1e9;

  private final int accounts;
  private final PrintWriter progress;

  /** A bench over this many accounts, and twice as many principals. */
  public FootprintBench(int accounts, PrintWriter progress) {
    this.accounts = accounts;
    this.progress = progress;
  }

  /** Runs everything. */
  public Map<String, Figure> run() throws InterruptedException {
    say("warming up");
    touched(new VirtualGrid(WARM_UP_ACCOUNTS));
    idle(new VirtualGrid(WARM_UP_ACCOUNTS));
    final Map<String, Figure> figures = new LinkedHashMap<>();
    say("counting the heap");
    figures.put("P9", heap());
    say("counting threads");
    figures.put("P9-threads", threads());
    say("letting it idle");
    figures.put("P9-idle", idle(new VirtualGrid(accounts)));
    return figures;
  }

  // Heap

  private Figure heap() throws InterruptedException {
    final HeapCensus untouched = untouched();
    final VirtualGrid grid = new VirtualGrid(accounts);
    final HeapCensus own = own(touched(grid));
    final int principals = grid.authority().principals();
    final double value = perPrincipal(own.bytes());
    final Map<String, Object> detail = new LinkedHashMap<>();
    detail.put("principals", principals);
    detail.put("accounts", accounts);
    detail.put("bytes", own.bytes());
    detail.put("bytesBeforeAnybody", untouched.bytes());
    detail.put("bytesEachMore", perPrincipal(own.bytes() - untouched.bytes()));
    detail.put("largest", table(own));
    return new Figure(value, BYTES_GOAL, value <= BYTES_GOAL, detail);
  }

  /** What an instance keeps that nobody has asked for anything. */
  private static HeapCensus untouched() throws InterruptedException {
    final VirtualGrid grid = new VirtualGrid(0);
    return own(touched(grid));
  }

  /** What one instance keeps that is gone now, of everything there was with it. */
  private static HeapCensus own(HeapCensus with) throws InterruptedException {
    final HeapCensus own = with.minus(HeapCensus.take());
    if (own.instancesOf(Instance.class) != 1) {
      throw new IllegalStateException(
          "the difference is of " + own.instancesOf(Instance.class) + " instances, not of one");
    }
    return own;
  }

  /** Everything in the process while an instance has just served everybody. */
  private static HeapCensus touched(VirtualGrid grid) throws InterruptedException {
    final VirtualInstance driven = new VirtualInstance(grid);
    driven.touchAll();
    return with(driven);
  }

  private static HeapCensus with(VirtualInstance driven) throws InterruptedException {
    try {
      return HeapCensus.take();
    } finally {
      Reference.reachabilityFence(driven);
    }
  }

  private double perPrincipal(long bytes) {
    return (double) bytes / Authority.principals(accounts);
  }

  private List<Map<String, Object>> table(HeapCensus census) {
    final List<Map<String, Object>> table = new ArrayList<>();
    census
        .largest(LARGEST_SHOWN)
        .forEach(
            (name, row) -> {
              final Map<String, Object> line = new LinkedHashMap<>();
              line.put("class", name);
              line.put("instances", row.instances());
              line.put("perPrincipal", perPrincipal(row.bytes()));
              table.add(line);
            });
    return table;
  }

  // Threads

  /** An instance with its own thread, in the machine's time. */
  private Figure threads() throws InterruptedException {
    final LedgerClock clock = new SystemClock();
    final MemoryLedgers ledgers = new MemoryLedgers(clock);
    VirtualGrid.fund(ledgers, accounts);
    final Authority authority = new Authority(accounts);
    try (InstanceRuntime runtime =
        InstanceRuntime.start(
            new InstanceGrid(
                ledgers, authority, ChangeFeed.silent(), new LocalUsageInbox(ledgers, clock)),
            clock,
            new RandomIds(),
            InstanceSettings.DEFAULTS)) {
      while (runtime.instance().admission().principals().activePrincipals()
          < authority.principals()) {
        Thread.sleep(LOOK_MILLIS);
      }
      final int before = liveThreads();
      final Requests requests = new Requests(runtime.instance());
      for (int principal = 0; principal < authority.principals(); principal++) {
        while (!requests.serve(principal, clock.nowNanos())) {
          Thread.onSpinWait();
        }
      }
      if (!runtime.flush(LONGEST_SHUTDOWN)) {
        throw new IllegalStateException("usage was not recorded within " + LONGEST_SHUTDOWN);
      }
      final int more = liveThreads() - before;
      final ShutdownReport report = runtime.shutdown(LONGEST_SHUTDOWN);
      final Map<String, Object> detail = new LinkedHashMap<>();
      detail.put("before", before);
      detail.put("cleanShutdown", report.isClean());
      return new Figure(more, 0, more <= 0, detail);
    }
  }

  private static int liveThreads() {
    return ManagementFactory.getThreadMXBean().getThreadCount();
  }

  // Idle

  private Figure idle(VirtualGrid grid) throws InterruptedException {
    final List<Rates> rates = new ArrayList<>();
    final HeapCensus left = own(retired(grid, rates));
    final Map<String, Object> detail = new LinkedHashMap<>();
    detail.put("whileLeasesAreHeld", rates.get(0));
    detail.put("whenLeasesAreHome", rates.get(1));
    detail.put("whenAccountsAreRetired", rates.get(2));
    detail.put("bytesOfRetired", left.bytes());
    detail.put("largestOfRetired", table(left));
    final double value = rates.get(1).commandsPerSecond();
    return new Figure(value, 0, value <= 0, detail);
  }

  /** Everything in the process when nobody has a principal any more, for longer than any linger. */
  private HeapCensus retired(VirtualGrid grid, List<Rates> rates) throws InterruptedException {
    final VirtualInstance driven = new VirtualInstance(grid);
    driven.touchAll();
    rates.add(rates(grid, driven, HOLDING));
    driven.idleUntil(() -> grid.ledgers().activeLeases() <= FEW_LEASES);
    rates.add(rates(grid, driven, QUIET));
    grid.authority().forget();
    driven.idle(RETIREMENT);
    rates.add(rates(grid, driven, QUIET));
    return with(driven);
  }

  /**
   * What an instance does in a second of virtual time.
   *
   * @param commandsPerSecond lease commands and usage batches
   * @param recallLooksPerSecond reads of a recall beside a ledger
   * @param policyReadsPerSecond questions to the authority
   */
  private record Rates(
      double commandsPerSecond,
      double recallLooksPerSecond,
      double policyReadsPerSecond,
      long leases) {}

  private static Rates rates(VirtualGrid grid, VirtualInstance driven, Duration time) {
    final MemoryLedgers ledgers = grid.ledgers();
    final long commands = ledgers.commands();
    final long looks = ledgers.looks();
    final long reads = grid.authority().reads();
    driven.idle(time);
    final double seconds = time.toNanos() / NANOS_PER_SECOND;
    return new Rates(
        (ledgers.commands() - commands) / seconds,
        (ledgers.looks() - looks) / seconds,
        (grid.authority().reads() - reads) / seconds,
        ledgers.activeLeases());
  }

  private void say(String what) {
    progress.println("bench: footprint: " + what);
    progress.flush();
  }
}
