package io.tollgrid.node.demo;

import io.tollgrid.client.InstanceRuntime;
import io.tollgrid.client.InstanceSettings;
import io.tollgrid.client.ShutdownReport;
import io.tollgrid.grid.LedgerClient;
import io.tollgrid.ledger.AccountPolicy;
import io.tollgrid.ledger.AccountStatus;
import io.tollgrid.ledger.CapacityClass;
import io.tollgrid.ledger.EnforcementMode;
import io.tollgrid.ledger.port.IdSource;
import io.tollgrid.ledger.port.LedgerClock;
import io.tollgrid.node.TollgridNode;
import io.tollgrid.node.local.AccountBooks;
import io.tollgrid.node.local.Fleet;
import io.tollgrid.node.local.Founder;
import io.tollgrid.node.local.TokenPlan;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/** Three instances under load on one node, and the books at the end. One run per object. */
public final class Demo {
  private static final int INSTANCES = 3;
  private static final int WORKERS_PER_INSTANCE = 2;
  private static final long TICK_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private final TollgridNode node;
  private final LedgerClock clock;
  private final IdSource ids;
  private final DemoTally tally = new DemoTally();
  private final AtomicBoolean stopped = new AtomicBoolean();

  /** A demo on this node. */
  public Demo(TollgridNode node, LedgerClock clock, IdSource ids) {
    this.node = node;
    this.clock = clock;
    this.ids = ids;
  }

  /**
   * What the load has come to so far.
   *
   * @param elapsed since it began
   * @param served requests that ran
   * @param denied requests that did not, by reason
   * @param billedUnits units they were charged, as the instances counted
   */
  public record Snapshot(
      Duration elapsed, long served, Map<String, Long> denied, long billedUnits) {}

  /**
   * What was left when everything had been released.
   *
   * @param total the whole run
   * @param books the accounts' books in PostgreSQL
   * @param instances what each instance left behind
   * @param agrees whether PostgreSQL billed exactly what the instances charged
   */
  public record Result(
      Snapshot total, AccountBooks books, List<ShutdownReport> instances, boolean agrees) {
    /** Copies the list. */
    public Result {
      instances = List.copyOf(instances);
    }

    /** Whether every unit is accounted for. */
    public boolean good() {
      return agrees
          && books.exact()
          && books.outstanding() == 0
          && books.loss() == 0
          && books.overspent() == 0
          && instances.stream().allMatch(ShutdownReport::isClean);
    }
  }

  /** Ends the load at the next opportunity; {@link #run} then settles the accounts and returns. */
  public void stop() {
    stopped.set(true);
  }

  /**
   * Runs the load until {@code duration} has passed or {@link #stop} is called.
   *
   * @param live told about the load once a second
   */
  public Result run(Duration duration, Consumer<Snapshot> live)
      throws InterruptedException, SQLException {
    final List<DemoAccount> population = DemoAccount.population(ids);
    found(population);
    final long beganNanos = clock.nowNanos();
    try (Fleet fleet = new Fleet(node, INSTANCES, clock, ids, InstanceSettings.DEFAULTS)) {
      final List<Thread> workers = start(fleet, population);
      long tickNanos = beganNanos + TICK_NANOS;
      while (!stopped.get() && clock.nowNanos() - beganNanos < duration.toNanos()) {
        LockSupport.parkNanos(LOOK_NANOS);
        if (clock.nowNanos() >= tickNanos) {
          live.accept(snapshot(beganNanos));
          tickNanos += TICK_NANOS;
        }
      }
      stopped.set(true);
      for (final Thread worker : workers) {
        worker.join();
      }
      final Snapshot total = snapshot(beganNanos);
      final List<ShutdownReport> reports = fleet.shutdown();
      final AccountBooks books =
          AccountBooks.read(node.database(), population.stream().map(DemoAccount::id).toList());
      return new Result(
          total,
          books,
          reports,
          books.billed() == tally.billedUnits() && books.unfunded() == tally.unfundedUnits());
    }
  }

  private void found(List<DemoAccount> population) throws InterruptedException {
    try (LedgerClient operator = node.newLedgerClient("demo")) {
      final Founder founder = new Founder(operator, ids);
      final List<CompletableFuture<Void>> founded = new ArrayList<>();
      for (final DemoAccount account : population) {
        founded.add(
            founder.found(account.id(), account.temper().terms(), account.temper().topUpUnits()));
      }
      CompletableFuture.allOf(founded.toArray(CompletableFuture[]::new)).join();
    }
  }

  private List<Thread> start(Fleet fleet, List<DemoAccount> population) {
    final List<Thread> workers = new ArrayList<>();
    for (final InstanceRuntime instance : fleet.instances()) {
      final TokenPlan tokens = new TokenPlan(instance);
      population.forEach(
          account -> {
            instance.account(account.id(), policyOf(account));
            tokens.admit(account.id());
          });
      for (int i = 0; i < WORKERS_PER_INSTANCE; i++) {
        workers.add(
            new Thread(
                new DemoWorker(
                    instance.newRequest(),
                    tokens.completion(),
                    population,
                    clock,
                    new SplittableRandom(ids.randomId().low()),
                    tally,
                    stopped),
                "tollgrid-demo-" + workers.size()));
      }
    }
    workers.forEach(worker -> worker.setDaemon(true));
    workers.forEach(Thread::start);
    return workers;
  }

  /** The policy the account was created with: its first generation. */
  private static AccountPolicy policyOf(DemoAccount account) {
    return new AccountPolicy(
        1,
        AccountStatus.ACTIVE,
        CapacityClass.BEST_EFFORT,
        account.temper().terms(),
        account.temper().terms().mode() == EnforcementMode.ELASTIC);
  }

  private Snapshot snapshot(long beganNanos) {
    return new Snapshot(
        Duration.ofNanos(clock.nowNanos() - beganNanos),
        tally.servedRequests(),
        tally.deniedRequests(),
        tally.billedUnits());
  }
}
