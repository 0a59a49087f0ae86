package io.tollgrid.node;

import io.tollgrid.pipelines.JobSettings;
import io.tollgrid.pipelines.ingest.IngestSettings;
import io.tollgrid.pipelines.maintenance.ReconciliationSettings;
import io.tollgrid.pipelines.sweep.SweepSettings;
import java.time.Duration;

/**
 * How often a node looks after itself, and after how long something is late.
 *
 * @param look between two looks at PostgreSQL's answers, at the jobs, and at the next page to
 *     reconcile
 * @param monthsEvery between two looks at the month partitions
 * @param unpaidEvery between two looks at usage nobody paid for
 * @param lately for how long an event is alarmed: such usage, and an older PostgreSQL
 * @param sweeps how the sweeps go about it
 * @param ingest how usage is taken from the inbox
 * @param jobs how the jobs are looked after
 * @param reconciliation how accounts are compared
 */
public record NodePace(
    Duration look,
    Duration monthsEvery,
    Duration unpaidEvery,
    Duration lately,
    SweepSettings sweeps,
    IngestSettings ingest,
    JobSettings jobs,
    ReconciliationSettings reconciliation) {
  /** The product's. */
  public static final NodePace DEFAULTS =
      new NodePace(
          Duration.ofSeconds(1),
          Duration.ofMinutes(10),
          Duration.ofSeconds(10),
          Duration.ofHours(1),
          SweepSettings.DEFAULTS,
          IngestSettings.DEFAULTS,
          JobSettings.DEFAULTS,
          ReconciliationSettings.DEFAULTS);
}
