package io.tollgrid.verification.faults.fleet;

import com.hazelcast.core.HazelcastInstance;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.tollgrid.admission.denial.Denial;
import io.tollgrid.admission.plan.Operation;
import io.tollgrid.admission.request.AdmissionRequest;
import io.tollgrid.client.InstanceGrid;
import io.tollgrid.client.InstanceRuntime;
import io.tollgrid.client.InstanceSettings;
import io.tollgrid.client.LeaseSettings;
import io.tollgrid.client.PolicySettings;
import io.tollgrid.client.ShutdownReport;
import io.tollgrid.client.Tracked;
import io.tollgrid.grid.RandomIds;
import io.tollgrid.grid.SystemClock;
import io.tollgrid.ledger.port.LedgerClock;
import io.tollgrid.verification.faults.history.HistoryWriter;
import io.tollgrid.verification.faults.history.RecordingLedgerClient;
import io.tollgrid.verification.faults.history.RecordingUsageInbox;
import io.tollgrid.verification.faults.host.Host;
import io.tollgrid.verification.faults.plan.PlantedDefect;
import io.tollgrid.verification.faults.process.ChildJvm;
import io.tollgrid.verification.faults.process.Message;
import io.tollgrid.verification.faults.process.ParentLine;
import io.tollgrid.verification.faults.process.SteeredClock;
import io.tollgrid.verification.faults.run.Connections;
import io.tollgrid.verification.faults.run.Rig;
import io.tollgrid.verification.faults.run.Words;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A service with an instance in it: workers that make requests of a fleet's principals until it is
 * told to finish. Everything the instance asks of ledgers is recorded.
 *
 * <p>Arguments: {@code client} or {@code lite}, the cluster's name, the seed, the number of
 * accounts, its own number, the history file, the bug that is planted, then the addresses of the
 * members.
 */
public final class FleetInstance {
  /** How long a lease lasts. */
  public static final Duration TTL = Duration.ofSeconds(10);

  static final Duration MARGIN = Duration.ofSeconds(2);
  static final Duration REFRESH = Duration.ofSeconds(10);
  static final String PLAN = "fleet";
  static final String OPERATION = "work";

  /** Requests it served. */
  public static final String STARTED = "started";

  static final String SETTLED_UNITS = "settled-units";
  static final String UNFUNDED_UNITS = "unfunded-units";
  static final String READY = "ready";

  private static final String HEAP = "256m";
  private static final int WORKERS = 2;
  private static final int LARGEST_QUOTE = 40;
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(40);
  private static final long WORK_NANOS = TimeUnit.MILLISECONDS.toNanos(3);
  private static final long STATUS_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
  private static final Duration SHUTDOWN = Duration.ofSeconds(20);

  private final ParentLine line;
  private final SteeredClock clock;
  private final FleetPopulation population;
  private final InstanceRuntime runtime;
  private final LongAdder started = new LongAdder();
  private final LongAdder settledUnits = new LongAdder();
  private final LongAdder unfundedUnits = new LongAdder();
  private final List<Thread> workers = new ArrayList<>();
  private volatile boolean finishing;

  private FleetInstance(
      ParentLine line, SteeredClock clock, FleetPopulation population, InstanceRuntime runtime) {
    this.line = line;
    this.clock = clock;
    this.population = population;
    this.runtime = runtime;
  }

  /**
   * Starts one in a process of its own; whoever asked closes it.
   *
   * @param connection how it reaches the grid
   * @param accounts of the population it serves, drawn from the seed
   * @param number its own
   * @param planted a bug of it
   */
  public static ChildJvm start(
      Rig rig,
      Host host,
      String connection,
      long seed,
      int accounts,
      int number,
      PlantedDefect planted,
      Path directory) {
    final List<String> arguments = new ArrayList<>();
    arguments.add(connection);
    arguments.add(rig.cluster().name());
    arguments.add(Long.toString(seed));
    arguments.add(Integer.toString(accounts));
    arguments.add(Integer.toString(number));
    arguments.add(rig.newHistory().toString());
    arguments.add(planted.spelling());
    arguments.addAll(rig.cluster().addresses());
    return ChildJvm.start(
        "instance-" + number, host, FleetInstance.class, arguments, HEAP, directory);
  }

  /** Runs until it has finished and is told to leave. */
  public static void main(String[] arguments) {
    final ParentLine line = ParentLine.open();
    final List<String> words = List.of(arguments);
    final HazelcastInstance hazelcast =
        Connections.open(words.get(0), words.get(1), words.subList(7, words.size()));
    final long seed = Long.parseLong(words.get(2));
    final SteeredClock clock = new SteeredClock();
    // What is recorded bears the machine's time: nobody else's is comparable.
    final LedgerClock machine = new SystemClock();
    final InstanceGrid grid =
        InstanceGrid.of(hazelcast, "instance-" + words.get(4), clock, new SimpleMeterRegistry());
    final HistoryWriter history = HistoryWriter.create(Path.of(words.get(5)));
    // What an instance with a planted bug really sends is what is recorded.
    final InstanceGrid recorded =
        new InstanceGrid(
            new RecordingLedgerClient(grid.ledgers(), history, machine),
            grid.policies(),
            grid.changes(),
            new RecordingUsageInbox(grid.usage(), history, machine));
    final FleetInstance self =
        new FleetInstance(
            line,
            clock,
            new FleetPopulation(seed, Integer.parseInt(words.get(3))),
            InstanceRuntime.start(
                PlantedDefect.of(words.get(6)).instance().apply(recorded),
                clock,
                new RandomIds(),
                settings()));
    for (int i = 0; i < WORKERS; i++) {
      self.work(new SplittableRandom(seed + 31L * Integer.parseInt(words.get(4)) + i));
    }
    line.listen(self::hear);
    self.report();
  }

  static InstanceSettings settings() {
    return InstanceSettings.DEFAULTS
        .with(LeaseSettings.DEFAULTS.lasting(TTL, MARGIN))
        .with(PolicySettings.DEFAULTS.refreshedEvery(REFRESH));
  }

  private void hear(Message message) {
    switch (message.kind()) {
      case Words.FINISH -> {
        final Thread end = new Thread(this::finish, "finish");
        end.setDaemon(true);
        end.start();
      }
      case SteeredClock.CLOCK -> clock.heed(message);
      case Words.LEAVE -> Runtime.getRuntime().halt(0);
      default -> System.err.println("nobody knows what to do about " + message);
    }
  }

  private void work(SplittableRandom random) {
    final Thread worker = new Thread(() -> serve(random), "worker-" + workers.size());
    worker.setDaemon(true);
    workers.add(worker);
    worker.start();
  }

  private void serve(SplittableRandom random) {
    final AdmissionRequest request = runtime.newRequest();
    final Operation operation = runtime.operation(OPERATION);
    while (!finishing) {
      serveOne(request, operation, random);
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  private void serveOne(AdmissionRequest request, Operation operation, SplittableRandom random) {
    final long quote = 1L + random.nextInt(LARGEST_QUOTE);
    @Nullable Denial denial = request.begin(population.pickPrincipal(random), clock.nowNanos());
    if (denial == null) {
      denial = request.admit(operation, quote, clock.nowNanos());
    }
    if (denial == null) {
      denial = request.start(clock.nowNanos());
    }
    if (denial != null) {
      return;
    }
    started.increment();
    LockSupport.parkNanos(random.nextLong(WORK_NANOS));
    // A fifth uses more than it reserved, up to half as much again.
    final long actual =
        random.nextInt(5) == 0
            ? quote + random.nextLong(quote / 2 + 1)
            : random.nextLong(quote + 1);
    request.settle(actual, clock.nowNanos());
    settledUnits.add(request.settledUnits());
    unfundedUnits.add(request.unfundedUnits());
  }

  private void finish() {
    finishing = true;
    try {
      for (final Thread worker : workers) {
        worker.join();
      }
      final ShutdownReport left = runtime.shutdown(SHUTDOWN);
      final Map<String, String> counts = counts();
      counts.put("abandoned-requests", Long.toString(left.abandonedRequests()));
      counts.put("lost-events", Long.toString(left.lostEvents()));
      counts.put("unresolved-events", Long.toString(left.unresolvedEvents()));
      counts.put("refused-events", Long.toString(left.refusedEvents()));
      counts.put("abandoned-leases", Long.toString(left.abandonedLeases()));
      counts.put("uncertain-commands", Long.toString(left.uncertainCommands()));
      counts.put("forfeited-units", Long.toString(left.forfeitedUnits()));
      line.say(new Message(Words.FINISHED, counts));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void report() {
    while (true) {
      line.say(new Message(Words.STATUS, counts()));
      LockSupport.parkNanos(STATUS_NANOS);
    }
  }

  private Map<String, String> counts() {
    final Map<String, String> counts = new TreeMap<>();
    counts.put(STARTED, Long.toString(started.sum()));
    counts.put(SETTLED_UNITS, Long.toString(settledUnits.sum()));
    counts.put(UNFUNDED_UNITS, Long.toString(unfundedUnits.sum()));
    counts.put(READY, runtime.readiness(new Tracked.All()).isReady() ? "1" : "0");
    counts.put("policy-reads", Long.toString(runtime.instance().policies().reads()));
    counts.put("changes-heard", Long.toString(runtime.instance().policies().changesHeard()));
    counts.put("recalls-answered", Long.toString(runtime.instance().refills().recallsAnswered()));
    counts.put("parked", Long.toString(runtime.instance().refills().parked()));
    for (final Denial denial : Denial.values()) {
      final long count = runtime.counters().denials(denial);
      if (count > 0) {
        counts.put("denied." + denial.name(), Long.toString(count));
      }
    }
    return counts;
  }
}
