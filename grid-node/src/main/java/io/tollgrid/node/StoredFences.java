package io.tollgrid.node;

import io.tollgrid.mapstore.fence.FencesAtRest;
import io.tollgrid.node.fence.FenceStore;
import java.sql.SQLException;
import java.util.Map;
import java.util.Set;

/** The fences at rest, as fencing wants them. */
record StoredFences(FencesAtRest fences) implements FenceStore {
  @Override
  public Map<Integer, Long> floors(Set<Integer> partitions) throws SQLException {
    return fences.floors(partitions);
  }

  @Override
  public Map<Integer, Long> raise(Map<Integer, Long> fenceByPartition) throws SQLException {
    return fences.raise(fenceByPartition);
  }

  @Override
  public Map<Integer, Long> issue(Set<Integer> partitions) throws SQLException {
    return fences.issue(partitions);
  }
}
