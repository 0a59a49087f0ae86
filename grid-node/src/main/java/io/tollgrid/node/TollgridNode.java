package io.tollgrid.node;

import com.hazelcast.cluster.Member;
import com.hazelcast.config.Config;
import com.hazelcast.config.ListenerConfig;
import com.hazelcast.core.HazelcastInstance;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.tollgrid.admission.snapshot.SnapshotRules;
import io.tollgrid.client.CredentialKey;
import io.tollgrid.grid.ChangeFeed;
import io.tollgrid.grid.CommonPool;
import io.tollgrid.grid.Departure;
import io.tollgrid.grid.GridLedgerClient;
import io.tollgrid.grid.LedgerClient;
import io.tollgrid.grid.LedgerClientSettings;
import io.tollgrid.grid.LedgerMember;
import io.tollgrid.grid.MemberStages;
import io.tollgrid.grid.OperatorKey;
import io.tollgrid.grid.TopicChangeFeed;
import io.tollgrid.grid.usage.UsageDoorbell;
import io.tollgrid.grid.wire.GuardedMember;
import io.tollgrid.mapstore.LedgerMapStore;
import io.tollgrid.mapstore.commit.CommitterSettings;
import io.tollgrid.mapstore.commit.GroupCommitter;
import io.tollgrid.mapstore.database.LedgerDataSources;
import io.tollgrid.mapstore.database.PostgresAddress;
import io.tollgrid.mapstore.denial.PostgresDenials;
import io.tollgrid.mapstore.fence.FencesAtRest;
import io.tollgrid.mapstore.load.LedgerLoader;
import io.tollgrid.mapstore.policy.AssignmentPublisher;
import io.tollgrid.mapstore.policy.CredentialRegister;
import io.tollgrid.mapstore.policy.PostgresIntroductions;
import io.tollgrid.mapstore.policy.PostgresPolicyReads;
import io.tollgrid.mapstore.rows.PostgresLedgerRows;
import io.tollgrid.mapstore.schema.LedgerSchema;
import io.tollgrid.mapstore.sweep.DueAccounts;
import io.tollgrid.mapstore.usage.RecordedUsage;
import io.tollgrid.node.background.BackgroundTask;
import io.tollgrid.node.config.NodeConfig;
import io.tollgrid.node.fence.Fencing;
import io.tollgrid.node.http.ProbeServer;
import io.tollgrid.node.http.ReadinessReport;
import io.tollgrid.node.member.Agreement;
import io.tollgrid.node.member.LedgerSql;
import io.tollgrid.node.member.MemberConfig;
import io.tollgrid.node.member.PartitionWatch;
import io.tollgrid.node.operator.OperatorKeyFile;
import io.tollgrid.node.policy.Assignments;
import io.tollgrid.node.policy.Credentials;
import io.tollgrid.node.policy.Publications;
import io.tollgrid.pipelines.Build;
import io.tollgrid.pipelines.JobSupervisor;
import io.tollgrid.pipelines.Pipelines;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One node: a Hazelcast member that owns ledgers, and everything it needs, from start to stop.
 *
 * <p>It is put together in the order of need (authority, committer, fences, probes, member) and
 * taken apart in the opposite one, except that the probes answer until last. The member leaves
 * before the committer ends, because what is under way on it still has to be stored. Thread-safe.
 */
public final class TollgridNode implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(TollgridNode.class);
  private static final Duration MEMBER_QUESTION = Duration.ofSeconds(1);
  private static final Duration SQL_RETRY = Duration.ofSeconds(10);
  private static final Duration ASSIGNMENTS_CHECK = Duration.ofSeconds(1);

  private final NodeConfig config;
  private final NodeSeams seams;
  private final StartedParts parts;
  private final PrometheusMeterRegistry registry;
  private final PostgresAddress database;
  private final OperatorKey operatorKey;
  private final Fencing fencing;
  private final MemberHandle handle;
  private final Build build = Build.current();
  private final Pipelines pipelines;
  private final NodeReadiness readiness;
  private final ProbeServer probes;
  private final HazelcastInstance member;
  private final ChangeFeed changes;
  private final Publications publications;
  private final Assignments assignments;
  private final CredentialRegister register;
  private final RecordedUsage recordedUsage;
  private final CompletableFuture<NodeEnd> ended = new CompletableFuture<>();
  private final AtomicBoolean closing = new AtomicBoolean();

  /** Starts a node and returns once it has joined; it becomes ready a little later. */
  public static TollgridNode start(NodeConfig config) {
    return start(config, NodeSeams.none());
  }

  /**
   * Starts a node that a harness can reach into.
   *
   * @throws io.tollgrid.client.config.ConfigException if the configuration cannot be used here
   * @throws io.tollgrid.node.postgres.DataDirectoryException if the data directory cannot be used
   * @throws NodeStartException for everything else that prevents a start, in one line
   */
  public static TollgridNode start(NodeConfig config, NodeSeams seams) {
    CommonPool.warnIfOneThreaded();
    final StartedParts parts = new StartedParts(config.shutdownTimeout(), seams.clock());
    boolean started = false;
    try {
      final TollgridNode node = new TollgridNode(config, seams, parts);
      started = true;
      return node;
    } catch (SQLException e) {
      throw new NodeStartException("PostgreSQL cannot be used: " + e.getMessage(), e);
    } finally {
      if (!started) {
        parts.stopAll();
      }
    }
  }

  private TollgridNode(NodeConfig config, NodeSeams seams, StartedParts parts) throws SQLException {
    this.config = config;
    this.seams = seams;
    this.parts = parts;
    final Authority authority = parts.add("database", Authority.open(config.database().location()));
    final OperatorKeyFile key = OperatorKeyFile.readOrCreate(config.operatorKeyFile());
    this.operatorKey = key.key();
    this.database = authority.address();
    this.registry = NodeMetrics.registry();
    parts.addStep("metrics", left -> registry.close());
    final LedgerDataSources sources = parts.add("connections", sources());
    NodeMetrics.watchPools(registry, sources);
    final LedgerSchema schema = new LedgerSchema(sources.control());
    final Duration horizon = Duration.ofNanos(config.ledger().limits().requestIdHorizonNanos());
    schema.prepare(config.cluster().partitions(), horizon);
    this.handle = new MemberHandle(this::memberEnded);
    final GroupCommitter committer = parts.add("committer", committer(sources));
    final NodeWatches watches =
        NodeWatches.of(
            sources, schema.monthPartitions(), committer, this::isOldest, config, seams, registry);
    watches.tasks().forEach(this::background);
    this.fencing =
        new Fencing(config, new StoredFences(new FencesAtRest(sources.raises())), registry);
    this.pipelines =
        new Pipelines(
            Pipelines.reads(new DueAccounts(sources.sweeps())),
            watches.all(),
            seams.clock(),
            seams.pace().sweeps(),
            seams.pace().ingest(),
            seams.pace().jobs(),
            registry,
            seams.blind());
    this.readiness =
        new NodeReadiness(config, handle, fencing, watches.database(), pipelines, watches.tasks());
    final LedgerLoader loader =
        parts.add(
            "loader", new LedgerLoader(sources.loads(), LedgerLoader.Settings.DEFAULTS, registry));
    committer.start();
    loader.start();
    final LedgerMapStore store =
        new LedgerMapStore(committer, loader, fencing.held(), handle::partitionOf, seams.defects());
    this.probes =
        parts.addLast(
            "probes", ProbeServer.start(config.http(), this::alive, readiness::report, registry));
    final AssignmentPublisher assigned =
        new AssignmentPublisher(sources.control(), SnapshotRules::refusal, seams.clock());
    this.member = join(store, sources, assigned, key.fingerprint());
    final BackgroundTask unused =
        background(new BackgroundTask("member", MEMBER_QUESTION, handle::look));
    NodeMetrics.watchMember(registry, member);
    this.changes = new TopicChangeFeed(member, registry);
    this.register = new CredentialRegister(sources.control(), seams.clock());
    this.publications = new Publications(sources.control(), seams.clock(), changes);
    this.recordedUsage =
        new RecordedUsage(
            sources.control(), Duration.ofNanos(config.ledger().limits().requestIdAheadNanos()));
    this.assignments = new Assignments(assigned, changes);
    Agreement.verify(member);
    fencing.start(member, this::mustRestart);
    parts.add("fences", fencing);
    tendMember();
    LOG.info(
        "member {} of cluster {} joined {} others; probes on port {}",
        member.getCluster().getLocalMember().getAddress(),
        config.cluster().name(),
        member.getCluster().getMembers().size() - 1,
        probes.port());
  }

  /** What goes on beside the ledgers for as long as the member is there. */
  private void tendMember() {
    final PartitionWatch partitions = new PartitionWatch(member, this::mustRestart);
    final LedgerSql sql = new LedgerSql(member);
    final LedgerClient sweeps =
        parts.add(
            "sweeps",
            new GridLedgerClient(
                member,
                LedgerClientSettings.defaults(Pipelines.ACTOR),
                null,
                seams.clock(),
                registry));
    final JobSupervisor jobs = parts.add("pipelines", pipelines).start(member, sweeps, build);
    final var unused =
        List.of(
            background(new BackgroundTask("jobs", seams.pace().look(), jobs::pass)),
            background(new BackgroundTask("partitions", MEMBER_QUESTION, partitions::pass)),
            background(
                new BackgroundTask("assignments", ASSIGNMENTS_CHECK, this::followAssignments)),
            background(new BackgroundTask("sql", SQL_RETRY, sql::createMapping)));
  }

  /** The oldest node lets the subjects follow: several at it would only wait for each other. */
  private void followAssignments() throws SQLException {
    if (isOldest()) {
      assignments.follow();
    }
  }

  /** Whether this is the oldest data member, which does what one member is enough for. */
  private boolean isOldest() {
    return handle
        .member()
        .filter(here -> here.getLifecycleService().isRunning())
        .flatMap(
            here ->
                here.getCluster().getMembers().stream()
                    .filter(each -> !each.isLiteMember())
                    .findFirst())
        .filter(Member::localMember)
        .isPresent();
  }

  private LedgerDataSources sources() {
    final LedgerDataSources.Sizes sizes = LedgerDataSources.Sizes.DEFAULTS;
    return LedgerDataSources.open(
        database,
        new LedgerDataSources.Sizes(
            committerSettings().connections(),
            sizes.raises(),
            sizes.loads(),
            sizes.policies(),
            sizes.sweeps(),
            sizes.control()));
  }

  private GroupCommitter committer(LedgerDataSources sources) {
    return new GroupCommitter(
        sources.committers(), committerSettings(), registry, seams.faults(), seams.defects());
  }

  private CommitterSettings committerSettings() {
    return CommitterSettings.DEFAULTS
        .withLanes(config.database().committerLanes())
        .withMaxSkew(config.ledger().maxSkew());
  }

  private BackgroundTask background(BackgroundTask task) {
    task.start();
    return parts.add(task.name(), task);
  }

  private HazelcastInstance join(
      LedgerMapStore store,
      LedgerDataSources sources,
      AssignmentPublisher assigned,
      String keyFingerprint) {
    final LedgerMember services =
        new LedgerMember(
            seams.ledger(),
            fencing.held(),
            new PostgresLedgerRows(sources.loads()),
            new PostgresPolicyReads(sources.policies()),
            new PostgresIntroductions(assigned),
            new PostgresDenials(sources.control(), seams.clock()),
            seams.clock(),
            config.ledger().limits(),
            operatorKey);
    final Map<String, String> attributes =
        new TreeMap<>(Agreement.attributes(config, keyFingerprint));
    attributes.put(Build.MEMBER_ATTRIBUTE, build.toString());
    final Config hazelcast =
        MemberConfig.of(
            config,
            store,
            Map.of(
                LedgerMember.CONTEXT_KEY, services,
                MemberStages.CONTEXT_KEY, pipelines,
                UsageDoorbell.CONTEXT_KEY, pipelines),
            attributes);
    hazelcast.addListenerConfig(new ListenerConfig(handle));
    fencing.configure(hazelcast);
    try {
      final HazelcastInstance started =
          GuardedMember.start(hazelcast, config.cluster().unrestrictedClients());
      parts.addStep("member", left -> leave(started, left));
      return started;
    } catch (RuntimeException e) {
      handle.expectShutdown();
      throw new NodeStartException("the grid member did not start: " + e.getMessage(), e);
    }
  }

  private void leave(HazelcastInstance started, Duration left) {
    handle.expectShutdown();
    if (!Departure.leave(started, left.multipliedBy(3).dividedBy(4))) {
      LOG.warn(
          "the member did not leave the cluster in order within the deadline; it went at once");
    }
  }

  private void memberEnded() {
    LOG.error("the grid member ended by itself; this node serves nothing any more");
    ended.complete(new NodeEnd(NodeEnd.Kind.DIED, "the grid member ended by itself"));
  }

  private void mustRestart(String reason) {
    LOG.error("this node needs a new process: {}", reason);
    ended.complete(new NodeEnd(NodeEnd.Kind.RESTART, reason));
  }

  /**
   * Completes when the node stopped, died, or needs a new process; it is closed only by {@link
   * #close}.
   */
  public CompletionStage<NodeEnd> ended() {
    return ended.minimalCompletionStage();
  }

  /** False once only a new process can help. */
  public boolean alive() {
    return !ended.isDone();
  }

  /** Whether ledger commands would be served now, and why not. */
  public ReadinessReport readiness() {
    return readiness.report();
  }

  /** Whether ledger commands would be served now. */
  public boolean ready() {
    return readiness().ready();
  }

  /** The grid member. */
  public HazelcastInstance hazelcast() {
    return member;
  }

  /** The key of operator commands. */
  public OperatorKey operatorKey() {
    return operatorKey;
  }

  /** Where the authority is. */
  public PostgresAddress database() {
    return database;
  }

  /** The port of the probes. */
  public int httpPort() {
    return probes.port();
  }

  /** Where this node's numbers are counted. */
  public MeterRegistry metrics() {
    return registry;
  }

  /**
   * A ledger client on this member that may give operator commands.
   *
   * @param actor whom the journal names
   */
  public LedgerClient newLedgerClient(String actor) {
    return new GridLedgerClient(
        member, LedgerClientSettings.defaults(actor), operatorKey, seams.clock(), registry);
  }

  /** How plans and snapshots are published. */
  public Publications publications() {
    return publications;
  }

  /** How plans are assigned to the subjects under a prefix. */
  public Assignments assignments() {
    return assignments;
  }

  /** The usage that is recorded, to compare other usage with. */
  public RecordedUsage recordedUsage() {
    return recordedUsage;
  }

  /** How credentials are issued and taken out of force, digested under {@code key}. */
  public Credentials credentials(CredentialKey key) {
    return new Credentials(register, key, seams.clock(), changes);
  }

  /** Stops in order under the configured deadline. Idempotent; later calls wait for nothing. */
  @Override
  public void close() {
    if (!closing.compareAndSet(false, true)) {
      return;
    }
    readiness.stopping();
    parts.stopAll();
    ended.complete(new NodeEnd(NodeEnd.Kind.STOPPED, "it was asked to"));
  }
}
