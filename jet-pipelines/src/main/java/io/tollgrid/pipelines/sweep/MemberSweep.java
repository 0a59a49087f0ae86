package io.tollgrid.pipelines.sweep;

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
import io.tollgrid.ledger.port.LedgerClock;
import java.util.OptionalLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One sweep as a member takes part in it, and the graph of its job. Thread-safe. */
public final class MemberSweep {
  private static final String READ = ".read";
  private static final String SERVE = ".serve";

  /** Items that may wait between the stages; they are offered again anyway. */
  private static final int QUEUE = 128;

  private final Sweep sweep;
  private final DueReads reads;
  private final LedgerClock clock;
  private final SweepSettings settings;
  private final SweepReport report;
  private final AccountSweep accounts;

  /**
   * A sweep that serves nobody before a job runs.
   *
   * @param reads what is due
   * @param ledgers where commands go; null while nobody may be served
   */
  public MemberSweep(
      Sweep sweep,
      DueReads reads,
      Supplier<@Nullable LedgerClient> ledgers,
      LedgerClock clock,
      SweepSettings settings,
      MeterRegistry registry) {
    this.sweep = sweep;
    this.reads = reads;
    this.clock = clock;
    this.settings = settings;
    this.report = new SweepReport(sweep, clock, registry);
    this.accounts = new AccountSweep(sweep, ledgers, clock, settings, report);
  }

  /** The job: one member reads what is due, and the owner of each account serves it. */
  public static DAG graph(Sweep sweep) {
    final DAG dag = new DAG();
    final Vertex read =
        dag.newVertex(
            "read",
            ProcessorMetaSupplier.forceTotalParallelismOne(
                new MemberStage(sweep.label() + READ), sweep.label()));
    final Vertex serve =
        dag.newVertex("serve", ProcessorMetaSupplier.of(1, new MemberStage(sweep.label() + SERVE)))
            .localParallelism(1);
    dag.edge(
        Edge.between(read, serve)
            .partitioned(Functions.entryKey())
            .distributed()
            .setConfig(new EdgeConfig().setQueueSize(QUEUE)));
    return dag;
  }

  /** A processor of this sweep's job; null if the stage is another's. */
  public @Nullable Processor newProcessor(String stage) {
    if (stage.equals(sweep.label() + READ)) {
      return new DueAccountsSource(new SweepPasses(sweep, reads, clock, settings, report), report);
    }
    return stage.equals(sweep.label() + SERVE) ? new DueAccountsStage(accounts) : null;
  }

  /** What it sweeps. */
  public Sweep sweep() {
    return sweep;
  }

  /**
   * How far behind it may be, nanoseconds: the age of what was due longest when it last looked, or
   * the time since a pass ended; empty where another member reads.
   */
  public OptionalLong lagNanos() {
    return report.lagNanos();
  }

  /** Whether it is further behind than it should ever be. */
  public boolean isLagging() {
    return lagNanos().orElse(0) > settings.lagNanos();
  }

  /** This member's accounts that failed often enough to deserve a person's attention. */
  public int stuck() {
    return accounts.stuck();
  }
}
