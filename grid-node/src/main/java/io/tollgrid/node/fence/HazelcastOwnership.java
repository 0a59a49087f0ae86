package io.tollgrid.node.fence;

import com.hazelcast.cluster.Member;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.partition.Partition;
import java.util.Set;
import java.util.TreeSet;

/** What Hazelcast's partition table and member list say. */
final class HazelcastOwnership implements Ownership {
  private final HazelcastInstance hazelcast;
  private final int majority;

  /**
   * @param majority data members without which nothing is drawn
   */
  HazelcastOwnership(HazelcastInstance hazelcast, int majority) {
    this.hazelcast = hazelcast;
    this.majority = majority;
  }

  @Override
  public Set<Integer> owned() {
    final Member local = hazelcast.getCluster().getLocalMember();
    final Set<Integer> owned = new TreeSet<>();
    for (final Partition partition : hazelcast.getPartitionService().getPartitions()) {
      if (local.equals(partition.getOwner())) {
        owned.add(partition.getPartitionId());
      }
    }
    return owned;
  }

  @Override
  public boolean owns(int partition) {
    // Partitions are listed by id.
    for (final Partition candidate : hazelcast.getPartitionService().getPartitions()) {
      if (candidate.getPartitionId() == partition) {
        return hazelcast.getCluster().getLocalMember().equals(candidate.getOwner());
      }
    }
    return false;
  }

  @Override
  public boolean majority() {
    return dataMembers() >= majority;
  }

  /** Members that hold data, as far as this member sees. */
  int dataMembers() {
    return (int)
        hazelcast.getCluster().getMembers().stream()
            .filter(member -> !member.isLiteMember())
            .count();
  }

  /** The data members, the oldest first. */
  ClusterView view() {
    return new ClusterView(
        hazelcast.getCluster().getMembers().stream()
            .filter(member -> !member.isLiteMember())
            .map(member -> Addresses.of(member.getAddress()))
            .toList(),
        Addresses.of(hazelcast.getCluster().getLocalMember().getAddress()));
  }
}
