package io.tollgrid.node.fence;

import com.hazelcast.cluster.MembershipEvent;
import com.hazelcast.cluster.MembershipListener;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.HazelcastInstanceAware;
import com.hazelcast.core.LifecycleEvent;
import com.hazelcast.core.LifecycleListener;
import com.hazelcast.partition.MigrationListener;
import com.hazelcast.partition.MigrationState;
import com.hazelcast.partition.PartitionLostEvent;
import com.hazelcast.partition.PartitionLostListener;
import com.hazelcast.partition.ReplicaMigrationEvent;
import com.hazelcast.splitbrainprotection.SplitBrainProtectionEvent;
import com.hazelcast.splitbrainprotection.SplitBrainProtectionListener;
import org.jspecify.annotations.Nullable;

/**
 * Tells the keeper of fences what happens to the cluster, as soon as the grid says so.
 *
 * <p>Events make it quick; the keeper's own look at the partition table makes it certain.
 */
final class FenceEvents
    implements MigrationListener,
        PartitionLostListener,
        MembershipListener,
        LifecycleListener,
        HazelcastInstanceAware,
        SplitBrainProtectionListener {
  private final FenceKeeper keeper;
  private volatile @Nullable HazelcastInstance member;

  FenceEvents(FenceKeeper keeper) {
    this.keeper = keeper;
  }

  @Override
  public void setHazelcastInstance(HazelcastInstance instance) {
    member = instance;
  }

  @Override
  public void migrationStarted(MigrationState state) {}

  @Override
  public void migrationFinished(MigrationState state) {
    keeper.ownershipChanged();
  }

  @Override
  public void replicaMigrationCompleted(ReplicaMigrationEvent event) {
    changed(event);
  }

  @Override
  public void replicaMigrationFailed(ReplicaMigrationEvent event) {
    changed(event);
  }

  /** A migration that failed counts too: both sides may have acted on it before it rolled back. */
  private void changed(ReplicaMigrationEvent event) {
    if (event.getReplicaIndex() != 0) {
      return;
    }
    final HazelcastInstance here = member;
    if (here != null
        && event.getSource() != null
        && event.getSource().equals(here.getCluster().getLocalMember())) {
      keeper.partitionLeft(event.getPartitionId());
    }
    keeper.ownershipChanged();
  }

  @Override
  public void partitionLost(PartitionLostEvent event) {
    keeper.ownershipChanged();
  }

  @Override
  public void memberAdded(MembershipEvent event) {
    keeper.ownershipChanged();
  }

  @Override
  public void memberRemoved(MembershipEvent event) {
    keeper.ownershipChanged();
  }

  @Override
  public void stateChanged(LifecycleEvent event) {
    switch (event.getState()) {
      case MERGING, MERGED -> keeper.dropAll("merged");
      default -> {}
    }
  }

  @Override
  public void onChange(SplitBrainProtectionEvent event) {
    if (!event.isPresent()) {
      keeper.dropAll("minority");
    } else {
      keeper.ownershipChanged();
    }
  }
}
