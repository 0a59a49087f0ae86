package io.tollgrid.verification.faults.run;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.cp.CPMember;
import com.hazelcast.cp.CPSubsystemManagementService;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.tollgrid.client.config.Stated;
import io.tollgrid.grid.SystemClock;
import io.tollgrid.grid.usage.LeftUsage;
import io.tollgrid.grid.usage.MemberInbox;
import io.tollgrid.node.NodeEnd;
import io.tollgrid.node.NodeSeams;
import io.tollgrid.node.NodeStartException;
import io.tollgrid.node.TollgridNode;
import io.tollgrid.node.config.ConfigLoader;
import io.tollgrid.node.config.NodeConfig;
import io.tollgrid.verification.faults.load.LoadPlan;
import io.tollgrid.verification.faults.load.LoadRunner;
import io.tollgrid.verification.faults.plan.PlantedDefect;
import io.tollgrid.verification.faults.process.Message;
import io.tollgrid.verification.faults.process.ParentLine;
import io.tollgrid.verification.faults.process.SteeredClock;
import io.tollgrid.verification.faults.process.Vitals;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * One member of a run, in a process of its own: the shipped node with a mischievous store, and load
 * inside it if it is told so.
 *
 * <p>Arguments are settings of a node, {@code key=value}, {@code seed=…}, {@code lost=…} for the
 * file of what nobody is told of, and {@code defect=…} for a bug that is planted. It says how it is
 * five times a second.
 */
public final class FaultNode {
  /** Exit status of a node that asked for a new process. */
  static final int RESTART = 42;

  /** Exit status of a process whose member was dead for a while and whose node had not noticed. */
  static final int SILENT_DEATH = 43;

  private static final int MOST_DEAD_STATUSES = 25;

  private static final long STATUS_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
  private static final long CP_QUESTION_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long CP_PATIENCE_SECONDS = 5;
  private static final String SEED = "seed=";
  private static final String DEFECT = "defect=";
  private static final String LOST = "lost=";
  private static final int MOST_STARTS = 5;

  private final ParentLine line;
  private final MischievousStore store;
  private final SteeredClock clock;
  private final TollgridNode node;
  private volatile @Nullable LoadRunner load;
  private volatile Map<String, String> cp = Map.of();
  private volatile Map<String, String> vitals = Map.of();
  private volatile boolean leaving;

  private FaultNode(
      ParentLine line, MischievousStore store, SteeredClock clock, TollgridNode node) {
    this.line = line;
    this.store = store;
    this.clock = clock;
    this.node = node;
  }

  /** The argument that plants a bug. */
  static String planted(PlantedDefect defect) {
    return DEFECT + defect.spelling();
  }

  /** The argument that says where lost confirmations are written down. */
  static String losing(Path file) {
    return LOST + file;
  }

  /** The settings a member runs with, from its arguments. */
  static NodeConfig configuration(List<String> arguments) {
    final List<Stated> stated = new ArrayList<>();
    for (final String argument : arguments) {
      if (!argument.startsWith(SEED)
          && !argument.startsWith(DEFECT)
          && !argument.startsWith(LOST)) {
        final int equals = argument.indexOf('=');
        stated.add(
            new Stated(
                argument.substring(0, equals), argument.substring(equals + 1), "an argument"));
      }
    }
    return ConfigLoader.load(null, Map.of(), stated, Path.of("").toAbsolutePath()).config();
  }

  /** Runs a member until it is told to leave, killed, or needs a new process. */
  public static void main(String[] arguments) {
    final ParentLine line = ParentLine.open();
    long seed = 0;
    Path lost = Path.of("");
    PlantedDefect planted = PlantedDefect.NONE;
    for (final String argument : arguments) {
      if (argument.startsWith(SEED)) {
        seed = Long.parseLong(argument.substring(SEED.length()));
      } else if (argument.startsWith(LOST)) {
        lost = Path.of(argument.substring(LOST.length()));
      } else if (argument.startsWith(DEFECT)) {
        planted = PlantedDefect.of(argument.substring(DEFECT.length()));
      }
    }
    final MischievousStore store = new MischievousStore(seed, new LostConfirmations(lost)::add);
    final SteeredClock clock = new SteeredClock();
    final TollgridNode node =
        start(
            configuration(List.of(arguments)),
            new NodeSeams(clock, store, planted.committer(), planted.ledger()));
    final FaultNode self = new FaultNode(line, store, clock, node);
    node.ended().thenAccept(FaultNode::end);
    line.listen(self::hear);
    inBackground(self::keepAskingCp);
    self.report();
  }

  /** A cold JVM on a busy machine can be too slow for PostgreSQL's patience; a warm one is not. */
  private static TollgridNode start(NodeConfig config, NodeSeams seams) {
    for (int attempt = 1; ; attempt++) {
      try {
        return TollgridNode.start(config, seams);
      } catch (NodeStartException e) {
        System.err.println("start " + attempt + " failed: " + e.getMessage());
        if (attempt == MOST_STARTS) {
          throw e;
        }
      }
    }
  }

  private static void end(NodeEnd end) {
    System.err.println("the node ended: " + end);
    if (end.kind() != NodeEnd.Kind.STOPPED) {
      Runtime.getRuntime().halt(end.kind() == NodeEnd.Kind.RESTART ? RESTART : 1);
    }
  }

  private void hear(Message message) {
    switch (message.kind()) {
      case Words.MISCHIEF -> {
        store.loseOneIn((int) message.number(Words.LOSE_ONE_IN));
        store.waitOneIn((int) message.number(Words.WAIT_ONE_IN));
      }
      case Words.HOLD -> store.hold();
      case Words.LET_GO -> store.letGo();
      case SteeredClock.CLOCK -> clock.heed(message);
      case Words.LOAD -> {
        final LoadRunner runner =
            new LoadRunner(
                LoadPlan.of(message.fields()),
                node.hazelcast(),
                node.operatorKey(),
                new SystemClock());
        load = runner;
        runner.start();
      }
      case Words.FINISH -> inBackground(this::finish);
      case Words.LOOK -> inBackground(this::look);
      case Words.LEAVE -> {
        leaving = true;
        inBackground(this::leave);
      }
      default -> System.err.println("nobody knows what to do about " + message);
    }
  }

  private void look() {
    final Map<String, String> seen = new TreeMap<>(Vitals.look());
    final MemberInbox inbox = new MemberInbox(node.hazelcast());
    final Set<String> keys = inbox.keys();
    final List<LeftUsage> left = inbox.read(keys);
    seen.put(Words.LEFT_BATCHES, Integer.toString(left.size()));
    seen.put(Words.LEFT_KEYS, Integer.toString(keys.size()));
    seen.put(
        Words.LEFT_EVENTS,
        Integer.toString(
            left.stream().mapToInt(one -> one.verdicts().size() - one.verdicts().known()).sum()));
    vitals = seen;
  }

  private void finish() {
    final LoadRunner runner = load;
    if (runner != null && !runner.finish()) {
      System.err.println("some callers did not end");
    }
    line.say(
        runner == null ? Message.of(Words.FINISHED) : new Message(Words.FINISHED, runner.counts()));
  }

  private void leave() {
    node.close();
    Runtime.getRuntime().halt(0);
  }

  private static void inBackground(Runnable work) {
    final Thread thread = new Thread(work, "told");
    thread.setDaemon(true);
    thread.start();
  }

  private void report() {
    int dead = 0;
    while (true) {
      // A member that leaves in order takes its time for it, and calls itself dead meanwhile.
      dead = leaving || node.hazelcast().getLifecycleService().isRunning() ? 0 : dead + 1;
      if (dead > MOST_DEAD_STATUSES) {
        System.err.println("the member is dead and the node has not noticed: " + node.readiness());
        Runtime.getRuntime().halt(SILENT_DEATH);
      }
      line.say(new Message(Words.STATUS, status()));
      LockSupport.parkNanos(STATUS_NANOS);
    }
  }

  private Map<String, String> status() {
    final Map<String, String> status = new TreeMap<>(cp);
    status.putAll(vitals);
    final MeterRegistry metrics = node.metrics();
    for (final Counter counter : metrics.find("tollgrid.committer.verdicts").counters()) {
      status.put("verdict." + counter.getId().getTag("verdict"), whole(counter.count()));
    }
    for (final Counter counter : metrics.find("tollgrid.fences.issued").counters()) {
      status.put("fences." + counter.getId().getTag("source"), whole(counter.count()));
    }
    for (final Counter counter : metrics.find("tollgrid.cp.repairs").counters()) {
      status.put("cp-repair." + counter.getId().getTag("kind"), whole(counter.count()));
    }
    for (final Counter counter : metrics.find("tollgrid.sweep.accounts").counters()) {
      status.put(
          Words.swept(
              String.valueOf(counter.getId().getTag("sweep")),
              String.valueOf(counter.getId().getTag("result"))),
          whole(counter.count()));
    }
    status.put("commits-unknown", whole(total(metrics, "tollgrid.committer.unknown")));
    status.put(Words.CONFIRMATIONS_LOST, Long.toString(store.confirmationsLost()));
    status.put(Words.HELD, Integer.toString(store.held()));
    status.put(Words.WAITING, whole(sum(metrics, "tollgrid.committer.waiting")));
    status.put(Words.TAKEN_EVENTS, whole(sum(metrics, "tollgrid.usage.under.way")));
    for (final Gauge gauge : metrics.find("tollgrid.alarm").gauges()) {
      status.put(Words.alarm(String.valueOf(gauge.getId().getTag("name"))), whole(gauge.value()));
    }
    status.put(Words.READY, node.ready() ? "1" : "0");
    final Runtime runtime = Runtime.getRuntime();
    status.put(Words.HEAP_BYTES, Long.toString(runtime.totalMemory() - runtime.freeMemory()));
    final HazelcastInstance member = node.hazelcast();
    status.put(
        Words.MEMBERS,
        member.getLifecycleService().isRunning()
            ? Long.toString(
                member.getCluster().getMembers().stream()
                    .filter(other -> !other.isLiteMember())
                    .count())
            : "0");
    status.put(Words.QUEUED, Long.toString(QueuedOperations.of(member)));
    final LoadRunner runner = load;
    if (runner != null) {
      status.putAll(runner.counts());
    }
    return status;
  }

  /** On a thread of its own: without a majority CP does not answer, and nothing else may wait. */
  private void keepAskingCp() {
    while (true) {
      cp = askCp();
      LockSupport.parkNanos(CP_QUESTION_NANOS);
    }
  }

  /** The CP members, as CP itself says; absent while it has no majority. */
  private Map<String, String> askCp() {
    final HazelcastInstance member = node.hazelcast();
    if (!member.getLifecycleService().isRunning()
        || member.getConfig().getCPSubsystemConfig().getCPMemberCount() == 0) {
      return Map.of();
    }
    try {
      final CPSubsystemManagementService cpSubsystem =
          member.getCPSubsystem().getCPSubsystemManagementService();
      final Collection<CPMember> members =
          cpSubsystem
              .getCPMembers()
              .toCompletableFuture()
              .get(CP_PATIENCE_SECONDS, TimeUnit.SECONDS);
      return Map.of(
          Words.CP_MEMBERS,
          Integer.toString(members.size()),
          Words.CP_LOCAL,
          cpSubsystem.getLocalCPMember() == null ? "0" : "1",
          Words.CP_LEADER,
          CpLeader.is(member) ? "1" : "0");
    } catch (ExecutionException | TimeoutException | RuntimeException e) {
      return Map.of();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Map.of();
    }
  }

  private static double sum(MeterRegistry metrics, String name) {
    double sum = 0;
    for (final Gauge gauge : metrics.find(name).gauges()) {
      sum += gauge.value();
    }
    return sum;
  }

  private static double total(MeterRegistry metrics, String name) {
    double total = 0;
    for (final Counter counter : metrics.find(name).counters()) {
      total += counter.count();
    }
    return total;
  }

  private static String whole(double value) {
    return Long.toString((long) value);
  }
}
