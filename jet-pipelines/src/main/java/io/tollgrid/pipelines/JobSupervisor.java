package io.tollgrid.pipelines;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.jet.JetService;
import com.hazelcast.jet.Job;
import com.hazelcast.jet.core.DAG;
import io.micrometer.core.instrument.MeterRegistry;
import io.tollgrid.ledger.port.LedgerClock;
import io.tollgrid.pipelines.ingest.MemberIngest;
import io.tollgrid.pipelines.sweep.MemberSweep;
import io.tollgrid.pipelines.sweep.Sweep;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps each job running, on every member alike.
 *
 * <p>A job dies with its cluster, and one that failed or was cancelled stays so; it is submitted
 * again, with pauses that grow while it keeps ending. A job that was suspended is left to whoever
 * suspended it, and alarmed. Jobs carry the build they were submitted by. While members of several
 * builds are there, the newest build's jobs are the ones that run: its members cancel the others,
 * and the others' members only watch. Members that race are harmless, since the grid refuses a
 * second job of the same name. One thread makes the passes; {@link #jobs} is safe for use by any.
 */
public final class JobSupervisor {
  private static final Logger LOG = LoggerFactory.getLogger(JobSupervisor.class);

  private final HazelcastInstance member;
  private final Build build;
  private final LedgerClock clock;
  private final JobSettings settings;
  private final List<WatchedJob> jobs;
  private final Set<Long> othersEnded = new HashSet<>();
  private long othersFromNanos = Long.MIN_VALUE;

  JobSupervisor(
      HazelcastInstance member,
      Build build,
      LedgerClock clock,
      JobSettings settings,
      MeterRegistry registry) {
    this.member = member;
    this.build = build;
    this.clock = clock;
    this.settings = settings;
    final Map<String, Supplier<DAG>> graphs = new LinkedHashMap<>();
    for (final Sweep sweep : Sweep.values()) {
      graphs.put(sweep.label(), () -> MemberSweep.graph(sweep));
    }
    graphs.put(MemberIngest.LABEL, MemberIngest::graph);
    this.jobs =
        graphs.entrySet().stream()
            .map(
                job ->
                    new WatchedJob(job.getKey(), job.getValue(), build, clock, settings, registry))
            .toList();
  }

  /** What is known of each job. */
  public List<JobHealth> jobs() {
    return jobs.stream().map(WatchedJob::health).toList();
  }

  /**
   * Looks at every job once.
   *
   * @throws RuntimeException if the grid did not answer about one of them; the others were looked
   *     at
   */
  public void pass() {
    final JetService jet = member.getJet();
    final Build newest = newestPresent();
    @Nullable RuntimeException failure = null;
    for (final WatchedJob job : jobs) {
      try {
        job.look(jet, newest);
      } catch (RuntimeException e) {
        failure = e;
      }
    }
    if (failure != null) {
      throw failure;
    }
    final long now = clock.nowNanos();
    if (newest.equals(build) && now >= othersFromNanos) {
      othersFromNanos = now + settings.othersEveryNanos();
      cancelOthers(jet);
    }
  }

  private Build newestPresent() {
    return member.getCluster().getMembers().stream()
        .filter(other -> !other.isLiteMember())
        .flatMap(other -> Build.shown(other.getAttribute(Build.MEMBER_ATTRIBUTE)).stream())
        .max(Comparator.naturalOrder())
        .filter(newest -> newest.compareTo(build) > 0)
        .orElse(build);
  }

  /** Jobs of builds that are older, or newer ones of which no member is left. */
  private void cancelOthers(JetService jet) {
    final List<Job> all = jet.getJobs();
    for (final Job job : all) {
      if (!job.isLightJob() && !othersEnded.contains(job.getId()) && isOthers(job)) {
        if (job.getStatus().isTerminal()) {
          othersEnded.add(job.getId());
        } else {
          LOG.info("job {} is of another build and ends; build {} runs its own", job, build);
          job.cancel();
        }
      }
    }
    othersEnded.retainAll(all.stream().map(Job::getId).toList());
  }

  private boolean isOthers(Job job) {
    final String name = Objects.requireNonNullElse(job.getName(), "");
    return name.startsWith(WatchedJob.PREFIX) && !name.endsWith("@" + build);
  }
}
