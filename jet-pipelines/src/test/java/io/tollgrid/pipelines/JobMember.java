package io.tollgrid.pipelines;

import com.hazelcast.config.Config;
import com.hazelcast.config.JoinConfig;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.jet.Job;
import com.hazelcast.jet.core.JobStatus;
import com.hazelcast.jet.core.Processor;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.tollgrid.grid.GridNames;
import io.tollgrid.grid.GridSerialization;
import io.tollgrid.grid.JavaDeserialization;
import io.tollgrid.grid.MemberStages;
import io.tollgrid.grid.SystemClock;
import io.tollgrid.grid.usage.MemberInbox;
import io.tollgrid.grid.usage.RecorderSettings;
import io.tollgrid.grid.usage.UsageDoorbell;
import io.tollgrid.ledger.UsageVerdict;
import io.tollgrid.pipelines.ingest.IngestSettings;
import io.tollgrid.pipelines.maintenance.MonthWatch;
import io.tollgrid.pipelines.maintenance.Reconciliation;
import io.tollgrid.pipelines.maintenance.ReconciliationSettings;
import io.tollgrid.pipelines.maintenance.RegressionWatch;
import io.tollgrid.pipelines.maintenance.UnpaidUsageWatch;
import io.tollgrid.pipelines.maintenance.Watches;
import io.tollgrid.pipelines.sweep.Sweep;
import io.tollgrid.pipelines.sweep.SweepSettings;
import io.tollgrid.pipelines.testing.Eventually;
import io.tollgrid.pipelines.testing.ManualClock;
import io.tollgrid.pipelines.testing.ScriptedBooks;
import io.tollgrid.pipelines.testing.ScriptedDue;
import io.tollgrid.pipelines.testing.ScriptedLedgers;
import io.tollgrid.pipelines.testing.ScriptedMonths;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * One real member whose jobs sweep what the test says is due, in small pages and without pauses.
 */
final class JobMember implements AutoCloseable {
  static final Build BUILD = Build.of("2.0");
  static final SweepSettings SWEEPS =
      new SweepSettings(
          4,
          Duration.ofMillis(10).toNanos(),
          Duration.ofMinutes(5).toNanos(),
          8,
          2,
          Duration.ofMillis(1).toNanos(),
          Duration.ofMillis(20).toNanos(),
          100,
          Duration.ofSeconds(60).toNanos());
  static final IngestSettings INGEST =
      new IngestSettings(
          Duration.ofMillis(10).toNanos(),
          Duration.ofMillis(10).toNanos(),
          Duration.ofMillis(20).toNanos(),
          Duration.ofMillis(1).toNanos(),
          Duration.ofSeconds(4).toNanos(),
          new RecorderSettings(
              1_000,
              8,
              2,
              Duration.ofSeconds(10).toNanos(),
              Duration.ofSeconds(1).toNanos(),
              Duration.ofMillis(1).toNanos(),
              Duration.ofMillis(20).toNanos()));
  static final JobSettings JOBS =
      new JobSettings(
          Duration.ofMillis(1).toNanos(),
          Duration.ofMillis(20).toNanos(),
          0,
          Duration.ofMinutes(5).toNanos(),
          0);

  static final ReconciliationSettings RECONCILIATION =
      new ReconciliationSettings(4, 1, 0, 0, Duration.ofMillis(50).toNanos());

  static final Duration LATELY = Duration.ofHours(1);

  ScriptedDue leases = new ScriptedDue();
  ScriptedDue boundaries = new ScriptedDue();
  final ScriptedMonths months = new ScriptedMonths();
  final ScriptedBooks books = new ScriptedBooks();
  final Map<UsageVerdict, Long> unpaid = new ConcurrentHashMap<>();
  final AtomicLong regressions = new AtomicLong();
  final ManualClock later = new ManualClock();
  volatile Duration beyondSkew = Duration.ZERO;
  final SystemClock clock = new SystemClock();
  final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  final HazelcastInstance hazelcast;

  /** While set, no stage begins. */
  volatile @Nullable RuntimeException broken;

  private Pipelines pipelines = newPipelines();

  JobMember() {
    this("jobs-" + UUID.randomUUID(), List.of());
  }

  /** A member that joins those at the addresses. */
  JobMember(String cluster, List<String> addresses) {
    final Config config = config(cluster, addresses);
    config.getUserContext().put(MemberStages.CONTEXT_KEY, (MemberStages) this::newProcessor);
    config
        .getUserContext()
        .put(UsageDoorbell.CONTEXT_KEY, (UsageDoorbell) usage -> pipelines.left(usage));
    config.getMemberAttributeConfig().setAttribute(Build.MEMBER_ATTRIBUTE, BUILD.toString());
    hazelcast = Hazelcast.newHazelcastInstance(config);
  }

  static Config config(String cluster, List<String> addresses) {
    final Config config = new Config();
    config.setClusterName(cluster);
    config.setProperty("hazelcast.logging.type", "none");
    config.setProperty("hazelcast.phone.home.enabled", "false");
    config.setProperty("hazelcast.partition.count", "11");
    config.setProperty("hazelcast.wait.seconds.before.join", "0");
    config.getJetConfig().setEnabled(true);
    final JoinConfig join = config.getNetworkConfig().getJoin();
    join.getAutoDetectionConfig().setEnabled(false);
    join.getMulticastConfig().setEnabled(false);
    join.getTcpIpConfig().setEnabled(!addresses.isEmpty()).setMembers(addresses);
    config.getNetworkConfig().getInterfaces().setEnabled(true).addInterface("127.0.0.1");
    GridSerialization.configure(config.getSerializationConfig());
    config.addMapConfig(MemberInbox.mapConfig());
    config
        .getSerializationConfig()
        .setJavaSerializationFilterConfig(JavaDeserialization.allowList());
    return config;
  }

  private Pipelines newPipelines() {
    return new Pipelines(
        Map.of(Sweep.RECLAIM, leases, Sweep.ROLLOVER, boundaries),
        new Watches(
            new MonthWatch(months, clock),
            new UnpaidUsageWatch(() -> Map.copyOf(unpaid)),
            new Reconciliation(books, () -> true, clock, RECONCILIATION, registry),
            new RegressionWatch(regressions::get, later, LATELY),
            () -> beyondSkew),
        clock,
        SWEEPS,
        INGEST,
        JOBS,
        registry,
        alarm -> false);
  }

  private Processor newProcessor(String stage) {
    final @Nullable RuntimeException now = broken;
    if (now != null) {
      throw now;
    }
    return pipelines.newProcessor(stage);
  }

  Pipelines pipelines() {
    return pipelines;
  }

  /** Begins to serve, as a member of {@link #BUILD} or another build would. */
  JobSupervisor start(ScriptedLedgers ledgers, Build build) {
    return pipelines.start(hazelcast, ledgers, build);
  }

  /** Makes passes until a sweep's job of a build runs. */
  Job untilRuns(JobSupervisor supervisor, Sweep sweep, Build build) {
    return untilRuns(supervisor, sweep.label(), build);
  }

  /** Makes passes until a job of a build runs. */
  Job untilRuns(JobSupervisor supervisor, String label, Build build) {
    Eventually.until(
        label + " of build " + build + " runs",
        () -> {
          supervisor.pass();
          final Job job = hazelcast.getJet().getJob(name(label, build));
          return job != null && job.getStatus() == JobStatus.RUNNING;
        });
    supervisor.pass();
    return Objects.requireNonNull(hazelcast.getJet().getJob(name(label, build)));
  }

  Job job(Sweep sweep, Build build) {
    return Objects.requireNonNull(hazelcast.getJet().getJob(name(sweep, build)));
  }

  @Nullable JobStatus status(Sweep sweep, Build build) {
    final Job job = hazelcast.getJet().getJob(name(sweep, build));
    return job == null ? null : job.getStatus();
  }

  static String name(Sweep sweep, Build build) {
    return name(sweep.label(), build);
  }

  private static String name(String label, Build build) {
    return "tollgrid-" + label + "@" + build;
  }

  double count(String name, String... tags) {
    return registry.get(name).tags(tags).counters().stream().mapToDouble(c -> c.count()).sum();
  }

  double gauge(String name, String... tags) {
    return registry.get(name).tags(tags).gauge().value();
  }

  /** A member's part that begins anew, as after a restart of its process. */
  void newStart() {
    pipelines.close();
    registry.clear();
    pipelines = newPipelines();
  }

  /** Ends all jobs, and forgets what was due and served. */
  void reset() {
    broken = null;
    hazelcast.getJet().getJobs().forEach(JobMember::end);
    hazelcast.getMap(GridNames.USAGE_INBOX).clear();
    leases = new ScriptedDue();
    boundaries = new ScriptedDue();
    months.heal();
    books.heal();
    unpaid.clear();
    regressions.set(0);
    beyondSkew = Duration.ZERO;
    newStart();
  }

  private static void end(Job job) {
    if (!job.getStatus().isTerminal()) {
      job.cancel();
      Eventually.until("a job ended", () -> job.getStatus().isTerminal());
    }
  }

  @Override
  public void close() {
    hazelcast.getLifecycleService().terminate();
  }
}
