package io.tollgrid.node.testing;

import com.hazelcast.client.HazelcastClient;
import com.hazelcast.client.config.ClientConfig;
import com.hazelcast.core.HazelcastInstance;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.tollgrid.client.config.Stated;
import io.tollgrid.grid.GridLedgerClient;
import io.tollgrid.grid.GridSerialization;
import io.tollgrid.grid.LedgerClient;
import io.tollgrid.grid.LedgerClientSettings;
import io.tollgrid.grid.SystemClock;
import io.tollgrid.mapstore.testing.TestPostgres;
import io.tollgrid.node.NodeSeams;
import io.tollgrid.node.TollgridNode;
import io.tollgrid.node.config.ConfigLoader;
import io.tollgrid.node.config.NodeConfig;
import io.tollgrid.node.local.FreePorts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Nodes in this process that make up one cluster on one PostgreSQL of their own.
 *
 * <p>Members are numbered from 0 in the order of their ports. Used by one thread at a time, except
 * for the clients it hands out.
 */
public final class TestCluster implements AutoCloseable {
  /** How long a start, a takeover or a repair may take on a busy machine. */
  public static final Duration PATIENCE = Duration.ofMinutes(2);

  private final String name = "test-" + Long.toHexString(System.nanoTime());
  private final List<Integer> ports;
  private final Map<String, String> settings = new LinkedHashMap<>();
  private final IntFunction<NodeSeams> seams;
  private final TestPostgres postgres;
  private final Path directory;
  private final @Nullable TollgridNode[] nodes;
  private final List<AutoCloseable> clients = new ArrayList<>();

  private TestCluster(
      int expectedMembers,
      Map<String, String> settings,
      IntFunction<NodeSeams> seams,
      @Nullable TestPostgres postgres) {
    this.ports = FreePorts.take(expectedMembers);
    this.settings.putAll(settings);
    this.seams = seams;
    this.nodes = new TollgridNode[expectedMembers];
    this.postgres = postgres == null ? TestPostgres.empty() : postgres;
    try {
      this.directory = Files.createTempDirectory("tollgrid-cluster");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** How a cluster differs from the default. */
  public static final class Builder {
    private final int expectedMembers;
    private final Map<String, String> settings = new LinkedHashMap<>();
    private IntFunction<NodeSeams> seams = member -> NodeSeams.none();
    private @Nullable TestPostgres postgres;

    private Builder(int expectedMembers) {
      this.expectedMembers = expectedMembers;
    }

    /** Sets a key of the configuration, for every member. */
    public Builder set(String key, String value) {
      settings.put(key, value);
      return this;
    }

    /** Reaches into the members. */
    public Builder seams(IntFunction<NodeSeams> byMember) {
      seams = byMember;
      return this;
    }

    /** Puts it on a database that the test brings, and that is closed with the cluster. */
    public Builder on(TestPostgres database) {
      postgres = database;
      return this;
    }

    /** A cluster of which no member runs yet. */
    public TestCluster build() {
      return new TestCluster(expectedMembers, settings, seams, postgres);
    }

    /** A cluster of which every member is ready. */
    public TestCluster start() {
      final TestCluster cluster = build();
      try {
        cluster.startMembers(expectedMembers);
        return cluster;
      } catch (RuntimeException | Error e) {
        cluster.close();
        throw e;
      }
    }
  }

  /** A cluster that expects so many members. */
  public static Builder of(int expectedMembers) {
    return new Builder(expectedMembers);
  }

  /** Starts the first members, at the same time, and waits until each of them is ready. */
  public void startMembers(int count) {
    final List<CompletableFuture<TollgridNode>> starting = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      final int member = i;
      starting.add(
          CompletableFuture.supplyAsync(
              () -> launch(member), command -> new Thread(command).start()));
    }
    for (int i = 0; i < count; i++) {
      nodes[i] = starting.get(i).join();
    }
    awaitReady();
  }

  /** Starts one member; it is ready some time later. */
  public TollgridNode startMember(int member) {
    final TollgridNode node = launch(member);
    nodes[member] = node;
    return node;
  }

  private TollgridNode launch(int member) {
    return TollgridNode.start(config(member), seams.apply(member));
  }

  /** Sets a key of the configuration for members started from now on. */
  public void set(String key, String value) {
    settings.put(key, value);
  }

  /** The configuration a member is started with. */
  public NodeConfig config(int member) {
    final Map<String, String> all = new LinkedHashMap<>();
    all.put("cluster.name", name);
    all.put("cluster.port", Integer.toString(ports.get(member)));
    all.put("cluster.members", String.join(",", addresses()));
    all.put("cluster.expectedMembers", Integer.toString(ports.size()));
    all.put("database.url", postgres.jdbcUrl());
    all.put("database.user", postgres.user());
    if (!postgres.password().isEmpty()) {
      all.put("database.passwordFile", passwordFile().toString());
    }
    all.put("operator.keyFile", directory.resolve("operator.key").toString());
    all.put("http.port", "0");
    all.putAll(settings);
    final List<Stated> stated = new ArrayList<>();
    all.forEach((key, value) -> stated.add(new Stated(key, value, "the test")));
    return ConfigLoader.load(null, Map.of(), stated, directory).config();
  }

  private Path passwordFile() {
    try {
      return Files.writeString(directory.resolve("password"), postgres.password());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private List<String> addresses() {
    return ports.stream().map(port -> "127.0.0.1:" + port).toList();
  }

  /** A running member. */
  public TollgridNode node(int member) {
    final TollgridNode node = nodes[member];
    if (node == null) {
      throw new IllegalStateException("member " + member + " does not run");
    }
    return node;
  }

  /** The members that run. */
  public List<TollgridNode> running() {
    final List<TollgridNode> running = new ArrayList<>();
    for (final TollgridNode node : nodes) {
      if (node != null) {
        running.add(node);
      }
    }
    return running;
  }

  /** Waits until every running member is ready and sees all the others. */
  public void awaitReady() {
    for (final TollgridNode node : running()) {
      Eventually.until(
          "ready: " + node.readiness(),
          PATIENCE,
          () ->
              node.ready()
                  && node.hazelcast().getCluster().getMembers().size() == running().size());
    }
  }

  /**
   * Ends a member at once, as a crash of its process would: nobody is told, nothing is handed over.
   */
  public void kill(int member) {
    final TollgridNode node = node(member);
    node.hazelcast().getLifecycleService().terminate();
    node.close();
    nodes[member] = null;
  }

  /** Stops a member in order. */
  public void stop(int member) {
    node(member).close();
    nodes[member] = null;
  }

  /** A ledger client on a member, with the operator's key. */
  public LedgerClient embeddedClient(int member) {
    final LedgerClient client = node(member).newLedgerClient("test");
    clients.add(client);
    return client;
  }

  /** A ledger client in client mode, connected to all members, with the operator's key. */
  public LedgerClient remoteClient() {
    final LedgerClient client =
        new GridLedgerClient(
            remote(),
            LedgerClientSettings.defaults("test"),
            running().get(0).operatorKey(),
            new SystemClock(),
            new SimpleMeterRegistry());
    clients.add(client);
    return client;
  }

  /** A plain Hazelcast client of the cluster. */
  public HazelcastInstance remote() {
    final ClientConfig config = new ClientConfig();
    config.setClusterName(name);
    config.setProperty("hazelcast.logging.type", "slf4j");
    GridSerialization.configure(config.getSerializationConfig());
    addresses().forEach(config.getNetworkConfig()::addAddress);
    config
        .getConnectionStrategyConfig()
        .getConnectionRetryConfig()
        .setClusterConnectTimeoutMillis(PATIENCE.toMillis());
    final HazelcastInstance client = HazelcastClient.newHazelcastClient(config);
    clients.add(client::shutdown);
    return client;
  }

  /** The authority, to look into. */
  public TestPostgres postgres() {
    return postgres;
  }

  /** Stops what runs, without ceremony, and drops the database. */
  @Override
  public void close() {
    clients.forEach(TestCluster::closeQuietly);
    for (int i = 0; i < nodes.length; i++) {
      if (nodes[i] != null) {
        kill(i);
      }
    }
    postgres.close();
  }

  private static void closeQuietly(AutoCloseable client) {
    try {
      client.close();
    } catch (Exception e) {
      throw new IllegalStateException("a client of the test did not close", e);
    }
  }
}
