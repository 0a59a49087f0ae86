package io.tollgrid.node.config;

import io.tollgrid.client.config.ClusterKeys;
import io.tollgrid.client.config.Key;
import io.tollgrid.client.config.Settings;
import io.tollgrid.client.config.ValueType;
import io.tollgrid.ledger.LedgerLimits;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Puts single values together and refuses combinations that are unsafe, naming the key to change
 * (R42).
 */
final class Assembly {
  private static final Pattern CREDENTIALS =
      Pattern.compile("[?&](user|password|sslpassword)=", Pattern.CASE_INSENSITIVE);
  private static final String JDBC_PREFIX = "jdbc:postgresql://";

  private final Settings values;

  Assembly(Settings values) {
    this.values = values;
  }

  NodeConfig node() {
    final NodeConfig.Cluster cluster = cluster();
    final NodeConfig.Database database = database(cluster);
    return new NodeConfig(
        cluster,
        database,
        ledger(),
        fences(),
        http(),
        operatorKeyFile(database.location()),
        must(Keys.SHUTDOWN_TIMEOUT));
  }

  private NodeConfig.Cluster cluster() {
    final List<String> members = ClusterKeys.addresses(values, Keys.CLUSTER_MEMBERS);
    final int expected = must(Keys.CLUSTER_EXPECTED_MEMBERS);
    Keys.CLUSTER_MEMBERS.check(
        expected == 1 || members.size() == expected,
        "lists "
            + members.size()
            + " members, and "
            + Keys.CLUSTER_EXPECTED_MEMBERS.path()
            + " is "
            + expected);
    return new NodeConfig.Cluster(
        ClusterKeys.member(values, members),
        expected,
        values.find(Keys.CLUSTER_HAZELCAST_FILE),
        must(Keys.CLUSTER_UNRESTRICTED_CLIENTS).stream()
            .map(host -> ClusterKeys.addressOf(Keys.CLUSTER_UNRESTRICTED_CLIENTS, host))
            .collect(Collectors.toSet()));
  }

  private NodeConfig.Database database(NodeConfig.Cluster cluster) {
    final Optional<Path> dataDir = values.find(Keys.DATABASE_DATA_DIR);
    final Optional<String> url = values.find(Keys.DATABASE_URL);
    Keys.DATABASE_URL.check(
        dataDir.isPresent() || url.isPresent(),
        "is missing: name a PostgreSQL server here, or a directory in "
            + Keys.DATABASE_DATA_DIR.path());
    Keys.DATABASE_URL.check(
        dataDir.isEmpty() || url.isEmpty(),
        "cannot be set beside " + Keys.DATABASE_DATA_DIR.path() + "; keep one");
    final DatabaseLocation location =
        dataDir.isPresent() ? embedded(dataDir.get(), cluster) : server(url.orElseThrow());
    return new NodeConfig.Database(
        location, must(Keys.DATABASE_COMMITTER_LANES), must(Keys.DATABASE_STORE_THREADS));
  }

  private DatabaseLocation embedded(Path dataDir, NodeConfig.Cluster cluster) {
    Keys.DATABASE_DATA_DIR.check(
        cluster.expectedMembers() == 1,
        "starts a PostgreSQL for one member; "
            + cluster.expectedMembers()
            + " members share a server named in "
            + Keys.DATABASE_URL.path());
    for (final Key<?> key : List.of(Keys.DATABASE_USER, Keys.DATABASE_PASSWORD_FILE)) {
      key.check(
          values.find(key).isEmpty(),
          "belongs to " + Keys.DATABASE_URL.path() + ", and the database is embedded");
    }
    return new DatabaseLocation.Embedded(dataDir, must(Keys.DATABASE_PORT));
  }

  private DatabaseLocation server(String url) {
    Keys.DATABASE_URL.check(
        url.startsWith(JDBC_PREFIX), "must start with " + JDBC_PREFIX + " and a host");
    final String authority = url.substring(JDBC_PREFIX.length()).split("[/?]", 2)[0];
    Keys.DATABASE_URL.check(
        !CREDENTIALS.matcher(url).find() && !authority.contains("@"),
        "must not hold credentials; use "
            + Keys.DATABASE_USER.path()
            + " and "
            + Keys.DATABASE_PASSWORD_FILE.path());
    Keys.DATABASE_URL.check(
        !authority.contains(",")
            || url.toLowerCase(Locale.ROOT).contains("targetservertype=primary"),
        "names several hosts and must therefore say targetServerType=primary: a standby is not the"
            + " authority");
    Keys.DATABASE_USER.check(
        values.find(Keys.DATABASE_USER).isPresent(),
        "is missing beside " + Keys.DATABASE_URL.path());
    Keys.DATABASE_PORT.check(
        must(Keys.DATABASE_PORT) == 0,
        "belongs to " + Keys.DATABASE_DATA_DIR.path() + "; put the server's port into the URL");
    return new DatabaseLocation.Server(
        url, must(Keys.DATABASE_USER), values.find(Keys.DATABASE_PASSWORD_FILE));
  }

  private NodeConfig.Ledger ledger() {
    final Duration margin = Keys.MARGIN.in(values);
    final Duration maxTtl = must(Keys.LEDGER_MAX_LEASE_TTL);
    Keys.LEDGER_MAX_LEASE_TTL.check(
        margin.compareTo(maxTtl) < 0,
        "must be longer than ledger.margin: no lease could ever be spent");
    final LedgerLimits limits =
        new LedgerLimits(
            maxTtl.toNanos(),
            must(Keys.LEDGER_GRACE).toNanos(),
            must(Keys.LEDGER_MAX_ACTIVE_LEASES),
            must(Keys.LEDGER_SETTLED_KEPT),
            must(Keys.LEDGER_LOSS_KEPT),
            must(Keys.LEDGER_STRAGGLER_HORIZON).toNanos(),
            must(Keys.LEDGER_REQUEST_ID_HORIZON).toNanos(),
            must(Keys.LEDGER_REQUEST_ID_AHEAD).toNanos(),
            must(Keys.LEDGER_MAX_RECLAIMED),
            must(Keys.LEDGER_RECALL).toNanos());
    return new NodeConfig.Ledger(limits, margin, must(Keys.LEDGER_MAX_SKEW));
  }

  private NodeConfig.Fences fences() {
    final Duration leaderGone =
        must(Keys.FENCES_LEADER_HEARTBEAT)
            .multipliedBy(must(Keys.FENCES_LEADER_HEARTBEATS_MISSED))
            .plus(must(Keys.FENCES_ELECTION_TIMEOUT));
    Keys.FENCES_CP_RESET_AFTER.check(
        leaderGone.compareTo(must(Keys.FENCES_CP_RESET_AFTER)) < 0,
        "must be longer than an election may take, "
            + ValueType.showDuration(leaderGone)
            + ": a healthy CP group would be reset");
    return new NodeConfig.Fences(
        must(Keys.FENCES_CP_CALL_TIMEOUT),
        must(Keys.FENCES_CP_AUTO_REMOVAL),
        must(Keys.FENCES_CP_RESET_AFTER),
        must(Keys.FENCES_REPAIR_INTERVAL),
        must(Keys.FENCES_LEADER_HEARTBEAT),
        must(Keys.FENCES_LEADER_HEARTBEATS_MISSED),
        must(Keys.FENCES_ELECTION_TIMEOUT),
        must(Keys.FENCES_POLL_INTERVAL));
  }

  private NodeConfig.Http http() {
    final String address = must(Keys.HTTP_ADDRESS);
    final Optional<Path> certificate = values.find(Keys.HTTP_CERTIFICATE_FILE);
    final Optional<Path> privateKey = values.find(Keys.HTTP_PRIVATE_KEY_FILE);
    Keys.HTTP_CERTIFICATE_FILE.check(
        certificate.isPresent() || privateKey.isEmpty(),
        "is missing beside " + Keys.HTTP_PRIVATE_KEY_FILE.path());
    Keys.HTTP_PRIVATE_KEY_FILE.check(
        privateKey.isPresent() || certificate.isEmpty(),
        "is missing beside " + Keys.HTTP_CERTIFICATE_FILE.path());
    Keys.HTTP_ADDRESS.check(
        certificate.isPresent()
            || must(Keys.HTTP_PLAINTEXT_PROBES)
            || ClusterKeys.addressOf(Keys.HTTP_ADDRESS, address).isLoopbackAddress(),
        "is beyond loopback and there is no "
            + Keys.HTTP_CERTIFICATE_FILE.path()
            + "; for probes alone, "
            + Keys.HTTP_PLAINTEXT_PROBES.path()
            + " allows plaintext (R45)");
    return new NodeConfig.Http(
        address,
        must(Keys.HTTP_PORT),
        certificate.flatMap(chain -> privateKey.map(key -> new NodeConfig.Tls(chain, key))));
  }

  private Path operatorKeyFile(DatabaseLocation location) {
    final Optional<Path> stated = values.find(Keys.OPERATOR_KEY_FILE);
    if (stated.isPresent()) {
      return stated.get();
    }
    if (location instanceof DatabaseLocation.Embedded embedded) {
      return embedded.dataDir().resolve("operator.key");
    }
    throw Keys.OPERATOR_KEY_FILE.refused("is missing beside " + Keys.DATABASE_URL.path());
  }

  private <T> T must(Key<T> key) {
    return values.must(key);
  }
}
