package io.tollgrid.pipelines.ingest;

import com.hazelcast.function.Functions;
import com.hazelcast.jet.config.EdgeConfig;
import com.hazelcast.jet.core.DAG;
import com.hazelcast.jet.core.Edge;
import com.hazelcast.jet.core.Processor;
import com.hazelcast.jet.core.ProcessorMetaSupplier;
import com.hazelcast.jet.core.Vertex;
import io.micrometer.core.instrument.MeterRegistry;
import io.tollgrid.grid.LedgerClient;
import io.tollgrid.grid.MemberStage;
import io.tollgrid.grid.usage.LeftUsage;
import io.tollgrid.grid.usage.UsageDoorbell;
import io.tollgrid.grid.usage.UsageRecorder;
import io.tollgrid.ledger.port.LedgerClock;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Usage ingest as a member takes part in it, and the graph of its job. Thread-safe. */
public final class MemberIngest implements UsageDoorbell {
  /** Its name in jobs and metrics. */
  public static final String LABEL = "ingest";

  private static final String TAKE = LABEL + ".take";
  private static final String RECORD = LABEL + ".record";

  /** Batches of which the bell told and that were not taken yet; others are found by looking. */
  private static final int RUNG = 256;

  private static final int QUEUE = 4_096;

  private final LedgerClock clock;
  private final IngestSettings settings;
  private final IngestReport report;
  private final Classifications classifications;
  private final UsageRecorder recorder;
  private final BlockingQueue<LeftUsage> rung = new ArrayBlockingQueue<>(RUNG);

  /**
   * An ingest that records nothing before a job runs.
   *
   * @param ledgers where commands go; null while nothing may be recorded
   */
  public MemberIngest(
      Supplier<@Nullable LedgerClient> ledgers,
      LedgerClock clock,
      IngestSettings settings,
      MeterRegistry registry) {
    this.clock = clock;
    this.settings = settings;
    this.report = new IngestReport(clock, registry);
    this.classifications = new Classifications(clock, settings.togetherNanos(), report);
    this.recorder = new UsageRecorder(ledgers, clock, settings.recorder(), classifications);
    report.watch(recorder);
  }

  /** The job: each member takes what lies with it, and the owner of each account records it. */
  public static DAG graph() {
    final DAG dag = new DAG();
    final Vertex take =
        dag.newVertex("take", ProcessorMetaSupplier.of(1, new MemberStage(TAKE)))
            .localParallelism(1);
    final Vertex record =
        dag.newVertex("record", ProcessorMetaSupplier.of(1, new MemberStage(RECORD)))
            .localParallelism(1);
    dag.edge(
        Edge.between(take, record)
            .partitioned(Functions.entryKey())
            .distributed()
            .setConfig(new EdgeConfig().setQueueSize(QUEUE)));
    return dag;
  }

  /** A processor of this job; null if the stage is another's. */
  public @Nullable Processor newProcessor(String stage) {
    if (stage.equals(TAKE)) {
      return new InboxSource(this, clock, settings, report);
    }
    return stage.equals(RECORD) ? new RecordStage(recorder, classifications) : null;
  }

  @Override
  public void left(LeftUsage usage) {
    final var unused = rung.offer(usage);
  }

  /** The next batch of which the bell told; null if there is none for so long. */
  @Nullable LeftUsage awaitRung(long nanos) throws InterruptedException {
    return rung.poll(nanos, TimeUnit.NANOSECONDS);
  }

  /** Age of the oldest batch here with open events, nanoseconds; 0 if there is none. */
  public long lagNanos() {
    return report.lagNanos();
  }

  /** Whether that is more than it should ever be. */
  public boolean isLagging() {
    return lagNanos() > settings.lagNanos();
  }

  /** This member's accounts whose usage failed often enough to deserve a person's attention. */
  public int stuck() {
    return recorder.stuck();
  }
}
