package io.tollgrid.node.fence;

import java.util.Set;

/** What the partition table and the member list of this member say now. */
interface Ownership {
  /** The partitions this member owns. */
  Set<Integer> owned();

  /** Whether this member owns a partition. */
  boolean owns(int partition);

  /** Whether a majority of the expected members is here. */
  boolean majority();
}
