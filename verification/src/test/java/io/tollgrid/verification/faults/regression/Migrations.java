package io.tollgrid.verification.faults.regression;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.instance.impl.HazelcastInstanceProxy;

/**
 * The migrations under way.
 *
 * <p>Hazelcast publishes their beginnings and ends, to listeners and late, so this reads its
 * internals.
 */
final class Migrations {
  private Migrations() {}

  /** Whether a member takes a partition of its own for migrating. */
  static boolean isMigrating(HazelcastInstance member, int partition) {
    return ((HazelcastInstanceProxy) member)
        .getOriginal()
        .node
        .getPartitionService()
        .getPartition(partition)
        .isMigrating();
  }
}
