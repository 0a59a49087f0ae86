package io.tollgrid.verification.faults.load;

import com.hazelcast.core.HazelcastException;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.HazelcastInstanceNotActiveException;
import com.hazelcast.map.IMap;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.tollgrid.grid.GridLedgerClient;
import io.tollgrid.grid.GridNames;
import io.tollgrid.grid.LedgerAnswer;
import io.tollgrid.grid.LedgerCallException;
import io.tollgrid.grid.LedgerClientSettings;
import io.tollgrid.grid.OperatorKey;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.LedgerEntry;
import io.tollgrid.ledger.Outcome;
import io.tollgrid.ledger.port.LedgerClock;
import io.tollgrid.verification.faults.history.HistoryWriter;
import io.tollgrid.verification.faults.history.RecordingLedgerClient;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * The callers of one process, on a Hazelcast client or inside a member.
 *
 * <p>Each caller submits one command, waits for its end, and submits the next. The first ones found
 * the accounts; nobody goes on before all of that is answered. A separate thread evicts accounts
 * from the grid's memory at random, which is always allowed. Thread-safe.
 */
public final class LoadRunner {
  /** Which load of its run it is, among its counts. */
  public static final String NUMBER = "load-number";

  private static final String ATTEMPTS = "tollgrid.ledger.attempts";
  private static final long FINISH_SECONDS = 60;

  private final LoadPlan plan;
  private final HazelcastInstance hazelcast;
  private final GridLedgerClient client;
  private final HistoryWriter history;
  private final RecordingLedgerClient recording;
  private final Workload workload;
  private final Population population;
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final List<Thread> threads = new ArrayList<>();
  private final CountDownLatch founded;
  private final AtomicLong acknowledged = new AtomicLong();
  private final AtomicLong refused = new AtomicLong();
  private final AtomicLong unknown = new AtomicLong();
  private final AtomicLong denied = new AtomicLong();
  private volatile boolean finishing;

  /** Callers that are not started yet. */
  public LoadRunner(
      LoadPlan plan, HazelcastInstance hazelcast, OperatorKey operatorKey, LedgerClock clock) {
    this.plan = plan;
    this.hazelcast = hazelcast;
    final String actor = "load-" + plan.number();
    this.client =
        new GridLedgerClient(
            hazelcast, LedgerClientSettings.defaults(actor), operatorKey, clock, registry);
    this.history = HistoryWriter.create(Path.of(plan.history()));
    this.recording = new RecordingLedgerClient(client, history, clock);
    this.population = new Population(plan.seed(), plan.accounts());
    final SplittableRandom random = new SplittableRandom(clock.nowNanos() ^ plan.number());
    this.workload =
        new Workload(
            population,
            new SharedCommands(plan.seed(), population),
            clock,
            actor,
            new Id128(random.nextLong(), random.nextLong()));
    this.founded = new CountDownLatch(plan.callers());
  }

  /** Starts the callers. */
  public void start() {
    for (int i = 0; i < plan.callers(); i++) {
      final SplittableRandom random =
          new SplittableRandom(plan.seed() + 31L * plan.number() + 1_009L * i);
      start("caller-" + i, () -> call(random));
    }
    if (plan.evictionsPerSecond() > 0) {
      start("evictor", this::evict);
    }
  }

  /**
   * Lets every caller end what it has begun, then closes the history.
   *
   * @return whether all ended; a caller that is left over has an operation without an ending
   */
  public boolean finish() {
    finishing = true;
    final long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(FINISH_SECONDS);
    boolean all = true;
    for (final Thread thread : threads) {
      try {
        thread.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(until - System.nanoTime())));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      all &= !thread.isAlive();
    }
    client.close();
    if (all) {
      history.close();
    }
    return all;
  }

  /** What was counted so far: endings of operations, and of attempts by their result. */
  public Map<String, String> counts() {
    final Map<String, String> counts = new TreeMap<>();
    counts.put(NUMBER, Integer.toString(plan.number()));
    counts.put("acknowledged", Long.toString(acknowledged.get()));
    counts.put("refused", Long.toString(refused.get()));
    counts.put("unknown", Long.toString(unknown.get()));
    counts.put("denied", Long.toString(denied.get()));
    for (final Counter counter : registry.find(ATTEMPTS).counters()) {
      counts.put(
          "attempts." + counter.getId().getTag("result"), Long.toString((long) counter.count()));
    }
    return counts;
  }

  private void start(String name, Runnable work) {
    final Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    threads.add(thread);
    thread.start();
  }

  private void call(SplittableRandom random) {
    for (Errand errand = workload.found();
        errand != null && !finishing;
        errand = workload.found()) {
      run(errand);
    }
    founded.countDown();
    try {
      founded.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    while (!finishing) {
      run(workload.next(random));
      if (plan.pauseMillis() > 0) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(plan.pauseMillis()));
      }
    }
  }

  private void run(Errand errand) {
    try {
      final LedgerAnswer answer = recording.submit(errand.request()).get();
      (answer.outcome() instanceof Outcome.Applied ? acknowledged : refused).incrementAndGet();
      errand.answered().accept(answer.outcome());
    } catch (ExecutionException e) {
      final boolean mayHaveHappened =
          !(e.getCause() instanceof LedgerCallException end) || end.mayHaveHappened();
      (mayHaveHappened ? unknown : denied).incrementAndGet();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      finishing = true;
    }
  }

  private void evict() {
    final IMap<String, LedgerEntry> ledgers = hazelcast.getMap(GridNames.LEDGERS);
    final SplittableRandom random = new SplittableRandom(plan.seed() ^ plan.number());
    final long pauseNanos = TimeUnit.SECONDS.toNanos(1) / plan.evictionsPerSecond();
    while (!finishing) {
      LockSupport.parkNanos(pauseNanos);
      try {
        final boolean unused = ledgers.evict(GridNames.ledgerKey(population.pick(random)));
      } catch (HazelcastInstanceNotActiveException e) {
        return;
      } catch (HazelcastException | IllegalStateException e) {
        // A frozen or leaving member; the next eviction meets another account.
        LockSupport.parkNanos(pauseNanos);
      }
    }
  }
}
