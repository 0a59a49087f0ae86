package io.tollgrid.client;

import static java.time.Duration.ofHours;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;

import io.tollgrid.admission.snapshot.SnapshotMapLimits;
import io.tollgrid.client.config.ClusterKeys;
import io.tollgrid.client.config.Key;
import io.tollgrid.client.config.Margin;
import io.tollgrid.client.config.ValueType;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.LedgerCommand;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Every setting of an instance. What is not here is refused. */
final class InstanceKeys {
  private static final LeaseSettings LEASES = LeaseSettings.DEFAULTS;
  private static final UsageSettings USAGE = UsageSettings.DEFAULTS;
  private static final PolicySettings POLICIES = PolicySettings.DEFAULTS;
  private static final SnapshotMapLimits LIMITS = POLICIES.limits();

  private InstanceKeys() {}

  // ---- cluster ----
  static final Key<InstanceConfig.Mode> CLUSTER_MODE =
      new Key<>(
          "cluster.mode",
          ValueType.oneOf(InstanceConfig.Mode.class),
          InstanceConfig.Mode.CLIENT,
          "client, or lite: a member that holds no ledgers");
  static final Key<List<String>> CLUSTER_ADDRESSES =
      new Key<>(
          "cluster.addresses",
          ValueType.texts(),
          List.of("127.0.0.1:5701"),
          "host:port of members, by which the others are found");
  static final Key<Duration> CLUSTER_CONNECT_TIMEOUT =
      new Key<>(
          "cluster.connectTimeout",
          ValueType.duration(ofSeconds(1), ofMinutes(10)),
          ofSeconds(15),
          "how long the first connection may take");

  // ---- leases ----
  static final Margin MARGIN = Margin.of("leases");
  static final Key<Duration> LEASES_TTL =
      time(
          "leases.ttl",
          ofSeconds(1),
          LeaseSettings.MAX_TTL,
          LEASES.ttlNanos(),
          "how long a lease lasts; what a crashed instance held is out of reach for as long");
  static final Key<Duration> LEASES_TARGET =
      time(
          "leases.target",
          ofMillis(1),
          ofHours(1),
          LEASES.targetNanos(),
          "how much of the observed burn a grant should last for");
  static final Key<Integer> LEASES_MINIMUM_QUOTES =
      number(
          "leases.minimumQuotes",
          1_000_000,
          LEASES.minimumQuotes(),
          "how many of the largest quotes seen a grant should hold at least");
  static final Key<Integer> LEASES_SHRINK =
      number(
          "leases.shrink",
          1_000,
          LEASES.shrink(),
          "one grant takes at most one part in so many of a balance");
  static final Key<Integer> LEASES_LOW_WATER_SHARE =
      number(
          "leases.lowWaterShare",
          1_000,
          LEASES.lowWaterShare(),
          "a lease below one part in so many of its grant is topped up");
  static final Key<Duration> LEASES_IDLE =
      time(
          "leases.idle",
          Duration.ZERO,
          ofMinutes(10),
          LEASES.idleNanos(),
          "how long a lease must be unused before its free units answer a recall");
  static final Key<Duration> LEASES_RECALL_POLL =
      time(
          "leases.recallPoll",
          ofMillis(1),
          ofMinutes(1),
          LEASES.recallPollNanos(),
          "when an instance that was granted units first looks whether others need them");
  static final Key<Duration> LEASES_FIRST_BACKOFF =
      time(
          "leases.firstBackoff",
          ofMillis(1),
          ofSeconds(1),
          LEASES.firstBackoffNanos(),
          "the first pause before unmet demand is asked again");
  static final Key<Duration> LEASES_MAX_BACKOFF =
      time(
          "leases.maxBackoff",
          ofMillis(1),
          ofSeconds(1),
          LEASES.maxBackoffNanos(),
          "the longest such pause while units may come back");
  static final Key<Duration> LEASES_BACKSTOP =
      time(
          "leases.backstop",
          ofMillis(1),
          ofSeconds(1),
          LEASES.backstopNanos(),
          "the longest pause before anything unmet or failed is asked again (R55)");
  static final Key<Duration> LEASES_HOLD =
      time(
          "leases.hold",
          ofMillis(1),
          ofMinutes(1),
          LEASES.holdNanos(),
          "how long units too few for the own demand are kept before others may try");
  static final Key<Duration> LEASES_NOT_AFTER =
      time(
          "leases.notAfter",
          ofSeconds(1),
          ofMinutes(1),
          LEASES.notAfterNanos(),
          "how long a lease command may act");

  // ---- usage ----
  static final Key<Duration> USAGE_LINGER =
      time(
          "usage.linger",
          Duration.ZERO,
          ofSeconds(1),
          USAGE.lingerNanos(),
          "how long a usage event waits for others to share its batch; longer while much is unanswered");
  static final Key<Integer> USAGE_BATCH_EVENTS =
      number(
          "usage.batchEvents",
          LedgerCommand.RecordUsage.MAX_EVENTS,
          USAGE.batchEvents(),
          "events of one batch");
  static final Key<Integer> USAGE_CREDITS =
      number(
          "usage.credits",
          1 << 22,
          USAGE.credits(),
          "usage events that may be in the grid's inbox without an answer; more wait here");
  static final Key<Integer> USAGE_LANES =
      number("usage.lanes", 256, USAGE.lanes(), "lanes of the usage queue; about one per core");
  static final Key<Integer> USAGE_SLOTS_PER_LANE =
      number(
          "usage.slotsPerLane",
          1 << 20,
          USAGE.slotsPerLane(),
          "requests of one lane that run or wait for their durable record; more are denied");

  // ---- policies ----
  static final Key<Optional<List<Id128>>> POLICIES_TRACKED =
      new Key<>(
          "policies.tracked",
          ValueType.wordOr("all", ValueType.ids()),
          Optional.empty(),
          "whom it must be able to admit to be ready: all, or a list of principals in 32 hex digits");
  static final Key<Duration> POLICIES_REFRESH =
      time(
          "policies.refresh",
          ofMillis(100),
          ofHours(1),
          POLICIES.refreshNanos(),
          "within which time everything known is read again, word of a change or not");
  static final Key<Duration> POLICIES_STALE_AFTER =
      time(
          "policies.staleAfter",
          ofMillis(200),
          ofHours(24),
          POLICIES.staleAfterNanos(),
          "how long a snapshot that could not be read again is good");
  static final Key<Duration> POLICIES_RETIRE_AFTER =
      time(
          "policies.retireAfter",
          Duration.ZERO,
          ofHours(24),
          POLICIES.retireAfterNanos(),
          "how long the lease of an account that no snapshot names any more lingers");
  static final Key<Duration> POLICIES_FIRST_BACKOFF =
      time(
          "policies.firstBackoff",
          ofMillis(1),
          ofMinutes(1),
          POLICIES.firstBackoffNanos(),
          "the first pause after a read that failed");
  static final Key<Duration> POLICIES_MAX_BACKOFF =
      time(
          "policies.maxBackoff",
          ofMillis(1),
          ofMinutes(10),
          POLICIES.maxBackoffNanos(),
          "the longest such pause");
  static final Key<Duration> POLICIES_UNKNOWN_TTL =
      time(
          "policies.unknownTtl",
          ofMillis(1),
          ofHours(1),
          LIMITS.unknownTtlNanos(),
          "how long it is believed that a principal is unknown");
  static final Key<Duration> POLICIES_REVOKED_TTL =
      time(
          "policies.revokedTtl",
          ofMillis(1),
          ofHours(24),
          LIMITS.revokedTtlNanos(),
          "how long it is believed that a principal is revoked");
  static final Key<Integer> POLICIES_MAX_NEGATIVES =
      number(
          "policies.maxNegatives",
          10_000_000,
          LIMITS.maxNegatives(),
          "such answers kept; the earliest to end go first");
  static final Key<Integer> POLICIES_MAX_FORGOTTEN =
      number(
          "policies.maxForgotten",
          10_000_000,
          LIMITS.maxForgotten(),
          "generations kept of principals that were forgotten");

  /** All of them, in the order a person reads them. */
  static final List<Key<?>> ALL =
      List.of(
          ClusterKeys.NAME,
          CLUSTER_MODE,
          CLUSTER_ADDRESSES,
          CLUSTER_CONNECT_TIMEOUT,
          ClusterKeys.HEARTBEAT_INTERVAL,
          ClusterKeys.HEARTBEAT_TIMEOUT,
          ClusterKeys.CALL_TIMEOUT,
          ClusterKeys.INTERFACE,
          ClusterKeys.PORT,
          ClusterKeys.PARTITIONS,
          LEASES_TTL,
          MARGIN.margin(),
          MARGIN.maxSkew(),
          MARGIN.coarseTick(),
          MARGIN.flushTime(),
          LEASES_TARGET,
          LEASES_MINIMUM_QUOTES,
          LEASES_SHRINK,
          LEASES_LOW_WATER_SHARE,
          LEASES_IDLE,
          LEASES_RECALL_POLL,
          LEASES_FIRST_BACKOFF,
          LEASES_MAX_BACKOFF,
          LEASES_BACKSTOP,
          LEASES_HOLD,
          LEASES_NOT_AFTER,
          USAGE_LINGER,
          USAGE_BATCH_EVENTS,
          USAGE_CREDITS,
          USAGE_LANES,
          USAGE_SLOTS_PER_LANE,
          POLICIES_TRACKED,
          POLICIES_REFRESH,
          POLICIES_STALE_AFTER,
          POLICIES_RETIRE_AFTER,
          POLICIES_FIRST_BACKOFF,
          POLICIES_MAX_BACKOFF,
          POLICIES_UNKNOWN_TTL,
          POLICIES_REVOKED_TTL,
          POLICIES_MAX_NEGATIVES,
          POLICIES_MAX_FORGOTTEN,
          ClusterKeys.SHUTDOWN_TIMEOUT);

  private static Key<Duration> time(
      final String path,
      final Duration min,
      final Duration max,
      final long fallbackNanos,
      final String meaning) {
    return new Key<>(path, ValueType.duration(min, max), Duration.ofNanos(fallbackNanos), meaning);
  }

  private static Key<Integer> number(
      final String path, final int max, final long fallback, final String meaning) {
    return new Key<>(path, ValueType.integer(1, max), Math.toIntExact(fallback), meaning);
  }
}
