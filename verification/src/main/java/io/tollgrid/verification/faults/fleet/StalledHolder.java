package io.tollgrid.verification.faults.fleet;

import com.hazelcast.core.HazelcastInstance;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.tollgrid.admission.denial.Denial;
import io.tollgrid.admission.request.AdmissionRequest;
import io.tollgrid.client.InstanceGrid;
import io.tollgrid.client.InstanceRuntime;
import io.tollgrid.client.ShutdownReport;
import io.tollgrid.grid.RandomIds;
import io.tollgrid.grid.SystemClock;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.port.LedgerClock;
import io.tollgrid.verification.faults.history.HistoryWriter;
import io.tollgrid.verification.faults.history.RecordingLedgerClient;
import io.tollgrid.verification.faults.history.RecordingUsageInbox;
import io.tollgrid.verification.faults.process.Message;
import io.tollgrid.verification.faults.process.ParentLine;
import io.tollgrid.verification.faults.run.Connections;
import io.tollgrid.verification.faults.run.Words;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A service that starts one request of each principal and holds all of them until it is told to
 * finish: then it settles them and leaves in order.
 *
 * <p>Arguments: the cluster's name, the history file, the units of a request, the members'
 * addresses and the principals, each as a list with commas.
 */
public final class StalledHolder {
  /** Requests that have started. */
  static final String IN_FLIGHT = "in-flight";

  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
  private static final Duration SHUTDOWN = Duration.ofSeconds(20);

  private StalledHolder() {}

  /** Runs until it has finished and is ended. */
  public static void main(String[] arguments) throws InterruptedException {
    final ParentLine line = ParentLine.open();
    final LedgerClock clock = new SystemClock();
    final HazelcastInstance hazelcast =
        Connections.open(Connections.CLIENT, arguments[0], List.of(arguments[3].split(",", -1)));
    final InstanceGrid grid =
        InstanceGrid.of(hazelcast, "stalled-holder", clock, new SimpleMeterRegistry());
    final HistoryWriter history = HistoryWriter.create(Path.of(arguments[1]));
    final InstanceRuntime runtime =
        InstanceRuntime.start(
            new InstanceGrid(
                new RecordingLedgerClient(grid.ledgers(), history, clock),
                grid.policies(),
                grid.changes(),
                new RecordingUsageInbox(grid.usage(), history, clock)),
            clock,
            new RandomIds(),
            FleetInstance.settings());
    final long units = Long.parseLong(arguments[2]);
    final List<AdmissionRequest> running = new ArrayList<>();
    for (final String principal : arguments[4].split(",", -1)) {
      running.add(start(runtime, clock, Id128.parse(principal), units));
    }
    final CountDownLatch told = new CountDownLatch(1);
    line.listen(
        message -> {
          if (message.kind().equals(Words.FINISH)) {
            told.countDown();
          }
        });
    line.say(new Message(Words.STATUS, Map.of(IN_FLIGHT, Integer.toString(running.size()))));
    told.await();
    line.say(finish(runtime, clock, running, units));
    Thread.currentThread().join();
  }

  private static AdmissionRequest start(
      InstanceRuntime runtime, LedgerClock clock, Id128 principal, long units) {
    while (true) {
      final AdmissionRequest request = runtime.newRequest();
      Denial denial = request.begin(principal, clock.nowNanos());
      if (denial == null) {
        denial = request.admit(runtime.operation(FleetInstance.OPERATION), units, clock.nowNanos());
      }
      if (denial == null) {
        denial = request.start(clock.nowNanos());
      }
      if (denial == null) {
        return request;
      }
      LockSupport.parkNanos(LOOK_NANOS);
    }
  }

  /** Every second request used more than it had reserved. */
  private static Message finish(
      InstanceRuntime runtime, LedgerClock clock, List<AdmissionRequest> running, long units)
      throws InterruptedException {
    for (int i = 0; i < running.size(); i++) {
      running.get(i).settle(i % 2 == 0 ? units : 2 * units, clock.nowNanos());
    }
    final ShutdownReport left = runtime.shutdown(SHUTDOWN);
    return new Message(
        Words.FINISHED,
        Map.of(
            "lost-events", Long.toString(left.lostEvents()),
            "unresolved-events", Long.toString(left.unresolvedEvents()),
            "refused-events", Long.toString(left.refusedEvents()),
            "abandoned-leases", Long.toString(left.abandonedLeases())));
  }
}
