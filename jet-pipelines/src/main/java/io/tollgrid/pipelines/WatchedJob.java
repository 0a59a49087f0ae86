package io.tollgrid.pipelines;

import com.hazelcast.jet.JetService;
import com.hazelcast.jet.Job;
import com.hazelcast.jet.config.JobConfig;
import com.hazelcast.jet.config.ProcessingGuarantee;
import com.hazelcast.jet.core.DAG;
import com.hazelcast.jet.core.JobStatus;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.tollgrid.client.Backoff;
import io.tollgrid.ledger.port.LedgerClock;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** One job that should always run. Looked at by one thread; its health may be asked for by any. */
final class WatchedJob {
  static final String PREFIX = "tollgrid-";

  private static final String UNKNOWN = "UNKNOWN";

  private static final Logger LOG = LoggerFactory.getLogger(WatchedJob.class);

  private final String label;
  private final Supplier<DAG> graph;
  private final Build build;
  private final LedgerClock clock;
  private final JobSettings settings;
  private final Backoff backoff;
  private final Counter restarts;
  private boolean seen;
  private long notBeforeNanos = Long.MIN_VALUE;
  private long runningSinceNanos;

  private volatile String name;
  private volatile String status = UNKNOWN;
  private volatile long notRunningSinceNanos;
  private volatile long lookedNanos;
  private volatile boolean running;

  WatchedJob(
      String label,
      Supplier<DAG> graph,
      Build build,
      LedgerClock clock,
      JobSettings settings,
      MeterRegistry registry) {
    this.label = label;
    this.graph = graph;
    this.build = build;
    this.clock = clock;
    this.settings = settings;
    this.name = nameOf(build);
    this.notRunningSinceNanos = clock.nowNanos();
    this.backoff =
        new Backoff(
            settings.firstBackoffNanos(), settings.longestBackoffNanos(), new SplittableRandom());
    this.restarts = Counter.builder("tollgrid.job.restarts").tag("job", label).register(registry);
    Gauge.builder(
            "tollgrid.job.running", this, job -> job.health().notRunningNanos().isEmpty() ? 1 : 0)
        .tag("job", label)
        .strongReference(true)
        .register(registry);
  }

  private String nameOf(Build of) {
    return PREFIX + label + "@" + of;
  }

  /**
   * Looks at the job of the newest build, and submits it if that is ours and it has ended.
   *
   * @param newest the newest build in the cluster
   */
  void look(JetService jet, Build newest) {
    name = nameOf(newest);
    final @Nullable JobStatus now;
    try {
      final @Nullable Job job = jet.getJob(name);
      now = job == null ? null : job.getStatus();
    } catch (RuntimeException e) {
      saw(UNKNOWN, false);
      throw e;
    }
    saw(now == null ? "ABSENT" : now.name(), now == JobStatus.RUNNING);
    if (newest.equals(build)
        && (now == null || now.isTerminal())
        && clock.nowNanos() >= notBeforeNanos) {
      submit(jet);
    }
  }

  private void saw(String what, boolean runs) {
    final long now = clock.nowNanos();
    lookedNanos = now;
    if (runs) {
      seen = true;
      runningSinceNanos = running ? runningSinceNanos : now;
      if (now - runningSinceNanos >= settings.longestBackoffNanos()) {
        backoff.reset();
      }
    } else if (running) {
      notRunningSinceNanos = now;
    }
    running = runs;
    status = what;
  }

  private void submit(JetService jet) {
    notBeforeNanos = clock.nowNanos() + backoff.nextNanos();
    final JobConfig config =
        new JobConfig()
            .setName(name)
            .setProcessingGuarantee(ProcessingGuarantee.NONE)
            .setAutoScaling(true);
    final var unused = jet.newJobIfAbsent(graph.get(), config);
    if (seen) {
      restarts.increment();
      LOG.atLevel(backoff.isWorthAWarning() ? Level.WARN : Level.INFO)
          .log("job {} had ended and was submitted again", name);
    }
    seen = true;
  }

  /** A job at which nobody looks any more is not known to run. */
  JobHealth health() {
    final long now = clock.nowNanos();
    final boolean unseen = now - lookedNanos > settings.unseenNanos();
    return new JobHealth(
        name,
        running && unseen ? UNKNOWN : status,
        Math.round(restarts.count()),
        running && !unseen
            ? OptionalLong.empty()
            : OptionalLong.of(Math.max(0, now - (running ? lookedNanos : notRunningSinceNanos))));
  }
}
