package io.tollgrid.node;

import io.micrometer.core.instrument.MeterRegistry;
import io.tollgrid.mapstore.commit.GroupCommitter;
import io.tollgrid.mapstore.database.LedgerDataSources;
import io.tollgrid.mapstore.schema.MonthPartitions;
import io.tollgrid.mapstore.usage.UnpaidUsage;
import io.tollgrid.mapstore.verify.LedgerVerification;
import io.tollgrid.node.background.BackgroundTask;
import io.tollgrid.node.config.NodeConfig;
import io.tollgrid.pipelines.maintenance.MonthWatch;
import io.tollgrid.pipelines.maintenance.Reconciliation;
import io.tollgrid.pipelines.maintenance.RegressionWatch;
import io.tollgrid.pipelines.maintenance.UnpaidUsageWatch;
import io.tollgrid.pipelines.maintenance.Watches;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * What a node watches in PostgreSQL, each in a task of its own.
 *
 * @param database whether PostgreSQL answers, and its clock
 * @param all everything, for the alarms
 * @param tasks what makes the passes; not started
 */
record NodeWatches(DatabaseWatch database, Watches all, List<BackgroundTask> tasks) {
  /**
   * The watches of a node.
   *
   * @param isOldest whether this member does what one member is enough for
   */
  static NodeWatches of(
      LedgerDataSources sources,
      MonthPartitions partitions,
      GroupCommitter committer,
      BooleanSupplier isOldest,
      NodeConfig config,
      NodeSeams seams,
      MeterRegistry registry) {
    final NodePace pace = seams.pace();
    final DatabaseWatch database =
        new DatabaseWatch(sources.control(), seams.clock(), config.ledger().maxSkew(), registry);
    final MonthWatch months =
        MonthWatch.of(
            partitions,
            Duration.ofNanos(config.ledger().limits().requestIdHorizonNanos()),
            seams.clock());
    final UnpaidUsage usage = new UnpaidUsage(sources.sweeps());
    final UnpaidUsageWatch unpaid = new UnpaidUsageWatch(() -> usage.within(pace.lately()));
    final Reconciliation reconciliation =
        new Reconciliation(
            Reconciliation.books(new LedgerVerification(sources.control()), pace.reconciliation()),
            isOldest,
            seams.clock(),
            pace.reconciliation(),
            registry);
    final RegressionWatch regression =
        new RegressionWatch(committer::authorityRegressions, seams.clock(), pace.lately());
    return new NodeWatches(
        database,
        new Watches(months, unpaid, reconciliation, regression, database),
        List.of(
            new BackgroundTask("database", pace.look(), database::pass),
            new BackgroundTask("months", pace.monthsEvery(), months::pass),
            new BackgroundTask("unpaid-usage", pace.unpaidEvery(), unpaid::pass),
            new BackgroundTask("reconciliation", pace.look(), reconciliation::pass),
            new BackgroundTask("regressions", pace.look(), regression::pass)));
  }
}
