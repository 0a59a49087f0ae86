package io.tollgrid.client;

import io.tollgrid.admission.snapshot.SnapshotMapLimits;
import io.tollgrid.client.config.ClusterKeys;
import io.tollgrid.client.config.Key;
import io.tollgrid.client.config.Settings;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * Puts single values together and refuses combinations that are unsafe, naming the key to change
 * (R42).
 */
final class InstanceAssembly {
  private final Settings settings;

  InstanceAssembly(final Settings settings) {
    this.settings = settings;
  }

  InstanceConfig config() {
    return new InstanceConfig(
        cluster(),
        new InstanceSettings(leases(), usage(), policies(), nanos(ClusterKeys.SHUTDOWN_TIMEOUT)),
        settings.must(InstanceKeys.MARGIN.maxSkew()));
  }

  private InstanceConfig.Cluster cluster() {
    final List<String> addresses = ClusterKeys.addresses(settings, InstanceKeys.CLUSTER_ADDRESSES);
    InstanceKeys.CLUSTER_ADDRESSES.check(!addresses.isEmpty(), "must name at least one member");
    return new InstanceConfig.Cluster(
        settings.must(InstanceKeys.CLUSTER_MODE),
        ClusterKeys.member(settings, addresses),
        settings.must(InstanceKeys.CLUSTER_CONNECT_TIMEOUT));
  }

  private LeaseSettings leases() {
    return new LeaseSettings(
        nanos(InstanceKeys.LEASES_TTL),
        InstanceKeys.MARGIN.in(settings).toNanos(),
        nanos(InstanceKeys.LEASES_TARGET),
        settings.must(InstanceKeys.LEASES_MINIMUM_QUOTES),
        settings.must(InstanceKeys.LEASES_SHRINK),
        settings.must(InstanceKeys.LEASES_LOW_WATER_SHARE),
        nanos(InstanceKeys.LEASES_IDLE),
        nanos(InstanceKeys.LEASES_RECALL_POLL),
        nanos(InstanceKeys.LEASES_FIRST_BACKOFF),
        nanos(InstanceKeys.LEASES_MAX_BACKOFF),
        nanos(InstanceKeys.LEASES_BACKSTOP),
        nanos(InstanceKeys.LEASES_HOLD),
        nanos(InstanceKeys.LEASES_NOT_AFTER));
  }

  private UsageSettings usage() {
    return new UsageSettings(
        nanos(InstanceKeys.USAGE_LINGER),
        settings.must(InstanceKeys.USAGE_BATCH_EVENTS),
        settings.must(InstanceKeys.USAGE_CREDITS),
        settings.must(InstanceKeys.USAGE_LANES),
        settings.must(InstanceKeys.USAGE_SLOTS_PER_LANE));
  }

  private PolicySettings policies() {
    final Tracked tracked =
        settings
            .must(InstanceKeys.POLICIES_TRACKED)
            .<Tracked>map(principals -> new Tracked.Fixed(Set.copyOf(principals)))
            .orElseGet(Tracked.All::new);
    return new PolicySettings(
        tracked,
        null,
        nanos(InstanceKeys.POLICIES_REFRESH),
        nanos(InstanceKeys.POLICIES_STALE_AFTER),
        nanos(InstanceKeys.POLICIES_RETIRE_AFTER),
        nanos(InstanceKeys.POLICIES_FIRST_BACKOFF),
        nanos(InstanceKeys.POLICIES_MAX_BACKOFF),
        new SnapshotMapLimits(
            nanos(InstanceKeys.POLICIES_UNKNOWN_TTL),
            nanos(InstanceKeys.POLICIES_REVOKED_TTL),
            settings.must(InstanceKeys.POLICIES_MAX_NEGATIVES),
            settings.must(InstanceKeys.POLICIES_MAX_FORGOTTEN)));
  }

  private long nanos(final Key<Duration> key) {
    return settings.must(key).toNanos();
  }
}
