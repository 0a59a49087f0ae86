package io.tollgrid.node.fence;

import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks at CP pass by pass, and puts it right when it cannot do so itself (architecture §3.4).
 *
 * <p>CP's state is disposable, so every repair is safe for ledgers; what a repair can cost is time.
 * Each is therefore done only when the same need was seen in {@value #CONFIRMATIONS} passes in a
 * row, and a failed one is simply found again. A reset begins a discovery on every member, which
 * the next reset would break off and wait for; so each that follows without an answer of CP in
 * between is given twice as long as the one before. Listeners of CP are not used: they were seen
 * not to fire. Runs on one thread.
 */
final class CpRepair {
  private static final Logger LOG = LoggerFactory.getLogger(CpRepair.class);

  /** Passes in a row that must see the same need: membership changes pass through odd states. */
  static final int CONFIRMATIONS = 2;

  /** Passes after which any member may promote itself, not only the one whose turn it is. */
  static final int PATIENCE = 6;

  /** How often the patience with a reset is doubled at most. */
  static final int MOST_DOUBLINGS = 3;

  private static final Duration PROBE = Duration.ofSeconds(2);
  private static final Duration CHANGE = Duration.ofSeconds(20);

  /** What a pass finds to be needed. */
  enum Need {
    /** Nothing. */
    NONE,
    /** The list is short and this member is not on it. */
    PROMOTE,
    /** The list still names the process that ran here before this one. */
    REMOVE_PREDECESSOR,
    /** This member takes itself for a CP member and is none: only a new process gets rid of it. */
    RESTART,
    /** No majority of CP members answers. */
    RESET
  }

  private final CpGroup cp;
  private final Supplier<ClusterView> cluster;
  private final int cpMembers;
  private final int resetAfterPasses;
  private final CpHealth health;
  private final Consumer<String> restart;
  private final MeterRegistry registry;
  private Need lastNeed = Need.NONE;
  private int seen;
  private int resetsInARow;

  /**
   * @param cpMembers how many CP members there should be
   * @param interval the pause between two passes
   * @param resetAfter time without a CP majority after which CP is reset
   * @param health told what each probe found
   * @param restart asks for a new process, with the reason
   */
  CpRepair(
      CpGroup cp,
      Supplier<ClusterView> cluster,
      int cpMembers,
      Duration interval,
      Duration resetAfter,
      CpHealth health,
      Consumer<String> restart,
      MeterRegistry registry) {
    this.cp = cp;
    this.cluster = cluster;
    this.cpMembers = cpMembers;
    this.resetAfterPasses =
        (int) Math.max(CONFIRMATIONS, resetAfter.dividedBy(interval.plus(PROBE)) + 1);
    this.health = health;
    this.restart = restart;
    this.registry = registry;
    registry.gauge("tollgrid.cp.reachable", health, h -> h.reachable() ? 1 : 0);
  }

  /** One look at CP, and one repair if it has been needed for long enough. */
  void pass() throws InterruptedException, CpGroup.CpFailure {
    final Optional<List<CpGroup.CpMember>> members = cp.members(PROBE);
    if (members.isPresent()) {
      health.answered();
      resetsInARow = 0;
    } else {
      health.failed();
    }
    final ClusterView view = cluster.get();
    final Need need = need(members, view);
    seen = need == lastNeed ? seen + 1 : 1;
    lastNeed = need;
    if (need != Need.NONE && seen >= required(need, members, view)) {
      seen = 0;
      repair(need, members.orElse(List.of()), view);
    }
  }

  private Need need(Optional<List<CpGroup.CpMember>> answer, ClusterView view) {
    if (answer.isEmpty()) {
      return view.oldestFirst().size() >= cpMembers && view.localIsOldest()
          ? Need.RESET
          : Need.NONE;
    }
    final List<CpGroup.CpMember> members = answer.get();
    final Optional<UUID> localId = cp.localId();
    if (localId.isPresent()) {
      return members.stream().anyMatch(member -> member.id().equals(localId.get()))
          ? Need.NONE
          : Need.RESTART;
    }
    if (predecessor(members, view).isPresent()) {
      return Need.REMOVE_PREDECESSOR;
    }
    return members.size() < cpMembers ? Need.PROMOTE : Need.NONE;
  }

  /** How many passes in a row must see a need before it is acted on. */
  private int required(Need need, Optional<List<CpGroup.CpMember>> answer, ClusterView view) {
    return switch (need) {
      case RESET -> resetAfterPasses << Math.min(resetsInARow, MOST_DOUBLINGS);
      case PROMOTE -> itIsOurTurn(answer.orElse(List.of()), view) ? CONFIRMATIONS : PATIENCE;
      default -> CONFIRMATIONS;
    };
  }

  /** The oldest member that is not on the list promotes itself, so that not all do at once. */
  private static boolean itIsOurTurn(List<CpGroup.CpMember> members, ClusterView view) {
    return view.oldestFirst().stream()
        .filter(address -> members.stream().noneMatch(m -> m.address().equals(address)))
        .findFirst()
        .map(view.local()::equals)
        .orElse(false);
  }

  private static Optional<CpGroup.CpMember> predecessor(
      List<CpGroup.CpMember> members, ClusterView view) {
    return members.stream().filter(member -> member.address().equals(view.local())).findFirst();
  }

  private void repair(Need need, List<CpGroup.CpMember> members, ClusterView view)
      throws InterruptedException, CpGroup.CpFailure {
    registry.counter("tollgrid.cp.repairs", "kind", need.name()).increment();
    switch (need) {
      case NONE -> {}
      case PROMOTE -> {
        LOG.info("CP has {} of {} members; this member joins it", members.size(), cpMembers);
        cp.promote(CHANGE);
      }
      case REMOVE_PREDECESSOR -> {
        final CpGroup.CpMember dead = predecessor(members, view).orElseThrow();
        LOG.info("removing CP member {}, which ran at this address before", dead.id());
        cp.remove(dead.id(), CHANGE);
      }
      case RESTART ->
          restart.accept(
              "this member was removed from CP while it was away and cannot join it again;"
                  + " a new process can");
      case RESET -> {
        LOG.warn(
            "CP has had no majority for {} passes, and {} members are here; CP is reset",
            required(need, Optional.empty(), view),
            view.oldestFirst().size());
        resetsInARow++;
        cp.reset(CHANGE);
      }
    }
  }
}
