package io.tollgrid.verification.faults.run;

import com.hazelcast.core.HazelcastInstance;
import io.tollgrid.ledger.LedgerLimits;
import io.tollgrid.mapstore.database.LedgerDataSources;
import io.tollgrid.mapstore.schema.LedgerSchema;
import io.tollgrid.node.config.NodeConfig;
import io.tollgrid.verification.faults.check.FenceCheck;
import io.tollgrid.verification.faults.check.FenceRaise;
import io.tollgrid.verification.faults.check.FleetCheck;
import io.tollgrid.verification.faults.check.FleetEvidence;
import io.tollgrid.verification.faults.check.PostgresEvidence;
import io.tollgrid.verification.faults.history.HistoryFile;
import io.tollgrid.verification.faults.history.Operation;
import io.tollgrid.verification.faults.host.Host;
import io.tollgrid.verification.faults.host.Site;
import io.tollgrid.verification.faults.load.LoadPlan;
import io.tollgrid.verification.faults.plan.PlantedDefect;
import io.tollgrid.verification.faults.process.ChildJvm;
import io.tollgrid.verification.faults.process.Message;
import io.tollgrid.verification.faults.process.Vitals;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Everything one run needs: a server, a cluster on it, load, and the evidence they leave.
 *
 * <p>Used by one thread. Closing it kills every process it started.
 */
public final class Rig implements AutoCloseable {
  /** Where its server keeps its data, below the directory of a run. */
  public static final String POSTGRES = "postgres";

  /** How long a member may be silent before the others remove it. */
  public static final Duration SILENCE = Duration.ofSeconds(5);

  private static final String CLIENT_HEAP = "384m";
  private static final long WHOLE_SECONDS = 180;
  private static final long FINISH_SECONDS = 90;
  private static final int EVICTIONS_PER_SECOND = 40;
  private static final List<String> SETTINGS =
      List.of(
          "cluster.heartbeatTimeout=" + SILENCE.toSeconds() + "s",
          "ledger.grace=1s",
          "fences.cpAutoRemoval=10s");

  /** Where load lives. */
  public enum Mode {
    /** In processes of their own, through Hazelcast clients. */
    CLIENT,
    /** Inside the members. */
    EMBEDDED
  }

  private final Mode mode;
  private final long seed;
  private final int accounts;
  private final Path directory;
  private final Progress progress;
  private final Site site;
  private final PostgresServer postgres;
  private final Cluster cluster;
  private final NodeConfig config;
  private final List<ChildJvm> clients = new ArrayList<>();
  private final Map<String, Message> lastClientStatuses = new HashMap<>();
  private final Thread ending = new Thread(this::end, "end-rig");
  private int loads;
  private int callersPerMember;

  private Rig(
      Mode mode,
      long seed,
      int accounts,
      Path directory,
      Progress progress,
      Site site,
      PostgresServer postgres,
      Cluster cluster) {
    this.mode = mode;
    this.seed = seed;
    this.accounts = accounts;
    this.directory = directory;
    this.progress = progress;
    this.site = site;
    this.postgres = postgres;
    this.cluster = cluster;
    this.config = FaultNode.configuration(cluster.settingsOf(0));
  }

  /**
   * Starts the server and prepares its schema; no member is started yet.
   *
   * @param directory an empty directory for everything that is written
   * @param limit how long everything together may take until it is judged
   */
  public static Rig prepare(
      Mode mode,
      int members,
      long seed,
      int accounts,
      Path directory,
      Duration limit,
      Progress progress)
      throws SQLException {
    return prepare(mode, members, seed, accounts, directory, limit, List.of(), progress);
  }

  /**
   * As {@link #prepare(Mode, int, long, int, Path, Duration, Progress)}, at a site of their own,
   * which it leaves when it is closed, or does not start.
   *
   * @param planted a bug of every member
   */
  public static Rig prepare(
      Mode mode,
      int members,
      long seed,
      Path directory,
      Duration limit,
      Site site,
      PlantedDefect planted,
      Progress progress)
      throws SQLException {
    return prepare(
        mode,
        members,
        seed,
        0,
        directory,
        limit,
        List.of(FaultNode.planted(planted)),
        site,
        progress);
  }

  /**
   * As {@link #prepare(Mode, int, long, int, Path, Duration, Progress)}.
   *
   * @param more settings of the members beyond those that every run has, {@code key=value}
   */
  public static Rig prepare(
      Mode mode,
      int members,
      long seed,
      int accounts,
      Path directory,
      Duration limit,
      List<String> more,
      Progress progress)
      throws SQLException {
    return prepare(mode, members, seed, accounts, directory, limit, more, Site.LOCAL, progress);
  }

  private static Rig prepare(
      Mode mode,
      int members,
      long seed,
      int accounts,
      Path directory,
      Duration limit,
      List<String> more,
      Site site,
      Progress progress)
      throws SQLException {
    final List<String> settings = new ArrayList<>(SETTINGS);
    settings.addAll(more);
    @Nullable PostgresServer postgres = null;
    boolean prepared = false;
    try {
      postgres = PostgresServer.start(directory.resolve(POSTGRES), site.hosts().database());
      final Path password = directory.resolve("postgres.password");
      Files.writeString(password, postgres.address().password());
      final Cluster cluster =
          new Cluster(
              "faults-" + ProcessHandle.current().pid() + "-" + directory.getFileName(),
              members,
              directory,
              site.hosts(),
              postgres,
              password,
              seed,
              settings,
              progress,
              Deadline.in(limit));
      final Rig rig = new Rig(mode, seed, accounts, directory, progress, site, postgres, cluster);
      Runtime.getRuntime().addShutdownHook(rig.ending);
      rig.prepareSchema();
      prepared = true;
      return rig;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      if (!prepared) {
        if (postgres != null) {
          postgres.close();
        }
        site.close();
      }
    }
  }

  private void prepareSchema() throws SQLException {
    try (LedgerDataSources sources =
        LedgerDataSources.open(postgres.address(), LedgerDataSources.Sizes.DEFAULTS)) {
      new LedgerSchema(sources.control())
          .prepare(
              config.cluster().partitions(),
              Duration.ofNanos(config.ledger().limits().requestIdHorizonNanos()));
    }
    try (Connection connection = postgres.connect()) {
      new PostgresEvidence(connection).noteRaises();
    }
  }

  /** The members. */
  public Cluster cluster() {
    return cluster;
  }

  /** The server below. */
  public PostgresServer postgres() {
    return postgres;
  }

  /** The bounds its ledgers keep. */
  public LedgerLimits limits() {
    return config.ledger().limits();
  }

  /**
   * Starts all members, one after the other: a machine with few cores starts them sooner that way,
   * and none runs out of patience with PostgreSQL.
   */
  public void startAll() {
    for (int member = 0; member < cluster.size(); member++) {
      startAlone(member);
    }
  }

  private void startAlone(int member) {
    cluster.start(member);
    final ChildJvm process = cluster.process(member);
    final boolean unused =
        cluster.await(
            () -> process.heard(Words.STATUS) != null || !process.isAlive(),
            WHOLE_SECONDS,
            () -> {});
  }

  /** Waits until so many members are ready together. */
  public boolean awaitWhole(int members) {
    return cluster.await(() -> cluster.isWhole(members), WHOLE_SECONDS, this::tend);
  }

  /** Waits, looking after members that end by themselves. */
  public boolean await(BooleanSupplier condition, long seconds) {
    return cluster.await(condition, seconds, this::tend);
  }

  /** Has processes look what they hold. Returns whether each has said so. */
  public boolean look(List<ChildJvm> processes, long seconds) {
    final Map<ChildJvm, Long> before = new HashMap<>();
    processes.forEach(process -> before.put(process, looks(process)));
    processes.forEach(process -> process.tell(Message.of(Words.LOOK)));
    return await(
        () -> before.entrySet().stream().allMatch(one -> looks(one.getKey()) > one.getValue()),
        seconds);
  }

  private static long looks(ChildJvm process) {
    final Message status = process.heard(Words.STATUS);
    return status == null ? 0 : status.number(Vitals.LOOKS);
  }

  /** Lets time pass, looking after members that end by themselves. */
  public void pass(long millis) {
    final long until = System.nanoTime() + Duration.ofMillis(millis).toNanos();
    final boolean unused =
        cluster.await(() -> System.nanoTime() - until >= 0, 1 + millis / 1_000, this::tend);
  }

  /** Starts the load: two clients with so many callers each, or as many inside the members. */
  void startLoad(int processes, int callersEach) {
    if (mode == Mode.CLIENT) {
      for (int i = 0; i < processes; i++) {
        final ChildJvm client = startClient("client-" + (loads + 1), Host.LOCAL);
        clients.add(client);
        client.tell(load(callersEach));
      }
    } else {
      callersPerMember = Math.max(1, processes * callersEach / cluster.size());
      for (int member = 0; member < cluster.size(); member++) {
        if (cluster.isUp(member)) {
          loadMember(member);
        }
      }
    }
  }

  /** Starts a process that puts load on ledgers once it is told so; whoever asked closes it. */
  public ChildJvm startClient(String name, Host host) {
    final List<String> arguments = new ArrayList<>();
    arguments.add(cluster.name());
    arguments.add(cluster.operatorKeyFile().toString());
    arguments.addAll(cluster.addresses());
    final ChildJvm client =
        ChildJvm.start(name, host, LoadClient.class, arguments, CLIENT_HEAP, directory);
    client.await(Words.STATUS, any -> true, WHOLE_SECONDS);
    return client;
  }

  /** Starts a member, and load inside it if load is inside members. */
  public void startMember(int member) {
    startAlone(member);
    resumeLoad(member);
  }

  private void resumeLoad(int member) {
    if (callersPerMember > 0 && cluster.isUp(member)) {
      cluster.process(member).await(Words.STATUS, any -> true, WHOLE_SECONDS);
      loadMember(member);
    }
  }

  private void loadMember(int member) {
    cluster.tell(member, load(callersPerMember));
  }

  private Message load(int callers) {
    return load(seed, accounts, callers, 0);
  }

  /**
   * Tells a process to put load on so many accounts, drawn from a seed.
   *
   * @param pauseMillis how long each caller pauses after each answer
   */
  public Message load(long ofSeed, int ofAccounts, int callers, int pauseMillis) {
    final Path history = newHistory();
    return new Message(
        Words.LOAD,
        new LoadPlan(
                ofSeed,
                ofAccounts,
                callers,
                loads,
                history.toString(),
                pauseMillis == 0 ? EVICTIONS_PER_SECOND : EVICTIONS_PER_SECOND / 4,
                pauseMillis)
            .fields());
  }

  /** A history file for one more process that asks something of ledgers. */
  public Path newHistory() {
    loads++;
    return historyOf(loads);
  }

  private Path historyOf(int load) {
    return directory.resolve("load-" + load + ".history");
  }

  /** A connection to the grid from this process; whoever asked for it closes it. */
  public HazelcastInstance connect() {
    return Connections.client(cluster.name(), cluster.addresses());
  }

  private void tend() {
    for (final int member : cluster.tend()) {
      resumeLoad(member);
    }
  }

  /**
   * Lets all load end what it has begun.
   *
   * @return whether all of it did
   */
  boolean finishLoad() {
    final List<ChildJvm> loaded = new ArrayList<>(clients);
    if (callersPerMember > 0) {
      callersPerMember = 0;
      for (int member = 0; member < cluster.size(); member++) {
        if (cluster.isUp(member)) {
          loaded.add(cluster.process(member));
        }
      }
    }
    loaded.forEach(process -> process.tell(Message.of(Words.FINISH)));
    boolean all = true;
    for (final ChildJvm process : loaded) {
      try {
        process.await(Words.FINISHED, any -> true, FINISH_SECONDS);
      } catch (IllegalStateException e) {
        progress.say(String.valueOf(e.getMessage()));
        all = false;
      }
    }
    clients.forEach(
        client -> {
          rememberClient(client);
          client.kill();
        });
    clients.clear();
    return all;
  }

  /** Commands acknowledged so far. */
  long acknowledged() {
    clients.forEach(this::rememberClient);
    return total("acknowledged");
  }

  /** What load and members counted so far. */
  Map<String, Long> counts() throws SQLException {
    clients.forEach(this::rememberClient);
    final Map<String, Long> counts = new TreeMap<>();
    counts.put("acknowledged", total("acknowledged"));
    counts.put("refused", total("refused"));
    counts.put("gave_up_unknown", total("unknown"));
    counts.put("gave_up_denied", total("denied"));
    counts.put("stale", total("attempts.STALE"));
    counts.put("no_fence", total("attempts.NO_FENCE"));
    counts.put("unknown", total("attempts.UNKNOWN"));
    counts.put("replay", total("attempts.REPLAY"));
    counts.put("unavailable", total("attempts.UNAVAILABLE"));
    counts.put("too_late", total("attempts.TOO_LATE"));
    counts.put("needs_rows", total("attempts.NEEDS_ROWS"));
    counts.put("fenced", cluster.total("verdict.fenced"));
    counts.put("stale_at_committer", cluster.total("verdict.stale"));
    counts.put("commits_unknown", cluster.total("commits-unknown"));
    counts.put("confirmations_lost", cluster.total(Words.CONFIRMATIONS_LOST));
    counts.put("fences_from_cp", cluster.total("fences.cp"));
    counts.put("fences_from_postgresql", cluster.total("fences.postgresql"));
    counts.put("restarts_asked", (long) cluster.restartsAsked());
    counts.put("unexpected_ends", (long) cluster.unexpectedEnds());
    counts.put("silent_deaths", (long) cluster.silentDeaths());
    counts.put("takeovers", (long) FenceCheck.takeovers(raises()));
    return counts;
  }

  private long total(String count) {
    return cluster.total(count)
        + lastClientStatuses.values().stream().mapToLong(status -> status.number(count)).sum();
  }

  private void rememberClient(ChildJvm client) {
    final Message status = client.heard(Words.STATUS);
    final Message finished = client.heard(Words.FINISHED);
    final Message newest = finished == null ? status : finished;
    if (newest != null) {
      lastClientStatuses.put(client.name(), newest);
    }
  }

  /** Every change of an ownership fence so far. */
  public List<FenceRaise> raises() throws SQLException {
    try (Connection connection = postgres.connect()) {
      return new PostgresEvidence(connection).raises();
    }
  }

  /** Partitions whose fence at rest is still the one this process raised. */
  int fencesOf(String process) throws SQLException {
    try (Connection connection = postgres.connect()) {
      return new PostgresEvidence(connection).lastRaisedBy(process);
    }
  }

  /** Everything the run left behind. Members must be dead, or something may still be written. */
  public FleetEvidence evidence() throws SQLException {
    final List<Operation> history = new ArrayList<>();
    for (int load = 1; load <= loads; load++) {
      final Path file = historyOf(load);
      if (Files.exists(file)) {
        history.addAll(new HistoryFile(file).read("load-" + load));
      }
    }
    try (Connection connection = postgres.connect()) {
      return new PostgresEvidence(connection).read(history, LostConfirmations.readAll(directory));
    }
  }

  /** The check for this rig's evidence. */
  public FleetCheck check(Duration commitsVisibleWithin) {
    return new FleetCheck(
        limits(),
        commitsVisibleWithin.toNanos(),
        new GridPartitions(config.cluster().partitions()));
  }

  @Override
  public void close() {
    end();
    try {
      final boolean unused = Runtime.getRuntime().removeShutdownHook(ending);
    } catch (IllegalStateException e) {
      progress.say("the run was interrupted; its processes are gone");
    }
  }

  /** Also when the run is interrupted: the server is no child of this process that would notice. */
  private void end() {
    List.copyOf(clients).forEach(ChildJvm::close);
    cluster.close();
    postgres.close();
    site.close();
  }
}
