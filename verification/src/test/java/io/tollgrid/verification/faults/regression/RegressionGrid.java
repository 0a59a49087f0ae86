package io.tollgrid.verification.faults.regression;

import com.hazelcast.config.Config;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.IMap;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.tollgrid.client.config.Stated;
import io.tollgrid.grid.GridLedgerClient;
import io.tollgrid.grid.GridNames;
import io.tollgrid.grid.LedgerClientSettings;
import io.tollgrid.grid.LedgerMember;
import io.tollgrid.grid.OperatorKey;
import io.tollgrid.grid.SystemClock;
import io.tollgrid.ledger.AccountStatus;
import io.tollgrid.ledger.AccountTerms;
import io.tollgrid.ledger.CapacityClass;
import io.tollgrid.ledger.GrantPolicy;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.Ledger;
import io.tollgrid.ledger.LedgerCommand;
import io.tollgrid.ledger.LedgerEntry;
import io.tollgrid.ledger.LedgerLimits;
import io.tollgrid.ledger.LedgerRequest;
import io.tollgrid.ledger.Outcome;
import io.tollgrid.ledger.policy.Introduction;
import io.tollgrid.mapstore.LedgerMapStore;
import io.tollgrid.mapstore.commit.CommitterSettings;
import io.tollgrid.mapstore.commit.Defects;
import io.tollgrid.mapstore.commit.GroupCommitter;
import io.tollgrid.mapstore.database.LedgerDataSources;
import io.tollgrid.mapstore.fence.FencesAtRest;
import io.tollgrid.mapstore.load.LedgerLoader;
import io.tollgrid.mapstore.policy.PostgresPolicyReads;
import io.tollgrid.mapstore.rows.PostgresLedgerRows;
import io.tollgrid.mapstore.testing.TestPostgres;
import io.tollgrid.node.config.ConfigLoader;
import io.tollgrid.node.config.NodeConfig;
import io.tollgrid.node.local.FreePorts;
import io.tollgrid.node.member.MemberConfig;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Several members in this JVM over one database, each with its own committer, map store and fences,
 * and the cures to be tested switched on or off by {@link Defects}.
 */
final class RegressionGrid implements AutoCloseable {
  static final long PATIENCE_SECONDS = 60;
  private static final int MAX_MEMBERS = 4;
  private static final AtomicLong IDS = new AtomicLong(1);

  /**
   * One member.
   *
   * @param hazelcast the member; null while it starts
   * @param gate its store
   * @param fences its fences
   * @param confirmations whether its commits are confirmed
   * @param parts what ends with it
   */
  record Member(
      HazelcastInstance hazelcast,
      StoreGate gate,
      PlainFences fences,
      LostConfirmation confirmations,
      List<AutoCloseable> parts) {}

  private final TestPostgres database;
  private final Defects defects;
  private final int partitions;
  private final String name = "regression-" + UUID.randomUUID();
  private final List<Integer> ports = FreePorts.take(MAX_MEMBERS);
  private final int expectedMembers;
  private final OperatorKey operatorKey = new OperatorKey(new byte[OperatorKey.BYTES]);
  private final List<Member> members = new ArrayList<>();
  private final List<GridLedgerClient> clients = new ArrayList<>();

  /**
   * A grid without members.
   *
   * @param expectedMembers members of the cluster; from two on a majority is needed to serve
   */
  RegressionGrid(TestPostgres database, int expectedMembers, Defects defects) {
    this(database, expectedMembers, defects, TestPostgres.PARTITIONS);
  }

  /**
   * A grid without members, of fewer partitions than the database has.
   *
   * @param partitions into how many the grid divides its accounts
   */
  RegressionGrid(TestPostgres database, int expectedMembers, Defects defects, int partitions) {
    this.database = database;
    this.partitions = partitions;
    this.expectedMembers = expectedMembers;
    this.defects = defects;
  }

  /** Starts a member and waits until it has joined. */
  Member start() {
    return start(new StoreGate.Script() {});
  }

  /** Starts a member whose store plays a script from its creation on. */
  Member start(StoreGate.Script script) {
    final int number = members.size();
    final LedgerDataSources sources =
        LedgerDataSources.open(database.address(), LedgerDataSources.Sizes.DEFAULTS);
    final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    final LostConfirmation confirmations = new LostConfirmation();
    final GroupCommitter committer =
        new GroupCommitter(
            sources.committers(), CommitterSettings.DEFAULTS, registry, confirmations, defects);
    final LedgerLoader loader =
        new LedgerLoader(sources.loads(), LedgerLoader.Settings.DEFAULTS, registry);
    committer.start();
    loader.start();
    final PlainFences fences = new PlainFences(new FencesAtRest(sources.raises()));
    final CompletableFuture<HazelcastInstance> self = new CompletableFuture<>();
    final StoreGate gate =
        new StoreGate(
            new LedgerMapStore(
                committer,
                loader,
                fences,
                key -> self.join().getPartitionService().getPartition(key).getPartitionId(),
                defects));
    gate.play(script);
    final LedgerMember services =
        new LedgerMember(
            Ledger::apply,
            fences,
            new PostgresLedgerRows(sources.loads()),
            new PostgresPolicyReads(sources.policies()),
            subject -> Introduction.NO_PLAN,
            denials -> {},
            new SystemClock(),
            LedgerLimits.DEFAULTS,
            operatorKey);
    final Config config =
        MemberConfig.of(
            configuration(number), gate, Map.of(LedgerMember.CONTEXT_KEY, services), Map.of());
    config.setProperty("hazelcast.partition.count", Integer.toString(partitions));
    config.setProperty("hazelcast.shutdownhook.enabled", "false");
    final HazelcastInstance hazelcast = Hazelcast.newHazelcastInstance(config);
    self.complete(hazelcast);
    final Member member =
        new Member(
            hazelcast, gate, fences, confirmations, List.of(committer, loader, fences, sources));
    synchronized (members) {
      members.add(member);
    }
    return member;
  }

  private NodeConfig configuration(int number) {
    final List<String> addresses = new ArrayList<>();
    for (int i = 0; i < (expectedMembers == 1 ? MAX_MEMBERS : expectedMembers); i++) {
      addresses.add("127.0.0.1:" + ports.get(i));
    }
    final Map<String, String> settings =
        Map.of(
            "cluster.name",
            name,
            "cluster.port",
            Integer.toString(ports.get(number)),
            "cluster.members",
            String.join(",", addresses),
            "cluster.expectedMembers",
            Integer.toString(expectedMembers),
            "cluster.heartbeatTimeout",
            "5s",
            "database.url",
            database.jdbcUrl(),
            "database.user",
            database.address().user(),
            "operator.keyFile",
            "unused.key");
    return ConfigLoader.load(
            null,
            Map.of(),
            settings.entrySet().stream()
                .map(setting -> new Stated(setting.getKey(), setting.getValue(), "test"))
                .toList(),
            Path.of("").toAbsolutePath())
        .config();
  }

  /** What PostgreSQL holds as top-up of an account. */
  long storedTopUp(Id128 account) {
    try (Connection connection =
            DriverManager.getConnection(
                database.jdbcUrl(), database.address().user(), database.address().password());
        PreparedStatement select =
            connection.prepareStatement("SELECT top_up FROM account WHERE id = ?")) {
      select.setObject(1, account.toUuid());
      try (ResultSet row = select.executeQuery()) {
        return row.next() ? row.getLong(1) : -1;
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Every member of this grid that Hazelcast knows of; one that is still starting is not. */
  private List<HazelcastInstance> instances() {
    return Hazelcast.getAllHazelcastInstances().stream()
        .filter(instance -> instance.getConfig().getClusterName().equals(name))
        .toList();
  }

  /** A client on a member, patient as in the product. */
  GridLedgerClient client(Member member) {
    return client(member, LedgerClientSettings.defaults("test"));
  }

  /** A client whose first retry is a minute away: it dies before that. */
  GridLedgerClient doomedClient(Member member) {
    final long minute = Duration.ofMinutes(1).toNanos();
    return client(
        member, new LedgerClientSettings("doomed", minute, minute, 1, minute, minute, 256));
  }

  /** A client with these settings. */
  GridLedgerClient client(Member member, LedgerClientSettings settings) {
    final GridLedgerClient client =
        new GridLedgerClient(
            member.hazelcast(),
            settings,
            operatorKey,
            new SystemClock(),
            new SimpleMeterRegistry());
    synchronized (clients) {
      clients.add(client);
    }
    return client;
  }

  IMap<String, LedgerEntry> ledgers(Member member) {
    return member.hazelcast().getMap(GridNames.LEDGERS);
  }

  /** A fresh account in this ledger partition, unfunded and in memory. */
  Id128 accountIn(Member member, int partition) {
    while (true) {
      final Id128 account = id();
      final String key = GridNames.ledgerKey(account);
      if (member.hazelcast().getPartitionService().getPartition(key).getPartitionId()
          == partition) {
        create(member, account);
        return account;
      }
    }
  }

  private void create(Member member, Id128 account) {
    try (GridLedgerClient client = client(member)) {
      run(
          client,
          account,
          new LedgerCommand.Create(
              id(), AccountStatus.ACTIVE, CapacityClass.BEST_EFFORT, AccountTerms.STRICT));
    }
  }

  static Outcome run(GridLedgerClient client, Id128 account, LedgerCommand command) {
    return client
        .submit(
            new LedgerRequest(
                account,
                "test",
                new SystemClock().nowNanos() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS),
                command))
        .toCompletableFuture()
        .join()
        .outcome();
  }

  static LedgerCommand deposit(long units) {
    return new LedgerCommand.Deposit(id(), units);
  }

  static LedgerCommand acquire(long units) {
    return new LedgerCommand.Acquire(
        id(),
        id(),
        new GrantPolicy(units, units, 1, GrantPolicy.DEFAULT_MAX_GRANT_UNITS),
        Duration.ofMinutes(1).toNanos(),
        0);
  }

  static Id128 id() {
    return new Id128(IDS.getAndIncrement() * 0x9E3779B97F4A7C15L, IDS.get());
  }

  /** Waits for a condition. */
  static void await(String what, BooleanSupplier condition) {
    final long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - until > 0) {
        throw new AssertionError("not within " + PATIENCE_SECONDS + " s: " + what);
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
    }
  }

  @Override
  public void close() throws Exception {
    clients.forEach(GridLedgerClient::close);
    instances().forEach(instance -> instance.getLifecycleService().terminate());
    for (final Member member : members) {
      for (final AutoCloseable part : member.parts()) {
        part.close();
      }
    }
  }
}
