package io.tollgrid.node;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.HazelcastInstanceAware;
import com.hazelcast.core.LifecycleEvent;
import com.hazelcast.core.LifecycleListener;
import io.tollgrid.ledger.LedgerCode;
import io.tollgrid.ledger.port.LedgerCodeException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The member for parts that exist before it: the grid sets it before the member joins, so before
 * any operation can reach those parts.
 */
final class MemberHandle implements LifecycleListener, HazelcastInstanceAware {
  private final Runnable endedByItself;
  private volatile @Nullable HazelcastInstance member;
  private volatile boolean stopping;

  /**
   * @param endedByItself called when the member shut down and nobody asked it to
   */
  MemberHandle(Runnable endedByItself) {
    this.endedByItself = endedByItself;
  }

  @Override
  public void setHazelcastInstance(HazelcastInstance instance) {
    member = instance;
  }

  @Override
  public void stateChanged(LifecycleEvent event) {
    if (event.getState() == LifecycleEvent.LifecycleState.SHUTDOWN && !stopping) {
      endedByItself.run();
    }
  }

  /**
   * Looks whether the member still runs, once it has started: one that cannot finish the discovery
   * of CP ends without an event.
   */
  void look() {
    final HazelcastInstance here = member;
    if (here != null && !stopping && !here.getLifecycleService().isRunning()) {
      stopping = true;
      endedByItself.run();
    }
  }

  /** Says that the next shutdown is ours. */
  void expectShutdown() {
    stopping = true;
  }

  /** The member, once there is one. */
  Optional<HazelcastInstance> member() {
    return Optional.ofNullable(member);
  }

  /** The ledger partition of a key. */
  int partitionOf(String key) {
    final HazelcastInstance here = member;
    if (here == null) {
      throw new LedgerCodeException(LedgerCode.NO_FENCE, "this member has not started yet");
    }
    return here.getPartitionService().getPartition(key).getPartitionId();
  }
}
