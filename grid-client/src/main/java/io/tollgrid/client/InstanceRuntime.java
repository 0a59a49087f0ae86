package io.tollgrid.client;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Metrics;
import io.tollgrid.admission.outcome.OutcomeCounters;
import io.tollgrid.admission.plan.Operation;
import io.tollgrid.admission.request.AdmissionRequest;
import io.tollgrid.admission.session.Session;
import io.tollgrid.admission.snapshot.Publication;
import io.tollgrid.grid.ChangeFeed;
import io.tollgrid.grid.CommonPool;
import io.tollgrid.grid.RandomIds;
import io.tollgrid.grid.SystemClock;
import io.tollgrid.ledger.AccountPolicy;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.policy.Introduction;
import io.tollgrid.ledger.policy.Plan;
import io.tollgrid.ledger.policy.PrincipalSnapshot;
import io.tollgrid.ledger.policy.Subject;
import io.tollgrid.ledger.port.IdSource;
import io.tollgrid.ledger.port.LedgerClock;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a service embeds: an {@link Instance} with the one thread that drives it.
 *
 * <pre>{@code
 * try (InstanceRuntime tollgrid = InstanceRuntime.connect(InstanceConfig.load(file))) {
 *   LedgerClock clock = tollgrid.clock();
 *   Operation completion = tollgrid.operation("completion");
 *   AdmissionRequest request = tollgrid.newRequest();            // one per worker, reused
 *   Denial denial = request.begin(principal, clock.nowNanos());
 *   if (denial == null) denial = request.admit(completion, estimate, clock.nowNanos());
 *   if (denial == null) denial = request.start(clock.nowNanos());
 *   if (denial != null) return reply(denial.httpStatus());
 *   long used = work.run();
 *   request.settle(used, clock.nowNanos());
 * }
 * }</pre>
 *
 * <p>Shutdown has one order under one deadline, fixed by the first call for it: stop admitting,
 * pause refills, drain usage, release leases, and leave the grid if it was entered for this
 * instance (R41). Safe for use by any thread.
 */
public final class InstanceRuntime implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(InstanceRuntime.class);

  /** The thread looks around at least this often, whatever the agenda says. */
  private static final long LONGEST_PARK_NANOS = Duration.ofMillis(500).toNanos();

  /** How long the thread waits for a record that is being written this very moment. */
  private static final long SHORTEST_PARK_NANOS = Duration.ofNanos(50_000).toNanos();

  /** How often a shutdown looks whether it may go on. */
  private static final long LOOK_MILLIS = 2;

  private final Instance instance;
  private final LedgerClock clock;
  private final InstanceSettings settings;
  private final Thread thread;
  private final AtomicReference<@Nullable Shutdown> shutdown = new AtomicReference<>();
  private final @Nullable GridConnection connection;
  private volatile ChangeFeed.Subscription subscription = () -> {};
  private volatile boolean ended;
  private volatile @Nullable Throwable death;

  private InstanceRuntime(
      final InstanceGrid grid,
      final LedgerClock clock,
      final IdSource ids,
      final InstanceSettings settings,
      final @Nullable GridConnection connection) {
    this.clock = clock;
    this.settings = settings;
    this.connection = connection;
    final Waker waker = new Waker();
    this.instance = new Instance(grid, ids, settings, waker);
    this.thread = new Thread(this::loop, "tollgrid-instance-" + instance.holder());
    this.thread.setDaemon(true);
    waker.thread = thread;
  }

  /** Enters a grid, counting into Micrometer's global registry; see the other form. */
  public static InstanceRuntime connect(final InstanceConfig config) {
    return connect(config, Metrics.globalRegistry);
  }

  /**
   * Enters a grid as configured and starts an instance there, timed by the machine's clock. What
   * was opened is closed at its shutdown, under the same deadline. Returns as soon as the grid
   * answers; {@link #readiness()} tells when requests are admitted. Blocks.
   *
   * @param registry where the way to the grid is counted; {@link InstanceMetrics} adds the rest
   * @throws GridUnreachableException if no cluster is found in time; nothing is left running then
   */
  public static InstanceRuntime connect(final InstanceConfig config, final MeterRegistry registry) {
    CommonPool.warnIfOneThreaded();
    final LedgerClock clock = new SystemClock();
    final GridConnection connection = GridConnection.open(config, clock, registry);
    boolean started = false;
    try {
      final InstanceRuntime runtime =
          start(connection.grid(), clock, new RandomIds(), config.settings(), connection);
      started = true;
      return runtime;
    } finally {
      if (!started) {
        connection.close(Duration.ZERO);
      }
    }
  }

  /**
   * Starts an instance.
   *
   * @param grid what it needs of a grid; not closed by the runtime
   * @param clock the clock by which requests are to be timed as well
   * @param ids where request, lease and writer ids come from
   */
  public static InstanceRuntime start(
      final InstanceGrid grid,
      final LedgerClock clock,
      final IdSource ids,
      final InstanceSettings settings) {
    return start(grid, clock, ids, settings, null);
  }

  private static InstanceRuntime start(
      final InstanceGrid grid,
      final LedgerClock clock,
      final IdSource ids,
      final InstanceSettings settings,
      final @Nullable GridConnection connection) {
    final InstanceRuntime runtime = new InstanceRuntime(grid, clock, ids, settings, connection);
    runtime.subscription = grid.changes().subscribe(runtime.instance.changes());
    runtime.thread.start();
    return runtime;
  }

  /**
   * The clock by which its leases are kept: time requests by it, or by a {@link
   * io.tollgrid.admission.time.CoarseClock} that follows it and fits into the margin (R57).
   */
  public LedgerClock clock() {
    return clock;
  }

  /** The operation of this name, to be passed with requests. */
  public Operation operation(final String name) {
    return instance.operation(name);
  }

  /** Publishes a plan; see {@link Instance#publish}. */
  public Publication publish(final Plan plan) {
    return instance.publish(plan);
  }

  /** Assigns a principal its plan and accounts; see {@link Instance#assign}. */
  public Publication assign(final PrincipalSnapshot snapshot) {
    return instance.assign(snapshot);
  }

  /** Introduces a subject to the authority; see {@link Instance#introduce}. */
  public CompletionStage<Introduction> introduce(final Subject subject) {
    return instance.introduce(subject);
  }

  /** A session for one connection; see {@link Instance#newSession}. */
  public Session newSession() {
    return instance.newSession();
  }

  /** A request object for one worker. */
  public AdmissionRequest newRequest() {
    return instance.newRequest();
  }

  /** The account, opened as active and strict if it was not open yet. */
  public ManagedAccount account(final Id128 account) {
    return instance.account(account);
  }

  /** The account, opened with {@code policy}, or given it if it is newer than the one in force. */
  public ManagedAccount account(final Id128 account, final AccountPolicy policy) {
    return instance.account(account, policy);
  }

  /** How requests ended. */
  public OutcomeCounters counters() {
    return instance.admission().counters();
  }

  /** Whether it can admit requests of those it is configured to track right now (R39). */
  public Readiness readiness() {
    return readiness(settings.policies().tracked());
  }

  /** Whether it can admit requests right now, with the counts that say so (R39). For a probe. */
  public Readiness readiness(final Tracked tracked) {
    final Set<Readiness.Reason> reasons = EnumSet.noneOf(Readiness.Reason.class);
    if (death != null) {
      reasons.add(Readiness.Reason.TASK_DEAD);
    }
    return instance.readiness(tracked, reasons, clock.nowNanos());
  }

  /** The instance underneath. */
  public Instance instance() {
    return instance;
  }

  /**
   * Waits until everything that was settled before has a durable, classified answer.
   *
   * @return whether it has
   */
  public boolean flush(final Duration longest) throws InterruptedException {
    final long deadlineNanos = Math.addExact(clock.nowNanos(), longest.toNanos());
    while (instance.admission().usage().depth() > 0) {
      if (clock.nowNanos() >= deadlineNanos || death != null) {
        return false;
      }
      Thread.sleep(LOOK_MILLIS);
    }
    return true;
  }

  /** Shuts down within the settings' deadline; see {@link #shutdown}. */
  @Override
  public void close() {
    try {
      final ShutdownReport report = shutdown(Duration.ofNanos(settings.shutdownNanos()));
      if (!report.isClean()) {
        LOG.warn("instance {} left something behind: {}", instance.holder(), report);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Stops admitting, pauses refills, drains usage, releases leases and leaves the grid if it was
   * entered for this instance, all within {@code total}. A later call waits for the first one's end
   * and gets its report.
   */
  public ShutdownReport shutdown(final Duration total) throws InterruptedException {
    final Shutdown mine = new Shutdown(Math.addExact(clock.nowNanos(), total.toNanos()), total);
    final Shutdown first = shutdown.compareAndExchange(null, mine);
    return first == null ? mine.run() : first.await();
  }

  /** One shutdown: its deadline, and its report once there is one. */
  private final class Shutdown {
    private final long deadlineNanos;
    private final long totalNanos;
    private @Nullable ShutdownReport report;

    Shutdown(final long deadlineNanos, final Duration total) {
      this.deadlineNanos = deadlineNanos;
      this.totalNanos = total.toNanos();
    }

    ShutdownReport run() throws InterruptedException {
      ShutdownReport made = null;
      try {
        made = stop();
        return made;
      } finally {
        subscription.close();
        ended = true;
        LockSupport.unpark(thread);
        leave();
        finished(made);
      }
    }

    private void leave() {
      if (connection != null) {
        connection.close(Duration.ofNanos(leftNanos()));
      }
    }

    private long leftNanos() {
      return Math.max(0, deadlineNanos - clock.nowNanos());
    }

    synchronized ShutdownReport await() throws InterruptedException {
      while (report == null) {
        wait();
      }
      return report;
    }

    private ShutdownReport stop() throws InterruptedException {
      final ShutdownOrder order = new ShutdownOrder(instance, deadlineNanos, totalNanos);
      // Nothing will come of waiting for a thread that has died.
      while (!order.advance(death == null ? clock.nowNanos() : deadlineNanos)) {
        Thread.sleep(LOOK_MILLIS);
      }
      ended = true;
      LockSupport.unpark(thread);
      thread.join(Math.max(LOOK_MILLIS, TimeUnit.NANOSECONDS.toMillis(leftNanos() / 2)));
      return order.report();
    }

    private synchronized void finished(final @Nullable ShutdownReport made) {
      report = made == null ? instance.report(0) : made;
      notifyAll();
    }
  }

  private void loop() {
    try {
      while (!ended) {
        final long next = instance.run(clock.nowNanos());
        park(next);
      }
    } catch (RuntimeException | Error e) {
      death = e;
      instance.admission().stop();
      LOG.error("instance {} has died and admits nothing any more", instance.holder(), e);
    }
  }

  private void park(final long untilNanos) {
    final long pause = untilNanos - clock.nowNanos();
    LockSupport.parkNanos(this, Math.max(SHORTEST_PARK_NANOS, Math.min(pause, LONGEST_PARK_NANOS)));
  }

  /** Wakes the thread; usable before it exists. */
  private static final class Waker implements Runnable {
    private volatile @Nullable Thread thread;

    @Override
    public void run() {
      LockSupport.unpark(thread);
    }
  }
}
