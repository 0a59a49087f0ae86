package io.tollgrid.node;

import com.hazelcast.core.HazelcastInstance;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.metrics.micrometer.MicrometerMetricsTrackerFactory;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.jvm.ClassLoaderMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.tollgrid.grid.GridNames;
import io.tollgrid.mapstore.database.LedgerDataSources;
import java.util.List;
import java.util.function.ToDoubleFunction;
import javax.sql.DataSource;

/** What a node counts beside what its parts count themselves. */
final class NodeMetrics {
  private NodeMetrics() {}

  /** A registry with the numbers of the Java machine. */
  static PrometheusMeterRegistry registry() {
    final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    new ClassLoaderMetrics().bindTo(registry);
    new JvmMemoryMetrics().bindTo(registry);
    new JvmThreadMetrics().bindTo(registry);
    new ProcessorMetrics().bindTo(registry);
    new UptimeMetrics().bindTo(registry);
    return registry;
  }

  /** Adds the numbers of the connection pools. */
  static void watchPools(MeterRegistry registry, LedgerDataSources sources) {
    for (final DataSource source :
        List.of(
            sources.committers(),
            sources.raises(),
            sources.loads(),
            sources.sweeps(),
            sources.control())) {
      if (source instanceof HikariDataSource pool) {
        pool.setMetricsTrackerFactory(new MicrometerMetricsTrackerFactory(registry));
      }
    }
  }

  /** Adds the numbers of the member; those of the ledgers are of what it owns. */
  static void watchMember(MeterRegistry registry, HazelcastInstance member) {
    gauge(registry, "tollgrid.grid.members", member, m -> m.getCluster().getMembers().size());
    gauge(
        registry,
        "tollgrid.ledgers.resident",
        member,
        m -> m.getMap(GridNames.LEDGERS).getLocalMapStats().getOwnedEntryCount());
    gauge(
        registry,
        "tollgrid.ledgers.resident.bytes",
        member,
        m -> m.getMap(GridNames.LEDGERS).getLocalMapStats().getOwnedEntryMemoryCost());
  }

  /** A number that is not to be had while the member is down. */
  private static void gauge(
      MeterRegistry registry,
      String name,
      HazelcastInstance member,
      ToDoubleFunction<HazelcastInstance> value) {
    registry.gauge(
        name,
        member,
        m -> m.getLifecycleService().isRunning() ? value.applyAsDouble(m) : Double.NaN);
  }
}
