package io.tollgrid.node.fence;

import java.sql.SQLException;
import java.util.Map;
import java.util.Set;

/** The fences at rest, which PostgreSQL enforces. Blocks, bounded by its sessions' settings. */
public interface FenceStore {
  /** The fences in force; what is drawn next must be above them. */
  Map<Integer, Long> floors(Set<Integer> partitions) throws SQLException;

  /**
   * Puts fences in force in one transaction, after every write under older ones has ended.
   *
   * @return those that now are in force; the others were drawn too low
   */
  Map<Integer, Long> raise(Map<Integer, Long> fenceByPartition) throws SQLException;

  /** Issues the next fence of each partition and puts it in force, in one transaction. */
  Map<Integer, Long> issue(Set<Integer> partitions) throws SQLException;
}
