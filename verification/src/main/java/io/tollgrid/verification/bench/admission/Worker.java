package io.tollgrid.verification.bench.admission;

import io.tollgrid.admission.denial.Denial;
import io.tollgrid.admission.plan.Operation;
import io.tollgrid.admission.plan.Route;
import io.tollgrid.admission.request.AdmissionRequest;
import io.tollgrid.admission.request.UsageQueue;
import io.tollgrid.admission.request.UsageSlot;
import io.tollgrid.ledger.Id128;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * One thread that serves requests: the cycle under measurement, on a time of its own that passes
 * without a clock being read. Confined to its thread.
 */
final class Worker {
  /** How much time passes from one request to the next. */
  static final long STEP_NANOS = 1_000;

  /** Requests per second of the worker's own time. */
  static final long REQUESTS_PER_SECOND = 1_000_000_000 / STEP_NANOS;

  /** Requests after which a worker that drains for itself does so. */
  private static final int DRAINED_EVERY = 64;

  private final AdmissionRequest request;
  private final Operation operation;
  private final Route route;
  private final UsageQueue usage;
  private final int lane;
  private long nowNanos = KernelFixture.START_NANOS;
  private final @Nullable UsageSlot[] batch = new UsageSlot[DRAINED_EVERY];
  private int sinceDrained;

  Worker(AdmissionRequest request, Operation operation, Route route, UsageQueue usage, int lane) {
    this.request = request;
    this.operation = operation;
    this.route = route;
    this.usage = usage;
    this.lane = lane;
  }

  /** One request of a principal, from begin to the record of its usage. */
  void cycle(Id128 principal) {
    while (!ran(principal)) {
      // Every slot waits for a consumer that has no processor right now.
      LockSupport.parkNanos(1);
    }
  }

  private boolean ran(Id128 principal) {
    final long now = nowNanos + STEP_NANOS;
    nowNanos = now;
    admitted(request.begin(principal, route, now));
    final Denial denial = request.admit(operation, KernelFixture.ITEMS, now);
    if (denial == Denial.USAGE_QUEUE_FULL) {
      return false;
    }
    admitted(denial);
    admitted(request.start(now));
    request.complete();
    return true;
  }

  /** Polls and acknowledges its lane's usage, now and then; other lanes are other workers'. */
  void drainInTurn() {
    if (++sinceDrained < DRAINED_EVERY) {
      return;
    }
    sinceDrained = 0;
    int polled = 0;
    for (UsageSlot slot = usage.poll(lane); slot != null; slot = usage.poll(lane)) {
      batch[polled++] = slot;
      if (polled == batch.length) {
        usage.acknowledge(batch, polled);
        polled = 0;
      }
    }
    usage.acknowledge(batch, polled);
  }

  private static void admitted(@Nullable Denial denial) {
    if (denial != null) {
      throw new IllegalStateException("a request that nothing speaks against met " + denial);
    }
  }
}
