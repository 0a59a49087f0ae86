package io.tollgrid.pipelines;

import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.config.Config;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import io.tollgrid.pipelines.sweep.Sweep;
import io.tollgrid.pipelines.testing.Eventually;
import io.tollgrid.pipelines.testing.ScriptedLedgers;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/**
 * Witnesses architecture §6 where the master is a lite member inside a service: it has no stages,
 * reads the graph of every job all the same, and leaves the work to the data members.
 */
class LiteMasterTest {
  @Test
  void aLiteMemberLeadsJobsAndDoesNoneOfTheirWork() {
    final String cluster = "lite-" + UUID.randomUUID();
    final Config config = JobMember.config(cluster, List.of("127.0.0.1"));
    config.setLiteMember(true);
    final HazelcastInstance master = Hazelcast.newHazelcastInstance(config);
    final String address =
        "127.0.0.1:" + master.getCluster().getLocalMember().getAddress().getPort();
    try (JobMember member = new JobMember(cluster, List.of(address))) {
      assertThat(member.hazelcast.getCluster().getMembers().iterator().next().isLiteMember())
          .as("the oldest member is the master")
          .isTrue();
      member.leases.add(1, member.clock.nowNanos() - 1);
      final JobSupervisor supervisor =
          member.start(ScriptedLedgers.willing(member.leases), JobMember.BUILD);

      member.untilRuns(supervisor, Sweep.RECLAIM, JobMember.BUILD);

      Eventually.until("what was due is served", () -> member.leases.size() == 0);
    } finally {
      master.getLifecycleService().terminate();
    }
  }
}
