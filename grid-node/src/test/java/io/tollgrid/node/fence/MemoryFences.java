package io.tollgrid.node.fence;

import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Fences at rest in memory, and what was done to them. */
final class MemoryFences implements FenceStore {
  final Map<Integer, Long> atRest = new ConcurrentHashMap<>();
  volatile boolean away;

  /** The fence in force. */
  long fence(int partition) {
    return atRest.getOrDefault(partition, 0L);
  }

  @Override
  public Map<Integer, Long> floors(Set<Integer> partitions) throws SQLException {
    check();
    final Map<Integer, Long> floors = new HashMap<>();
    partitions.forEach(partition -> floors.put(partition, fence(partition)));
    return floors;
  }

  @Override
  public Map<Integer, Long> raise(Map<Integer, Long> fenceByPartition) throws SQLException {
    check();
    final Map<Integer, Long> raised = new HashMap<>();
    fenceByPartition.forEach(
        (partition, fence) -> {
          if (fence(partition) < fence) {
            atRest.put(partition, fence);
            raised.put(partition, fence);
          }
        });
    return raised;
  }

  @Override
  public Map<Integer, Long> issue(Set<Integer> partitions) throws SQLException {
    check();
    final Map<Integer, Long> issued = new HashMap<>();
    partitions.forEach(
        partition -> issued.put(partition, atRest.merge(partition, 1L, Math::addExact)));
    return issued;
  }

  private void check() throws SQLException {
    if (away) {
      throw new SQLException("away");
    }
  }
}
