package io.tollgrid.verification.faults.run;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.cp.internal.RaftService;
import com.hazelcast.instance.impl.HazelcastInstanceProxy;

/**
 * Which member leads CP's groups.
 *
 * <p>Hazelcast publishes no such thing, so this reads its internals; it is part of the harness
 * only.
 */
final class CpLeader {
  private CpLeader() {}

  /** Whether this member leads one of them. */
  static boolean is(HazelcastInstance member) {
    if (!(member instanceof HazelcastInstanceProxy proxy)
        || !member.getLifecycleService().isRunning()) {
      return false;
    }
    final RaftService service =
        proxy.getOriginal().node.getNodeEngine().getService(RaftService.SERVICE_NAME);
    return service.getAllRaftNodes().stream()
        .anyMatch(group -> group.getLocalMember().equals(group.getLeader()));
  }
}
