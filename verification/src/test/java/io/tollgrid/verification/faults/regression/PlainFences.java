package io.tollgrid.verification.faults.regression;

import io.tollgrid.ledger.port.HeldFences;
import io.tollgrid.mapstore.fence.FencesAtRest;
import java.sql.SQLException;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Fences that PostgreSQL issues on request and that are kept whatever happens to the cluster,
 * unless the store drops one.
 */
final class PlainFences implements HeldFences, AutoCloseable {
  private final FencesAtRest atRest;
  private final Map<Integer, Long> held = new ConcurrentHashMap<>();
  private final Set<Integer> asked = ConcurrentHashMap.newKeySet();
  private final ExecutorService executor = Executors.newSingleThreadExecutor();
  private volatile boolean issuing = true;

  PlainFences(FencesAtRest atRest) {
    this.atRest = atRest;
  }

  /** From now on nothing is issued: this member never becomes an owner that may write. */
  void stopIssuing() {
    issuing = false;
  }

  @Override
  public OptionalLong held(int partition) {
    final Long fence = held.get(partition);
    return fence == null ? OptionalLong.empty() : OptionalLong.of(fence);
  }

  @Override
  public void request(int partition) {
    if (issuing && asked.add(partition)) {
      executor.execute(() -> issue(partition));
    }
  }

  @Override
  public void drop(int partition, long fence) {
    held.remove(partition, fence);
  }

  private void issue(int partition) {
    try {
      held.putAll(atRest.issue(Set.of(partition)));
    } catch (SQLException e) {
      throw new IllegalStateException("no fence for partition " + partition, e);
    } finally {
      asked.remove(partition);
    }
  }

  @Override
  public void close() {
    executor.shutdownNow();
  }
}
