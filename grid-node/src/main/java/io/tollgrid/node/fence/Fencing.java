package io.tollgrid.node.fence;

import com.hazelcast.config.Config;
import com.hazelcast.config.ListenerConfig;
import com.hazelcast.config.SplitBrainProtectionListenerConfig;
import com.hazelcast.config.cp.CPSubsystemConfig;
import com.hazelcast.core.HazelcastInstance;
import io.micrometer.core.instrument.MeterRegistry;
import io.tollgrid.ledger.port.HeldFences;
import io.tollgrid.node.background.BackgroundTask;
import io.tollgrid.node.config.NodeConfig;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The fences of one member, from its configuration to its stop.
 *
 * <p>How CP is used follows from the number of members expected: one member needs no consensus and
 * runs CP in its unsafe mode; two cannot have any, so PostgreSQL issues their fences; three and
 * more run a Raft group of three.
 */
public final class Fencing implements AutoCloseable {
  /** CP members of a cluster that has CP. */
  static final int CP_MEMBERS = 3;

  private final NodeConfig config;
  private final FenceStore store;
  private final MeterRegistry registry;
  private final FenceKeeper keeper;
  private final FenceEvents events;
  private final CpHealth health = new CpHealth();
  private @Nullable CpFenceSource source;
  private @Nullable BackgroundTask cpTask;

  /** Fences that are not drawn yet. */
  public Fencing(NodeConfig config, FenceStore store, MeterRegistry registry) {
    this.config = config;
    this.store = store;
    this.registry = registry;
    this.keeper =
        new FenceKeeper(config.cluster().partitions(), config.fences().pollInterval(), registry);
    this.events = new FenceEvents(keeper);
  }

  /** The fences held; usable before {@link #start}, when there are none. */
  public HeldFences held() {
    return keeper;
  }

  /** Adds to a member's configuration what fences need; the member is not started yet. */
  public void configure(Config hazelcast) {
    hazelcast.setCPSubsystemConfig(cp());
    hazelcast
        .getSerializationConfig()
        .addDataSerializableFactory(
            RaiseAbove.FACTORY_ID, id -> id == RaiseAbove.CLASS_ID ? new RaiseAbove() : null);
    hazelcast.addListenerConfig(new ListenerConfig(events));
    hazelcast
        .getSplitBrainProtectionConfigs()
        .values()
        .forEach(
            protection ->
                protection.addListenerConfig(new SplitBrainProtectionListenerConfig(events)));
  }

  private CPSubsystemConfig cp() {
    final CPSubsystemConfig cp = new CPSubsystemConfig();
    if (mode() != Mode.RAFT) {
      return cp.setCPMemberCount(0);
    }
    final NodeConfig.Fences fences = config.fences();
    final int removal = (int) fences.cpAutoRemoval().toSeconds();
    cp.setCPMemberCount(CP_MEMBERS)
        .setGroupSize(CP_MEMBERS)
        .setMissingCPMemberAutoRemovalSeconds(removal)
        .setSessionTimeToLiveSeconds(removal)
        .setSessionHeartbeatIntervalSeconds(1);
    cp.getRaftAlgorithmConfig()
        .setLeaderHeartbeatPeriodInMillis(fences.leaderHeartbeat().toMillis())
        .setMaxMissedLeaderHeartbeatCount(fences.leaderHeartbeatsMissed())
        .setLeaderElectionTimeoutInMillis(fences.electionTimeout().toMillis());
    return cp;
  }

  /**
   * Begins to draw, and to look after CP.
   *
   * @param restart asked for when only a new process can repair this member's part in CP
   */
  public void start(HazelcastInstance member, Consumer<String> restart) {
    final HazelcastOwnership ownership =
        new HazelcastOwnership(member, config.cluster().majority());
    final Optional<FenceSource> drawn = source(member);
    final FenceIssuer issuer =
        new FenceIssuer(drawn, health, store, config.fences().cpCallTimeout(), registry);
    if (mode() == Mode.RAFT) {
      final CpRepair repair =
          new CpRepair(
              new HazelcastCpGroup(member),
              ownership::view,
              CP_MEMBERS,
              config.fences().repairInterval(),
              config.fences().cpResetAfter(),
              health,
              restart,
              registry);
      cpTask = new BackgroundTask("cp", config.fences().repairInterval(), repair::pass);
    } else {
      // Unsafe mode has nothing that could lose its leader; a draw that failed is simply repeated.
      cpTask = new BackgroundTask("cp", config.fences().repairInterval(), health::answered);
    }
    cpTask.start();
    keeper.start(ownership, issuer);
  }

  private Optional<FenceSource> source(HazelcastInstance member) {
    if (mode() == Mode.POSTGRESQL) {
      return Optional.empty();
    }
    source = new CpFenceSource(member);
    return Optional.of(source);
  }

  /** How far the fences held cover what is owned. */
  public FenceKeeper.Coverage coverage() {
    return keeper.coverage();
  }

  /** Whether CP answers; true where there is none that could fail. */
  public boolean cpReachable() {
    return mode() == Mode.POSTGRESQL || health.reachable();
  }

  /** What must be alive for this member to be ready. */
  public List<BackgroundTask> tasks() {
    return cpTask == null ? List.of(keeper.task()) : List.of(keeper.task(), cpTask);
  }

  /** Stops drawing and repairing. Fences held stay held: stores may still be under way. */
  @Override
  public void close() {
    keeper.close();
    if (cpTask != null) {
      cpTask.close();
    }
    if (source != null) {
      source.close();
    }
  }

  private enum Mode {
    UNSAFE,
    POSTGRESQL,
    RAFT
  }

  private Mode mode() {
    return switch (config.cluster().expectedMembers()) {
      case 1 -> Mode.UNSAFE;
      case 2 -> Mode.POSTGRESQL;
      default -> Mode.RAFT;
    };
  }
}
