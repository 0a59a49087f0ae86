package io.tollgrid.pipelines;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.jet.core.Processor;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.tollgrid.grid.LedgerClient;
import io.tollgrid.grid.MemberStages;
import io.tollgrid.grid.usage.LeftUsage;
import io.tollgrid.grid.usage.UsageDoorbell;
import io.tollgrid.ledger.port.LedgerClock;
import io.tollgrid.mapstore.sweep.DueAccounts;
import io.tollgrid.pipelines.ingest.IngestSettings;
import io.tollgrid.pipelines.ingest.MemberIngest;
import io.tollgrid.pipelines.maintenance.Watches;
import io.tollgrid.pipelines.sweep.DueReads;
import io.tollgrid.pipelines.sweep.MemberSweep;
import io.tollgrid.pipelines.sweep.Sweep;
import io.tollgrid.pipelines.sweep.SweepSettings;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A member's part in the jobs.
 *
 * <p>It is put into the member's user context ({@link MemberStages#CONTEXT_KEY}, {@link
 * UsageDoorbell#CONTEXT_KEY}) before the member joins, because jobs that run already reach a member
 * as soon as it is there; their stages wait until {@link #start} says how ledgers are reached.
 * Thread-safe.
 */
public final class Pipelines implements MemberStages, UsageDoorbell, AutoCloseable {
  /** Whom the journal names for what the sweeps do. */
  public static final String ACTOR = "sweeps";

  private final LedgerClock clock;
  private final JobSettings jobSettings;
  private final MeterRegistry registry;
  private final List<MemberSweep> sweeps;
  private final MemberIngest ingest;
  private final Watches watches;
  private final Predicate<Alarm> blind;
  private volatile @Nullable LedgerClient ledgers;
  private volatile @Nullable JobSupervisor supervisor;

  /**
   * A member's part that does nothing before {@link #start}.
   *
   * @param reads what is due, for each sweep
   * @param watches what is watched in PostgreSQL
   * @param blind alarms that never fire: a harness's way to see that their self-tests would notice
   */
  public Pipelines(
      Map<Sweep, DueReads> reads,
      Watches watches,
      LedgerClock clock,
      SweepSettings sweepSettings,
      IngestSettings ingestSettings,
      JobSettings jobSettings,
      MeterRegistry registry,
      Predicate<Alarm> blind) {
    this.watches = watches;
    this.blind = blind;
    this.clock = clock;
    this.jobSettings = jobSettings;
    this.registry = registry;
    this.sweeps =
        Arrays.stream(Sweep.values())
            .map(
                sweep ->
                    new MemberSweep(
                        sweep,
                        Objects.requireNonNull(reads.get(sweep)),
                        () -> ledgers,
                        clock,
                        sweepSettings,
                        registry))
            .toList();
    this.ingest = new MemberIngest(() -> ledgers, clock, ingestSettings, registry);
    for (final Alarm alarm : Alarm.values()) {
      Gauge.builder("tollgrid.alarm", this, here -> here.causes(alarm).isEmpty() ? 0 : 1)
          .tag("name", alarm.name())
          .strongReference(true)
          .register(registry);
    }
  }

  /** What is due according to PostgreSQL. */
  public static Map<Sweep, DueReads> reads(DueAccounts due) {
    return Map.of(
        Sweep.RECLAIM, due::withDueLeases,
        Sweep.ROLLOVER, due::withDueBoundaries);
  }

  @Override
  public Processor newProcessor(String stage) {
    return Stream.concat(
            sweeps.stream().map(sweep -> sweep.newProcessor(stage)),
            Stream.of(stage).map(ingest::newProcessor))
        .filter(Objects::nonNull)
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException("this member knows no stage " + stage + " of a job"));
  }

  /**
   * Begins to serve, once the member has joined.
   *
   * @param client sends the sweeps' commands, as {@link #ACTOR}; closed by whoever made it, after
   *     this
   * @param build the build of this member
   * @return what keeps the jobs running, one pass at a time
   */
  public JobSupervisor start(HazelcastInstance member, LedgerClient client, Build build) {
    final JobSupervisor started = new JobSupervisor(member, build, clock, jobSettings, registry);
    ledgers = client;
    supervisor = started;
    return started;
  }

  /** What is known of each job; none before the start. */
  public List<JobHealth> jobs() {
    final @Nullable JobSupervisor started = supervisor;
    return started == null ? List.of() : started.jobs();
  }

  /** Why alarms fire here now, one sentence each; none if all is well. */
  public List<String> alarms() {
    return Arrays.stream(Alarm.values()).flatMap(alarm -> causes(alarm).stream()).toList();
  }

  private List<String> causes(Alarm alarm) {
    return blind.test(alarm) ? List.of() : alarm.causes(this);
  }

  /** Each sweep as this member takes part in it. */
  List<MemberSweep> sweeps() {
    return sweeps;
  }

  /** Usage ingest as this member takes part in it. */
  MemberIngest ingest() {
    return ingest;
  }

  @Override
  public void left(LeftUsage usage) {
    ingest.left(usage);
  }

  Watches watches() {
    return watches;
  }

  JobSettings jobSettings() {
    return jobSettings;
  }

  /** Stages on this member wait from now on; the jobs go on elsewhere. */
  @Override
  public void close() {
    ledgers = null;
  }
}
