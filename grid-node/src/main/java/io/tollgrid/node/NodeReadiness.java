package io.tollgrid.node;

import com.hazelcast.core.HazelcastInstance;
import io.tollgrid.node.background.BackgroundTask;
import io.tollgrid.node.config.NodeConfig;
import io.tollgrid.node.fence.FenceKeeper;
import io.tollgrid.node.fence.Fencing;
import io.tollgrid.node.http.ReadinessReport;
import io.tollgrid.pipelines.JobHealth;
import io.tollgrid.pipelines.Pipelines;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Whether a node would serve ledger commands now (R39). Needs no CP: fences can be had without.
 *
 * <p>Reads only what background tasks saw last, so it never blocks; a task that is dead is a reason
 * of its own, before what it no longer sees can be believed. Jobs are shown and withdraw nothing:
 * ledgers do without them, for a while.
 */
final class NodeReadiness {
  private final NodeConfig config;
  private final MemberHandle handle;
  private final Fencing fencing;
  private final DatabaseWatch watch;
  private final Pipelines pipelines;
  private final List<BackgroundTask> tasks;
  private volatile boolean stopping;

  NodeReadiness(
      NodeConfig config,
      MemberHandle handle,
      Fencing fencing,
      DatabaseWatch watch,
      Pipelines pipelines,
      List<BackgroundTask> tasks) {
    this.config = config;
    this.handle = handle;
    this.fencing = fencing;
    this.watch = watch;
    this.pipelines = pipelines;
    this.tasks = tasks;
  }

  /** From now on the answer is no. */
  void stopping() {
    stopping = true;
  }

  ReadinessReport report() {
    final List<String> reasons = new ArrayList<>();
    final Map<String, Object> counts = new LinkedHashMap<>();
    final FenceKeeper.Coverage fences = fencing.coverage();
    final int members = members();
    counts.put("members", members);
    counts.put("expectedMembers", config.cluster().expectedMembers());
    counts.put("majority", config.cluster().majority());
    counts.put("partitionsOwned", fences.owned());
    counts.put("fencesHeld", fences.held());
    counts.put("database", watch.answers() ? "answers" : "does not answer");
    counts.put("cp", fencing.cpReachable() ? "answers" : "does not answer");
    counts.put(
        "jobs",
        pipelines.jobs().stream().collect(Collectors.toMap(JobHealth::name, JobHealth::status)));
    counts.put("alarms", pipelines.alarms());
    if (stopping) {
      reasons.add("this node is stopping");
    }
    deadTasks(reasons);
    if (!watch.answers()) {
      reasons.add("PostgreSQL does not answer");
    }
    if (watch.clockTooFarAhead()) {
      reasons.add("this member's clock is further ahead of PostgreSQL's than ledger.maxSkew");
    }
    if (members == 0) {
      reasons.add("the member has not joined yet");
    } else if (members < config.cluster().majority() || !fences.majority()) {
      reasons.add(
          "the cluster has "
              + members
              + " members, and ledgers need "
              + config.cluster().majority());
    } else if (fences.held() < fences.owned()) {
      reasons.add(
          (fences.owned() - fences.held())
              + " of "
              + fences.owned()
              + " partitions wait for their ownership fence");
    }
    return new ReadinessReport(List.copyOf(reasons), counts);
  }

  private void deadTasks(List<String> reasons) {
    final List<BackgroundTask> all = new ArrayList<>(tasks);
    all.addAll(fencing.tasks());
    for (final BackgroundTask task : all) {
      if (!task.alive()) {
        reasons.add("the task \"" + task.name() + "\" does not run");
      }
    }
  }

  private int members() {
    return handle
        .member()
        .filter(member -> member.getLifecycleService().isRunning())
        .map(NodeReadiness::dataMembers)
        .orElse(0);
  }

  private static int dataMembers(HazelcastInstance member) {
    return (int)
        member.getCluster().getMembers().stream().filter(other -> !other.isLiteMember()).count();
  }
}
