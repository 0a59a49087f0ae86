package io.tollgrid.verification.bench.footprint;

import io.tollgrid.client.Instance;
import io.tollgrid.client.InstanceGrid;
import io.tollgrid.client.InstanceSettings;
import io.tollgrid.grid.ChangeFeed;
import io.tollgrid.grid.RandomIds;
import io.tollgrid.grid.usage.LocalUsageInbox;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/** An instance with the settings of the product, in virtual time, and its worker. */
final class VirtualInstance {
  /** While requests come: much less than a lease lasts, however many accounts there are. */
  private static final long BUSY_TICK_NANOS = 10_000;

  /** No two runs of an idle instance are closer together. */
  private static final long IDLE_TICK_NANOS = 1_000_000;

  private static final Duration LONGEST_WAIT = Duration.ofMinutes(30);

  private final VirtualGrid grid;
  private final Instance instance;
  private final Requests requests;

  VirtualInstance(VirtualGrid grid) {
    this.grid = grid;
    this.instance =
        new Instance(
            new InstanceGrid(
                grid.ledgers(),
                grid.authority(),
                ChangeFeed.silent(),
                new LocalUsageInbox(grid.ledgers(), grid)),
            new RandomIds(),
            InstanceSettings.DEFAULTS,
            () -> {});
    this.requests = new Requests(instance);
  }

  /** Serves one request of every principal, once all are known, and has its usage recorded. */
  void touchAll() {
    idleUntil(this::knowsAll);
    for (int principal = 0; principal < grid.authority().principals(); principal++) {
      while (!requests.serve(principal, grid.nowNanos())) {
        instance.run(grid.nowNanos());
        grid.moveTo(grid.nowNanos() + BUSY_TICK_NANOS);
      }
    }
    idleUntil(instance::isDrained);
  }

  private boolean knowsAll() {
    return instance.admission().principals().activePrincipals() == grid.authority().principals();
  }

  /** Lets time pass until {@code condition} holds; looks ten times a second. */
  void idleUntil(BooleanSupplier condition) {
    final long longestNanos = grid.nowNanos() + LONGEST_WAIT.toNanos();
    while (!condition.getAsBoolean()) {
      if (grid.nowNanos() > longestNanos) {
        throw new IllegalStateException("what was waited for did not come in " + LONGEST_WAIT);
      }
      idle(Duration.ofMillis(100));
    }
  }

  /** Lets time pass without a request. */
  void idle(Duration time) {
    final long untilNanos = grid.nowNanos() + time.toNanos();
    while (grid.nowNanos() < untilNanos) {
      final long next = instance.run(grid.nowNanos());
      grid.moveTo(Math.min(untilNanos, Math.max(next, grid.nowNanos() + IDLE_TICK_NANOS)));
    }
  }
}
