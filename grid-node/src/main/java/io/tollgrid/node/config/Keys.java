package io.tollgrid.node.config;

import static java.time.Duration.ofDays;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;

import io.tollgrid.client.config.ClusterKeys;
import io.tollgrid.client.config.Key;
import io.tollgrid.client.config.Margin;
import io.tollgrid.client.config.ValueType;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** Every setting there is. What is not here is refused. */
final class Keys {
  private Keys() {}

  // ---- cluster ----
  static final Key<String> CLUSTER_NAME = ClusterKeys.NAME;
  static final Key<String> CLUSTER_INTERFACE = ClusterKeys.INTERFACE;
  static final Key<Integer> CLUSTER_PORT = ClusterKeys.PORT;
  static final Key<List<String>> CLUSTER_MEMBERS =
      new Key<>(
          "cluster.members",
          ValueType.texts(),
          List.of(),
          "host:port of every member, this one included");
  static final Key<Integer> CLUSTER_EXPECTED_MEMBERS =
      new Key<>(
          "cluster.expectedMembers",
          ValueType.integer(1, 99),
          1,
          "members of the whole cluster; fewer than a majority serve nothing");
  static final Key<Integer> CLUSTER_PARTITIONS = ClusterKeys.PARTITIONS;
  static final Key<Duration> CLUSTER_HEARTBEAT_INTERVAL = ClusterKeys.HEARTBEAT_INTERVAL;
  static final Key<Duration> CLUSTER_HEARTBEAT_TIMEOUT = ClusterKeys.HEARTBEAT_TIMEOUT;
  static final Key<Duration> CLUSTER_CALL_TIMEOUT = ClusterKeys.CALL_TIMEOUT;
  static final Key<Path> CLUSTER_HAZELCAST_FILE =
      new Key<>(
          "cluster.hazelcastFile",
          ValueType.path(),
          null,
          "a Hazelcast YAML to start from; what Tollgrid depends on is enforced over it");
  static final Key<List<String>> CLUSTER_UNRESTRICTED_CLIENTS =
      new Key<>(
          "cluster.unrestrictedClients",
          ValueType.texts(),
          List.of(),
          "hosts whose grid clients may do everything, such as Management Center's; others do what"
              + " instances do");

  // ---- database ----
  static final Key<Path> DATABASE_DATA_DIR =
      new Key<>(
          "database.dataDir",
          ValueType.path(),
          null,
          "directory of an embedded PostgreSQL, for one member; or set database.url");
  static final Key<Integer> DATABASE_PORT =
      new Key<>(
          "database.port",
          ValueType.integer(0, 65_535),
          0,
          "loopback port of the embedded PostgreSQL; 0 takes a free one");
  static final Key<String> DATABASE_URL =
      new Key<>(
          "database.url",
          ValueType.text(),
          null,
          "jdbc:postgresql://… of a server of yours, without credentials");
  static final Key<String> DATABASE_USER =
      new Key<>("database.user", ValueType.text(), null, "the role that owns the schema");
  static final Key<Path> DATABASE_PASSWORD_FILE =
      new Key<>(
          "database.passwordFile",
          ValueType.path(),
          null,
          "a file that holds the role's password and nothing else");
  static final Key<Integer> DATABASE_COMMITTER_LANES =
      new Key<>(
          "database.committerLanes",
          ValueType.integer(1, 16),
          2,
          "transactions that commit ledgers side by side");
  static final Key<Integer> DATABASE_STORE_THREADS =
      new Key<>(
          "database.storeThreads",
          ValueType.integer(128, 4_096),
          128,
          "partitions whose stores or loads may wait at once");

  // ---- ledger ----
  static final Key<Duration> LEDGER_MAX_LEASE_TTL =
      new Key<>(
          "ledger.maxLeaseTtl",
          ValueType.duration(ofSeconds(1), ofHours(24)),
          ofMinutes(10),
          "the longest life a lease may ask for");
  static final Key<Duration> LEDGER_GRACE =
      new Key<>(
          "ledger.grace",
          ValueType.duration(ofSeconds(1), ofHours(1)),
          ofSeconds(15),
          "wait after a lease's expiry before it is reclaimed");
  static final Margin MARGIN = Margin.of("ledger");
  static final Key<Duration> LEDGER_MARGIN = MARGIN.margin();
  static final Key<Duration> LEDGER_MAX_SKEW = MARGIN.maxSkew();
  static final Key<Duration> LEDGER_COARSE_TICK = MARGIN.coarseTick();
  static final Key<Duration> LEDGER_FLUSH_TIME = MARGIN.flushTime();
  static final Key<Integer> LEDGER_MAX_ACTIVE_LEASES =
      new Key<>(
          "ledger.maxActiveLeases",
          ValueType.integer(1, 65_536),
          4_096,
          "active leases of one account");
  static final Key<Integer> LEDGER_SETTLED_KEPT =
      new Key<>(
          "ledger.settledKept",
          ValueType.integer(0, 1_024),
          16,
          "ended leases kept in memory to answer retries");
  static final Key<Integer> LEDGER_LOSS_KEPT =
      new Key<>("ledger.lossKept", ValueType.integer(0, 1_024), 64, "loss leases kept in memory");
  static final Key<Duration> LEDGER_STRAGGLER_HORIZON =
      new Key<>(
          "ledger.stragglerHorizon",
          ValueType.duration(ofMinutes(1), ofDays(365)),
          ofDays(3),
          "how long a loss lease is kept in memory");
  static final Key<Duration> LEDGER_REQUEST_ID_HORIZON =
      new Key<>(
          "ledger.requestIdHorizon",
          ValueType.duration(ofDays(1), ofDays(3_650)),
          ofDays(400),
          "how long request ids are remembered");
  static final Key<Duration> LEDGER_REQUEST_ID_AHEAD =
      new Key<>(
          "ledger.requestIdAhead",
          ValueType.duration(ofSeconds(1), ofDays(7)),
          ofDays(1),
          "how far in the future a request id may lie");
  static final Key<Integer> LEDGER_MAX_RECLAIMED =
      new Key<>(
          "ledger.maxReclaimed", ValueType.integer(1, 4_096), 256, "leases one reclaim takes");
  static final Key<Duration> LEDGER_RECALL =
      new Key<>(
          "ledger.recall",
          ValueType.duration(ofMillis(100), ofMinutes(10)),
          ofSeconds(5),
          "how long a recall is worth honouring");

  // ---- ownership fences ----
  static final Key<Duration> FENCES_CP_CALL_TIMEOUT =
      new Key<>(
          "fences.cpCallTimeout",
          ValueType.duration(ofMillis(200), ofSeconds(30)),
          ofSeconds(2),
          "wait for CP before PostgreSQL issues a fence instead");
  static final Key<Duration> FENCES_CP_AUTO_REMOVAL =
      new Key<>(
          "fences.cpAutoRemoval",
          ValueType.duration(ofSeconds(5), ofSeconds(120)),
          ofSeconds(90),
          "absence after which a CP member is removed; 60s to 120s in production");
  static final Key<Duration> FENCES_CP_RESET_AFTER =
      new Key<>(
          "fences.cpResetAfter",
          ValueType.duration(ofSeconds(5), ofMinutes(10)),
          ofSeconds(30),
          "CP without a majority for this long is reset by the oldest member");
  static final Key<Duration> FENCES_REPAIR_INTERVAL =
      new Key<>(
          "fences.repairInterval",
          ValueType.duration(ofMillis(100), ofMinutes(1)),
          ofSeconds(2),
          "how often CP is looked at");
  static final Key<Duration> FENCES_LEADER_HEARTBEAT =
      new Key<>(
          "fences.leaderHeartbeat",
          ValueType.duration(ofMillis(100), ofSeconds(5)),
          ofMillis(500),
          "how often a CP leader shows that it lives");
  static final Key<Integer> FENCES_LEADER_HEARTBEATS_MISSED =
      new Key<>(
          "fences.leaderHeartbeatsMissed",
          ValueType.integer(2, 20),
          4,
          "heartbeats without which a CP leader is gone");
  static final Key<Duration> FENCES_ELECTION_TIMEOUT =
      new Key<>(
          "fences.electionTimeout",
          ValueType.duration(ofMillis(100), ofSeconds(10)),
          ofSeconds(1),
          "how long a CP election may take before the next");
  static final Key<Duration> FENCES_POLL_INTERVAL =
      new Key<>(
          "fences.pollInterval",
          ValueType.duration(ofMillis(10), ofSeconds(10)),
          ofMillis(100),
          "how often the partition table is compared with the fences held");

  // ---- HTTP ----
  static final Key<String> HTTP_ADDRESS =
      new Key<>(
          "http.address", ValueType.text(), "127.0.0.1", "the address of the probes and metrics");
  static final Key<Integer> HTTP_PORT =
      new Key<>("http.port", ValueType.integer(0, 65_535), 8_080, "their port; 0 takes a free one");
  static final Key<Path> HTTP_CERTIFICATE_FILE =
      new Key<>(
          "http.certificateFile",
          ValueType.path(),
          null,
          "PEM certificate chain; needed beyond loopback");
  static final Key<Path> HTTP_PRIVATE_KEY_FILE =
      new Key<>(
          "http.privateKeyFile", ValueType.path(), null, "PEM private key of the certificate");
  static final Key<Boolean> HTTP_PLAINTEXT_PROBES =
      new Key<>(
          "http.plaintextProbes",
          ValueType.bool(),
          false,
          "allow probes and metrics without TLS beyond loopback");

  // ---- the rest ----
  static final Key<Path> OPERATOR_KEY_FILE =
      new Key<>(
          "operator.keyFile",
          ValueType.path(),
          null,
          "the key of operator commands; made at first start; the same on every member");
  static final Key<Duration> SHUTDOWN_TIMEOUT = ClusterKeys.SHUTDOWN_TIMEOUT;

  /** All of them, in the order a person reads them. */
  static final List<Key<?>> ALL =
      List.of(
          CLUSTER_NAME,
          CLUSTER_INTERFACE,
          CLUSTER_PORT,
          CLUSTER_MEMBERS,
          CLUSTER_EXPECTED_MEMBERS,
          CLUSTER_PARTITIONS,
          CLUSTER_HEARTBEAT_INTERVAL,
          CLUSTER_HEARTBEAT_TIMEOUT,
          CLUSTER_CALL_TIMEOUT,
          CLUSTER_HAZELCAST_FILE,
          CLUSTER_UNRESTRICTED_CLIENTS,
          DATABASE_DATA_DIR,
          DATABASE_PORT,
          DATABASE_URL,
          DATABASE_USER,
          DATABASE_PASSWORD_FILE,
          DATABASE_COMMITTER_LANES,
          DATABASE_STORE_THREADS,
          LEDGER_MAX_LEASE_TTL,
          LEDGER_GRACE,
          LEDGER_MARGIN,
          LEDGER_MAX_SKEW,
          LEDGER_COARSE_TICK,
          LEDGER_FLUSH_TIME,
          LEDGER_MAX_ACTIVE_LEASES,
          LEDGER_SETTLED_KEPT,
          LEDGER_LOSS_KEPT,
          LEDGER_STRAGGLER_HORIZON,
          LEDGER_REQUEST_ID_HORIZON,
          LEDGER_REQUEST_ID_AHEAD,
          LEDGER_MAX_RECLAIMED,
          LEDGER_RECALL,
          FENCES_CP_CALL_TIMEOUT,
          FENCES_CP_AUTO_REMOVAL,
          FENCES_CP_RESET_AFTER,
          FENCES_REPAIR_INTERVAL,
          FENCES_LEADER_HEARTBEAT,
          FENCES_LEADER_HEARTBEATS_MISSED,
          FENCES_ELECTION_TIMEOUT,
          FENCES_POLL_INTERVAL,
          HTTP_ADDRESS,
          HTTP_PORT,
          HTTP_CERTIFICATE_FILE,
          HTTP_PRIVATE_KEY_FILE,
          HTTP_PLAINTEXT_PROBES,
          OPERATOR_KEY_FILE,
          SHUTDOWN_TIMEOUT);
}
