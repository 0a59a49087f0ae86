package io.tollgrid.verification.faults.soak;

import com.hazelcast.core.HazelcastInstance;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.tollgrid.admission.denial.Denial;
import io.tollgrid.admission.plan.Operation;
import io.tollgrid.admission.request.AdmissionRequest;
import io.tollgrid.client.InstanceGrid;
import io.tollgrid.client.InstanceRuntime;
import io.tollgrid.client.InstanceSettings;
import io.tollgrid.client.ShutdownReport;
import io.tollgrid.grid.RandomIds;
import io.tollgrid.grid.SystemClock;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.port.LedgerClock;
import io.tollgrid.verification.faults.process.Message;
import io.tollgrid.verification.faults.process.ParentLine;
import io.tollgrid.verification.faults.process.Vitals;
import io.tollgrid.verification.faults.run.Connections;
import io.tollgrid.verification.faults.run.Words;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A service that serves requests of one unit at the rate it is told, until it is told to finish.
 *
 * <p>Arguments: the cluster's name, its number, the addresses of the members separated by commas,
 * the accounts, each its own principal, separated by commas.
 */
public final class SoakInstance {
  /** How many requests a second, 0 for as many as usage slots allow. */
  static final String PACE = "pace";

  /** Requests served, and refused. */
  static final String SERVED = "served";

  static final String REFUSED = "refused";

  /** Usage events without an answer. */
  static final String OPEN = "open";

  static final String LEFT = "left";

  /** Begins the names of counts of requests that were refused, by reason. */
  static final String DENIED = "denied.";

  private static final String OPERATION = "work";
  private static final long STATUS_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
  private static final long REFUSED_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
  private static final Duration SHUTDOWN = Duration.ofSeconds(20);

  private final ParentLine line;
  private final InstanceRuntime runtime;
  private final List<Id128> accounts;
  private final LedgerClock clock;
  private final TimedGrid times;
  private final AtomicLong served = new AtomicLong();
  private final AtomicLong refused = new AtomicLong();
  private volatile Map<String, String> vitals = Map.of();

  /** Each account is asked for about once a second: the first time, nothing is known of it. */
  private volatile long perSecond = 200;

  private volatile boolean finishing;

  private SoakInstance(
      ParentLine line,
      InstanceRuntime runtime,
      List<Id128> accounts,
      LedgerClock clock,
      TimedGrid times) {
    this.line = line;
    this.times = times;
    this.runtime = runtime;
    this.accounts = accounts;
    this.clock = clock;
  }

  /** Serves until it has finished and is told to leave. */
  public static void main(String[] arguments) {
    final ParentLine line = ParentLine.open();
    final HazelcastInstance hazelcast =
        Connections.client(arguments[0], List.of(arguments[2].split(",", -1)));
    final LedgerClock clock = new SystemClock();
    final InstanceGrid grid =
        InstanceGrid.of(hazelcast, "soak-" + arguments[1], clock, new SimpleMeterRegistry());
    final TimedGrid times = new TimedGrid();
    final SoakInstance self =
        new SoakInstance(
            line,
            InstanceRuntime.start(
                times.over(grid), clock, new RandomIds(), InstanceSettings.DEFAULTS),
            List.of(arguments[3].split(",", -1)).stream().map(Id128::parse).toList(),
            clock,
            times);
    final Thread worker = new Thread(self::serve, "worker");
    worker.setDaemon(true);
    worker.start();
    line.listen(message -> self.hear(message, worker));
    self.report();
  }

  private void hear(Message message, Thread worker) {
    switch (message.kind()) {
      case PACE -> {
        perSecond = message.number(PACE);
        times.reset();
      }
      case Words.LOOK -> vitals = Vitals.look();
      case Words.FINISH -> {
        final Thread end = new Thread(() -> finish(worker), "finish");
        end.setDaemon(true);
        end.start();
      }
      case Words.LEAVE -> Runtime.getRuntime().halt(0);
      default -> System.err.println("nobody knows what to do about " + message);
    }
  }

  private void serve() {
    final AdmissionRequest request = runtime.newRequest();
    final Operation operation = runtime.operation(OPERATION);
    long dueNanos = System.nanoTime();
    for (int i = 0; !finishing; i++) {
      final long pace = perSecond;
      if (pace > 0) {
        dueNanos += TimeUnit.SECONDS.toNanos(1) / pace;
        final long early = dueNanos - System.nanoTime();
        if (early > 0) {
          LockSupport.parkNanos(early);
        } else if (-early > TimeUnit.SECONDS.toNanos(1)) {
          dueNanos = System.nanoTime();
        }
      }
      if (serveOne(request, operation, accounts.get(i % accounts.size())) == null) {
        served.incrementAndGet();
      } else {
        refused.incrementAndGet();
        LockSupport.parkNanos(REFUSED_PAUSE_NANOS);
      }
    }
  }

  private @Nullable Denial serveOne(AdmissionRequest request, Operation operation, Id128 account) {
    @Nullable Denial denial = request.begin(account, clock.nowNanos());
    if (denial == null) {
      denial = request.admit(operation, 1, clock.nowNanos());
    }
    if (denial == null) {
      denial = request.start(clock.nowNanos());
    }
    if (denial == null) {
      request.settle(1, clock.nowNanos());
    }
    return denial;
  }

  private void finish(Thread worker) {
    finishing = true;
    try {
      worker.join();
      final ShutdownReport left = runtime.shutdown(SHUTDOWN);
      final Map<String, String> counts = counts();
      counts.put(LEFT, left.isClean() ? "0" : "1");
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
    final Map<String, String> counts = new TreeMap<>(vitals);
    counts.put(SERVED, Long.toString(served.get()));
    counts.put(REFUSED, Long.toString(refused.get()));
    for (final Denial denial : Denial.values()) {
      final long times = runtime.counters().denials(denial);
      if (times > 0) {
        counts.put(DENIED + denial, Long.toString(times));
      }
    }
    times.countInto(counts);
    counts.put(OPEN, Long.toString(runtime.instance().admission().usage().depth()));
    return counts;
  }
}
