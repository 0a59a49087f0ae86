package io.tollgrid.node.member;

import java.util.Set;
import java.util.UUID;

/** What the member watch needs to know of the cluster's partition table. */
interface PartitionTable {
  /** Whether this member hands out partitions, and is free to: the cluster is active. */
  boolean handedOutHere();

  /** Partitions whose owner, as far as this member sees, is no member of the cluster. */
  int orphans();

  /** The members. */
  Set<UUID> members();
}
