package io.tollgrid.node.local;

import io.tollgrid.client.InstanceGrid;
import io.tollgrid.client.InstanceRuntime;
import io.tollgrid.client.InstanceSettings;
import io.tollgrid.client.ShutdownReport;
import io.tollgrid.ledger.port.IdSource;
import io.tollgrid.ledger.port.LedgerClock;
import io.tollgrid.node.TollgridNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Service instances in this process, each with a ledger client of its own that holds no operator
 * key. Not thread-safe.
 */
public final class Fleet implements AutoCloseable {
  private static final Duration STOP_WITHIN = Duration.ofSeconds(30);

  private final List<InstanceGrid> grids = new ArrayList<>();
  private final List<InstanceRuntime> instances = new ArrayList<>();

  /** Starts this many instances on a node's grid. */
  public Fleet(
      TollgridNode node, int size, LedgerClock clock, IdSource ids, InstanceSettings settings) {
    for (int i = 1; i <= size; i++) {
      final InstanceGrid grid =
          InstanceGrid.of(node.hazelcast(), "instance-" + i, clock, node.metrics());
      grids.add(grid);
      instances.add(InstanceRuntime.start(grid, clock, ids, settings));
    }
  }

  /** The instances, in order. */
  public List<InstanceRuntime> instances() {
    return List.copyOf(instances);
  }

  /**
   * Shuts every instance down in order, leases released.
   *
   * @return what each left behind
   */
  public List<ShutdownReport> shutdown() throws InterruptedException {
    final List<ShutdownReport> reports = new ArrayList<>();
    for (final InstanceRuntime instance : instances) {
      reports.add(instance.shutdown(STOP_WITHIN));
    }
    return reports;
  }

  @Override
  public void close() {
    instances.forEach(InstanceRuntime::close);
    grids.forEach(InstanceGrid::close);
  }
}
