package io.tollgrid.verification.simulation;

import io.tollgrid.ledger.Ledger;
import io.tollgrid.ledger.LedgerFunction;
import io.tollgrid.ledger.Recall;
import io.tollgrid.verification.planted.CreditOnReclaim;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The whole simulated world: one store, one consensus, members that own partitions, and processes
 * that ask. Confined to the thread that runs it; {@link #execute} is its only way forward.
 */
final class Fleet {
  private final Defects defects;
  private final Coverage coverage;
  private final LedgerFunction ledger;
  private final @Nullable Consumer<String> narrator;
  private final VirtualTime time = new VirtualTime();
  private final ConsensusFences consensus = new ConsensusFences();
  private final CommandAudit commands = new CommandAudit();
  private final SpendAudit spend = new SpendAudit();
  private final UsageAudit usage = new UsageAudit();
  private final StoreAudit audit;
  private final SimulatedStore store;
  private final OwnerMember[] members = new OwnerMember[Scale.MEMBERS];
  private final int[] owner = new int[Scale.PARTITIONS];
  private final List<Set<Integer>> pastOwners = new ArrayList<>();
  private final List<Set<Long>> fencesHeld = new ArrayList<>();
  private final CallSlot[][] slots = new CallSlot[Lanes.COUNT][Scale.ACCOUNTS];
  private final List<CallSlot> busySlots = new ArrayList<>();
  private final long[] skewNanos = new long[Lanes.PROCESSES];
  private final Instance[] instances = new Instance[Scale.INSTANCES];
  private final Operators operators = new Operators(this);
  private final Rogue rogue = new Rogue(this);
  private long steps;

  Fleet(Defects defects, Coverage coverage, @Nullable Consumer<String> narrator) {
    this.defects = defects;
    this.coverage = coverage;
    this.narrator = narrator;
    this.ledger = defects.creditOnReclaim() ? new CreditOnReclaim(Ledger::apply) : Ledger::apply;
    this.audit = new StoreAudit(ledger, time, commands, spend, usage, coverage);
    this.store = new SimulatedStore(time, defects, audit);
    for (int member = 0; member < Scale.MEMBERS; member++) {
      members[member] = new OwnerMember(this, member);
    }
    for (int lane = 0; lane < Lanes.COUNT; lane++) {
      for (int account = 0; account < Scale.ACCOUNTS; account++) {
        slots[lane][account] = new CallSlot(this, lane, account);
      }
    }
    for (int instance = 0; instance < Scale.INSTANCES; instance++) {
      instances[instance] = new Instance(this, instance);
    }
    for (int partition = 0; partition < Scale.PARTITIONS; partition++) {
      pastOwners.add(new HashSet<>());
      fencesHeld.add(new HashSet<>());
      owner[partition] = partition % Scale.MEMBERS;
      members[owner[partition]].gain(partition);
      members[owner[partition]].partitions().draw(partition);
      members[owner[partition]].partitions().raise(partition, false);
    }
    Founding.fund(this);
  }

  /**
   * Lets one event happen.
   *
   * @return whether it changed anything or was refused, which makes it a step; an event that means
   *     nothing here (no such message, a member that is down) is none
   * @throws Violation if a rule was broken
   */
  boolean execute(Event event) {
    if (narrator != null) {
      narrator.accept(event.toString());
    }
    final boolean happened;
    try {
      happened = event.happen(this);
    } catch (Violation e) {
      throw e;
    } catch (RuntimeException | AssertionError e) {
      throw new Violation("nothing throws but a violation", e);
    }
    if (happened) {
      steps++;
    }
    return happened;
  }

  /** Tells a reader of the trace what an event led to; costs nothing when nobody reads. */
  void note(Supplier<String> what) {
    if (narrator != null) {
      narrator.accept("    " + what.get());
    }
  }

  long steps() {
    return steps;
  }

  Defects defects() {
    return defects;
  }

  Coverage coverage() {
    return coverage;
  }

  LedgerFunction ledger() {
    return ledger;
  }

  VirtualTime time() {
    return time;
  }

  ConsensusFences consensus() {
    return consensus;
  }

  SimulatedStore store() {
    return store;
  }

  StoreAudit audit() {
    return audit;
  }

  CommandAudit commands() {
    return commands;
  }

  SpendAudit spend() {
    return spend;
  }

  UsageAudit usage() {
    return usage;
  }

  Operators operators() {
    return operators;
  }

  Rogue rogue() {
    return rogue;
  }

  OwnerMember member(int member) {
    return members[member];
  }

  Instance instance(int instance) {
    return instances[instance];
  }

  CallSlot slot(int lane, int account) {
    return slots[lane][account];
  }

  /**
   * Slots that have a command or a message, and some that had one; see {@link CallSlot#isEmpty}.
   */
  List<CallSlot> busySlots() {
    return busySlots;
  }

  /** The slot a request came from. */
  CallSlot slotOf(Request request) {
    return request.call().slot;
  }

  long clientClock(int lane) {
    return time.nowNanos() + skewNanos[Lanes.processOf(lane)];
  }

  boolean setClientSkew(int process, long nanos) {
    final boolean changed = skewNanos[process] != nanos;
    skewNanos[process] = nanos;
    return changed;
  }

  /** The hint beside a ledger, as a poll of its owner shows it. */
  @Nullable Recall recall(int account) {
    final OwnerMember at = members[owner[Scale.partitionOf(account)]];
    return at.running() ? at.recall(account) : null;
  }

  /** The process dies; its commands are awaited no more. */
  void crashProcess(int process) {
    if (Lanes.isInstance(process)) {
      instances[process].crash();
      return;
    }
    for (int lane = 0; lane < Lanes.COUNT; lane++) {
      if (Lanes.belongsTo(lane, process)) {
        for (int account = 0; account < Scale.ACCOUNTS; account++) {
          slots[lane][account].abandon();
        }
      }
    }
  }

  // Ownership as the grid's partition table has it

  int owner(int partition) {
    return owner[partition];
  }

  /** A member is made owner without the old one being told. */
  boolean takeOver(int partition, int member) {
    if (!members[member].running() || owner[partition] == member) {
      return false;
    }
    final OwnerMember old = members[owner[partition]];
    old.strike(FaultKind.OWNER_DEPOSED, partition);
    if (old.running() && old.owns(partition)) {
      coverage.saw(Scenario.TWO_OWNERS_AT_ONCE);
    }
    moveTo(partition, member);
    members[member].gain(partition);
    return true;
  }

  /** A partition moves with its entries, and both members know. */
  boolean migrate(int partition, int member) {
    final OwnerMember from = members[owner[partition]];
    if (!members[member].running() || !from.running() || owner[partition] == member) {
      return false;
    }
    from.strike(FaultKind.PARTITION_MIGRATED, partition);
    moveTo(partition, member);
    members[member].gain(partition);
    members[member].adopt(from.leave(partition));
    return true;
  }

  /** A member learns what it owns; what it wrongly believed to own is gone. */
  boolean learn(int member) {
    if (!members[member].running()) {
      return false;
    }
    boolean news = false;
    for (int partition = 0; partition < Scale.PARTITIONS; partition++) {
      final boolean owns = owner[partition] == member;
      if (members[member].owns(partition) && !owns) {
        members[member].leave(partition);
        news = true;
      } else if (!members[member].owns(partition) && owns) {
        members[member].gain(partition);
        news = true;
      }
    }
    return news;
  }

  /** No two members, nor one member twice, ever hold the same fence. */
  void fenceHeld(int partition, long fence) {
    if (!fencesHeld.get(partition).add(fence)) {
      throw new Violation(
          "3.4", "a fence is held once", "partition " + partition + " fence " + fence);
    }
  }

  private void moveTo(int partition, int member) {
    pastOwners.get(partition).add(owner[partition]);
    if (pastOwners.get(partition).contains(member)) {
      coverage.saw(Scenario.OWNERSHIP_CAME_BACK);
    }
    owner[partition] = member;
  }
}
