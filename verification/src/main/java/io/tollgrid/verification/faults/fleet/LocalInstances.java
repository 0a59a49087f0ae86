package io.tollgrid.verification.faults.fleet;

import com.hazelcast.core.HazelcastInstance;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.tollgrid.admission.denial.Denial;
import io.tollgrid.admission.request.AdmissionRequest;
import io.tollgrid.client.InstanceGrid;
import io.tollgrid.client.InstanceRuntime;
import io.tollgrid.client.InstanceSettings;
import io.tollgrid.client.ShutdownReport;
import io.tollgrid.grid.ChangeFeed;
import io.tollgrid.grid.RandomIds;
import io.tollgrid.grid.SystemClock;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.port.LedgerClock;
import io.tollgrid.verification.faults.history.HistoryWriter;
import io.tollgrid.verification.faults.history.RecordingLedgerClient;
import io.tollgrid.verification.faults.history.RecordingUsageInbox;
import io.tollgrid.verification.faults.run.Rig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Instances inside the parent's process, all behind one connection, for what is measured between
 * them. Used by one thread.
 */
final class LocalInstances implements AutoCloseable {
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private final Rig rig;
  private final HazelcastInstance hazelcast;
  private final LedgerClock clock = new SystemClock();
  private final List<InstanceRuntime> instances = new ArrayList<>();
  private final List<AutoCloseable> opened = new ArrayList<>();

  LocalInstances(Rig rig) {
    this.rig = rig;
    this.hazelcast = rig.connect();
  }

  LedgerClock clock() {
    return clock;
  }

  /**
   * Starts one.
   *
   * @param deaf whether no word of changes reaches it
   */
  InstanceRuntime start(InstanceSettings settings, boolean deaf) {
    final InstanceGrid grid = InstanceGrid.of(hazelcast, "local", clock, new SimpleMeterRegistry());
    final HistoryWriter history = HistoryWriter.create(rig.newHistory());
    opened.add(history);
    opened.add(grid);
    final InstanceRuntime instance =
        InstanceRuntime.start(
            new InstanceGrid(
                new RecordingLedgerClient(grid.ledgers(), history, clock),
                grid.policies(),
                deaf ? ChangeFeed.silent() : grid.changes(),
                new RecordingUsageInbox(grid.usage(), history, clock)),
            clock,
            new RandomIds(),
            settings);
    instances.add(instance);
    return instance;
  }

  List<InstanceRuntime> all() {
    return List.copyOf(instances);
  }

  /** What a request of so many units is told; one that is admitted is cancelled. */
  @Nullable Denial told(InstanceRuntime instance, Id128 principal, long units) {
    final AdmissionRequest request = instance.newRequest();
    final Denial begun = request.begin(principal, clock.nowNanos());
    final Denial denial =
        begun != null
            ? begun
            : request.admit(instance.operation(FleetInstance.OPERATION), units, clock.nowNanos());
    if (denial == null) {
      request.cancel();
    }
    return denial;
  }

  /** Serves a request of so many units, if it is admitted. */
  boolean serve(InstanceRuntime instance, Id128 principal, long units) {
    return served(instance, principal, units) == null;
  }

  /** As {@link #serve}: null if it was served, else why not. */
  @Nullable Denial served(InstanceRuntime instance, Id128 principal, long units) {
    final AdmissionRequest request = instance.newRequest();
    @Nullable Denial denial = request.begin(principal, clock.nowNanos());
    if (denial == null) {
      denial = request.admit(instance.operation(FleetInstance.OPERATION), units, clock.nowNanos());
    }
    if (denial == null) {
      denial = request.start(clock.nowNanos());
    }
    if (denial == null) {
      request.settle(units, clock.nowNanos());
    }
    return denial;
  }

  /**
   * Tries again and again.
   *
   * @return how long it took, or a negative number if it did not come true in time
   */
  long untilNanos(BooleanSupplier holds, Duration longest) {
    final long from = System.nanoTime();
    while (!holds.getAsBoolean()) {
      if (System.nanoTime() - from > longest.toNanos()) {
        return -1;
      }
      LockSupport.parkNanos(LOOK_NANOS);
    }
    return System.nanoTime() - from;
  }

  /** Shuts all of them down at once. */
  List<ShutdownReport> shutdown(Duration longest) throws InterruptedException {
    final List<ShutdownReport> reports = new ArrayList<>();
    final List<Thread> ending = new ArrayList<>();
    for (final InstanceRuntime instance : instances) {
      final Thread thread =
          new Thread(
              () -> {
                try {
                  final ShutdownReport report = instance.shutdown(longest);
                  synchronized (reports) {
                    reports.add(report);
                  }
                } catch (InterruptedException e) {
                  Thread.currentThread().interrupt();
                }
              });
      ending.add(thread);
      thread.start();
    }
    for (final Thread thread : ending) {
      thread.join();
    }
    return reports;
  }

  @Override
  public void close() {
    instances.forEach(InstanceRuntime::close);
    for (int i = opened.size() - 1; i >= 0; i--) {
      try {
        opened.get(i).close();
      } catch (Exception e) {
        throw new IllegalStateException("an instance of the lane did not close", e);
      }
    }
    hazelcast.shutdown();
  }
}
