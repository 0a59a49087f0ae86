package io.tollgrid.node.member;

import com.hazelcast.cluster.Cluster;
import com.hazelcast.cluster.ClusterState;
import com.hazelcast.cluster.Member;
import com.hazelcast.core.HazelcastInstance;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/** Hazelcast's own. Its master is the oldest member. */
final class HazelcastPartitionTable implements PartitionTable {
  private final HazelcastInstance hazelcast;

  HazelcastPartitionTable(HazelcastInstance hazelcast) {
    this.hazelcast = hazelcast;
  }

  @Override
  public boolean handedOutHere() {
    final Cluster cluster = hazelcast.getCluster();
    return cluster.getClusterState() == ClusterState.ACTIVE
        && cluster.getLocalMember().equals(cluster.getMembers().iterator().next());
  }

  @Override
  public int orphans() {
    return (int)
        hazelcast.getPartitionService().getPartitions().stream()
            .filter(partition -> partition.getOwner() == null)
            .count();
  }

  @Override
  public Set<UUID> members() {
    return hazelcast.getCluster().getMembers().stream()
        .map(Member::getUuid)
        .collect(Collectors.toSet());
  }
}
