package io.tollgrid.node.config;

import io.tollgrid.ledger.LedgerLimits;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Puts single values together and refuses combinations that are unsafe, naming the key to change
 * (R42).
 */
final class Assembly {
  private static final Pattern HOST_AND_PORT = Pattern.compile("[^\\s:/,]+:[0-9]{1,5}");
  private static final Pattern CREDENTIALS =
      Pattern.compile("[?&](user|password|sslpassword)=", Pattern.CASE_INSENSITIVE);
  private static final String JDBC_PREFIX = "jdbc:postgresql://";

  /** Where single values come from. */
  interface Values {
    <T> Optional<T> find(Key<T> key);
  }

  private final Values values;

  Assembly(Values values) {
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
    final List<String> members = must(Keys.CLUSTER_MEMBERS);
    for (final String member : members) {
      check(
          HOST_AND_PORT.matcher(member).matches(),
          Keys.CLUSTER_MEMBERS,
          "must list host:port of each member, not \"" + member + "\"");
    }
    check(
        new HashSet<>(members).size() == members.size(),
        Keys.CLUSTER_MEMBERS,
        "names a member twice");
    final int expected = must(Keys.CLUSTER_EXPECTED_MEMBERS);
    check(
        expected == 1 || members.size() == expected,
        Keys.CLUSTER_MEMBERS,
        "lists "
            + members.size()
            + " members, and "
            + Keys.CLUSTER_EXPECTED_MEMBERS.path()
            + " is "
            + expected);
    final String bindAddress = must(Keys.CLUSTER_INTERFACE);
    check(
        !isAnyLocal(Keys.CLUSTER_INTERFACE, bindAddress),
        Keys.CLUSTER_INTERFACE,
        "must name one address of a private network, not all interfaces: members do not authenticate each other");
    final Duration interval = must(Keys.CLUSTER_HEARTBEAT_INTERVAL);
    final Duration timeout = must(Keys.CLUSTER_HEARTBEAT_TIMEOUT);
    wholeSeconds(Keys.CLUSTER_HEARTBEAT_INTERVAL, interval);
    wholeSeconds(Keys.CLUSTER_HEARTBEAT_TIMEOUT, timeout);
    check(
        timeout.compareTo(interval.multipliedBy(3)) >= 0,
        Keys.CLUSTER_HEARTBEAT_TIMEOUT,
        "must be at least three times " + Keys.CLUSTER_HEARTBEAT_INTERVAL.path());
    return new NodeConfig.Cluster(
        must(Keys.CLUSTER_NAME),
        bindAddress,
        must(Keys.CLUSTER_PORT),
        members,
        expected,
        must(Keys.CLUSTER_PARTITIONS),
        interval,
        timeout,
        must(Keys.CLUSTER_CALL_TIMEOUT),
        values.find(Keys.CLUSTER_HAZELCAST_FILE));
  }

  private NodeConfig.Database database(NodeConfig.Cluster cluster) {
    final Optional<Path> dataDir = values.find(Keys.DATABASE_DATA_DIR);
    final Optional<String> url = values.find(Keys.DATABASE_URL);
    check(
        dataDir.isPresent() || url.isPresent(),
        Keys.DATABASE_URL,
        "is missing: name a PostgreSQL server here, or a directory in "
            + Keys.DATABASE_DATA_DIR.path());
    check(
        dataDir.isEmpty() || url.isEmpty(),
        Keys.DATABASE_URL,
        "cannot be set beside " + Keys.DATABASE_DATA_DIR.path() + "; keep one");
    final DatabaseLocation location =
        dataDir.isPresent() ? embedded(dataDir.get(), cluster) : server(url.orElseThrow());
    return new NodeConfig.Database(
        location, must(Keys.DATABASE_COMMITTER_LANES), must(Keys.DATABASE_STORE_THREADS));
  }

  private DatabaseLocation embedded(Path dataDir, NodeConfig.Cluster cluster) {
    check(
        cluster.expectedMembers() == 1,
        Keys.DATABASE_DATA_DIR,
        "starts a PostgreSQL for one member; "
            + cluster.expectedMembers()
            + " members share a server named in "
            + Keys.DATABASE_URL.path());
    for (final Key<?> key : List.of(Keys.DATABASE_USER, Keys.DATABASE_PASSWORD_FILE)) {
      check(
          values.find(key).isEmpty(),
          key,
          "belongs to " + Keys.DATABASE_URL.path() + ", and the database is embedded");
    }
    return new DatabaseLocation.Embedded(dataDir, must(Keys.DATABASE_PORT));
  }

  private DatabaseLocation server(String url) {
    check(
        url.startsWith(JDBC_PREFIX),
        Keys.DATABASE_URL,
        "must start with " + JDBC_PREFIX + " and a host");
    final String authority = url.substring(JDBC_PREFIX.length()).split("[/?]", 2)[0];
    check(
        !CREDENTIALS.matcher(url).find() && !authority.contains("@"),
        Keys.DATABASE_URL,
        "must not hold credentials; use "
            + Keys.DATABASE_USER.path()
            + " and "
            + Keys.DATABASE_PASSWORD_FILE.path());
    check(
        !authority.contains(",")
            || url.toLowerCase(Locale.ROOT).contains("targetservertype=primary"),
        Keys.DATABASE_URL,
        "names several hosts and must therefore say targetServerType=primary: a standby is not the authority");
    check(
        values.find(Keys.DATABASE_USER).isPresent(),
        Keys.DATABASE_USER,
        "is missing beside " + Keys.DATABASE_URL.path());
    check(
        must(Keys.DATABASE_PORT) == 0,
        Keys.DATABASE_PORT,
        "belongs to " + Keys.DATABASE_DATA_DIR.path() + "; put the server's port into the URL");
    return new DatabaseLocation.Server(
        url, must(Keys.DATABASE_USER), values.find(Keys.DATABASE_PASSWORD_FILE));
  }

  private NodeConfig.Ledger ledger() {
    final Duration margin = must(Keys.LEDGER_MARGIN);
    final Duration maxSkew = must(Keys.LEDGER_MAX_SKEW);
    final Duration needed =
        maxSkew.plus(must(Keys.LEDGER_COARSE_TICK)).plus(must(Keys.LEDGER_FLUSH_TIME));
    check(
        needed.compareTo(margin) <= 0,
        Keys.LEDGER_MARGIN,
        "must be at least ledger.maxSkew + ledger.coarseTick + ledger.flushTime = "
            + ValueType.showDuration(needed)
            + " (R57)");
    final Duration maxTtl = must(Keys.LEDGER_MAX_LEASE_TTL);
    check(
        margin.compareTo(maxTtl) < 0,
        Keys.LEDGER_MAX_LEASE_TTL,
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
    return new NodeConfig.Ledger(limits, margin, maxSkew);
  }

  private NodeConfig.Fences fences() {
    final Duration leaderGone =
        must(Keys.FENCES_LEADER_HEARTBEAT)
            .multipliedBy(must(Keys.FENCES_LEADER_HEARTBEATS_MISSED))
            .plus(must(Keys.FENCES_ELECTION_TIMEOUT));
    check(
        leaderGone.compareTo(must(Keys.FENCES_CP_RESET_AFTER)) < 0,
        Keys.FENCES_CP_RESET_AFTER,
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
    check(
        certificate.isPresent() || privateKey.isEmpty(),
        Keys.HTTP_CERTIFICATE_FILE,
        "is missing beside " + Keys.HTTP_PRIVATE_KEY_FILE.path());
    check(
        privateKey.isPresent() || certificate.isEmpty(),
        Keys.HTTP_PRIVATE_KEY_FILE,
        "is missing beside " + Keys.HTTP_CERTIFICATE_FILE.path());
    check(
        certificate.isPresent()
            || must(Keys.HTTP_PLAINTEXT_PROBES)
            || addressOf(Keys.HTTP_ADDRESS, address).isLoopbackAddress(),
        Keys.HTTP_ADDRESS,
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
    throw refused(Keys.OPERATOR_KEY_FILE, "is missing beside " + Keys.DATABASE_URL.path());
  }

  private <T> T must(Key<T> key) {
    return values.find(key).orElseThrow(() -> refused(key, "is missing"));
  }

  private static void wholeSeconds(Key<?> key, Duration value) {
    check(value.toMillis() % 1_000 == 0, key, "must be whole seconds");
  }

  private static boolean isAnyLocal(Key<?> key, String address) {
    return addressOf(key, address).isAnyLocalAddress();
  }

  private static InetAddress addressOf(Key<?> key, String address) {
    try {
      return InetAddress.getByName(address);
    } catch (UnknownHostException e) {
      throw new ConfigException(
          key.path() + ": must be an address of this machine, not \"" + address + "\"", e);
    }
  }

  private static void check(boolean holds, Key<?> key, String problem) {
    if (!holds) {
      throw refused(key, problem);
    }
  }

  private static ConfigException refused(Key<?> key, String problem) {
    return new ConfigException(key.path() + ": " + problem);
  }
}
