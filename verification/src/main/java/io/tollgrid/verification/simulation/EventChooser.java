package io.tollgrid.verification.simulation;

import io.tollgrid.ledger.AccountLedger;
import io.tollgrid.ledger.Lease;
import io.tollgrid.ledger.LeaseStep;
import io.tollgrid.ledger.Period;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Draws the next event from a seed and the state of the fleet.
 *
 * <p>Every seed has a temper of its own: how often each kind of fault strikes, how fast time
 * passes, how busy everyone is. Runs that differ in temper reach more than runs that differ in luck
 * alone ("swarm testing", Groce et al. 2012).
 */
final class EventChooser {
  private static final int TRIES = 60;
  private static final int MAX_COPIES = 4;
  private static final int[] FAULTINESS = {0, 30, 100, 100, 100, 300};
  private static final int[] BUSYNESS = {40, 100, 100, 300};

  private final Fleet fleet;
  private final SplittableRandom random;
  private final List<Supplier<@Nullable Event>> wheel = new ArrayList<>();
  private final int tempoPercent;
  private final Deque<Event> next = new ArrayDeque<>();

  EventChooser(Fleet fleet, long seed) {
    this.fleet = fleet;
    this.random = new SplittableRandom(seed);
    this.tempoPercent = new int[] {30, 100, 100, 250}[random.nextInt(4)];
    addProgress();
    addFaults();
    final HolderChoices holders = new HolderChoices(fleet, random);
    final OperatorChoices operators = new OperatorChoices(fleet, random);
    holders.sources().forEach((make, weight) -> add(tempered(weight, BUSYNESS), make));
    operators.sources().forEach((make, weight) -> add(tempered(weight, BUSYNESS), make));
    addTime();
    addPlays();
    setClocks();
  }

  /** The next event; one that may turn out to mean nothing. */
  Event next() {
    if (!next.isEmpty()) {
      return next.remove();
    }
    for (int i = 0; i < TRIES; i++) {
      final Event event = wheel.get(random.nextInt(wheel.size())).get();
      if (event != null) {
        return event;
      }
    }
    return new Event.TimePasses(Scale.MILLI);
  }

  /** In most runs no two clocks agree from the beginning. */
  private void setClocks() {
    if (random.nextInt(4) == 0) {
      return;
    }
    for (int member = 0; member < Scale.MEMBERS; member++) {
      next.add(new OwnerEvent.MemberClockJumps(member, skewWithinLimits()));
    }
    for (int process = 0; process < Lanes.PROCESSES; process++) {
      next.add(new HolderEvent.ClientClockMoves(process, skewWithinLimits()));
    }
  }

  /** Gives a kind of event as many places on the wheel as it has weight. */
  private void add(int weight, Supplier<@Nullable Event> make) {
    for (int i = 0; i < weight; i++) {
      wheel.add(make);
    }
  }

  private void addFault(int weight, Supplier<@Nullable Event> make) {
    add(tempered(weight, FAULTINESS), make);
  }

  private int tempered(int weight, int[] tempers) {
    return weight * tempers[random.nextInt(tempers.length)] / 100;
  }

  private void addProgress() {
    add(2400, this::requestArrives);
    add(
        2000,
        () ->
            onSlot(
                slot -> slot.replies() > 0,
                (lane, account) ->
                    new NetworkEvent.AnswerArrives(
                        lane, account, random.nextInt(fleet.slot(lane, account).replies()))));
    add(1600, () -> onSlot(CallSlot::retryDue, NetworkEvent.ClientRetries::new));
    add(1800, this::loadReturns);
    add(2000, () -> storeRuns(StoreFault.NONE));
    add(8000, this::fence);
    add(150, this::lateCommitEnds);
    add(500, this::repair);
    add(60, () -> onSlot(CallSlot::waiting, NetworkEvent.ClientGivesUp::new));
    add(200, () -> onSlot(CallSlot::silent, NetworkEvent.AttemptTimesOut::new));
  }

  private void addFaults() {
    for (final StoreFault fault : StoreFault.values()) {
      if (weightOf(fault) > 0) {
        addFault(weightOf(fault), () -> storeRuns(fault));
      }
    }
    addFault(
        60,
        () ->
            onSlot(
                slot -> slot.requests() > 0 && slot.requests() < MAX_COPIES,
                (lane, account) -> new NetworkEvent.RequestDuplicated(lane, account, copy())));
    addFault(
        40,
        () ->
            onSlot(
                slot -> slot.requests() > 0,
                (lane, account) -> new NetworkEvent.RequestLost(lane, account, copy())));
    addFault(
        40,
        () ->
            onSlot(
                slot -> slot.replies() > 0,
                (lane, account) -> new NetworkEvent.AnswerLost(lane, account, copy())));
    addFault(60, () -> onSlot(CallSlot::inFlight, NetworkEvent.AttemptTimesOut::new));
    addFault(20, () -> new OwnerEvent.MemberCrashes(member()));
    addFault(25, () -> new OwnerEvent.MemberPauses(member()));
    addFault(40, () -> new OwnerEvent.TakenOver(partition(), member()));
    addFault(40, () -> new OwnerEvent.Migrated(partition(), member()));
    addFault(12, () -> new OwnerEvent.MemberDropsFences(member()));
    addFault(8, OwnerEvent.ConsensusLost::new);
    addFault(12, this::memberClockJumps);
    addFault(12, () -> new HolderEvent.ProcessCrashes(random.nextInt(Lanes.PROCESSES)));
    addFault(
        20,
        () ->
            new HolderEvent.ClientClockMoves(random.nextInt(Lanes.PROCESSES), skewWithinLimits()));
  }

  private static int weightOf(StoreFault fault) {
    return switch (fault) {
      case NONE -> 0;
      case UNAVAILABLE -> 50;
      case BEFORE_COMMIT, AFTER_COMMIT, LATE -> 70;
      case UPDATE_LOST -> 120;
    };
  }

  private void addTime() {
    add(200, () -> passes(random.nextLong(Scale.MILLI, 40 * Scale.MILLI)));
    add(12, () -> passes(random.nextLong(100 * Scale.MILLI, 1_000 * Scale.MILLI)));
    add(14, this::toDeadline);
    add(8, this::toLeaseEdge);
    add(5, this::toPeriodEnd);
    add(1, () -> new Event.TimePasses(random.nextLong(20 * Scale.SECOND, 60 * Scale.SECOND)));
  }

  /*
   * Plays: a few events in a row that chance alone brings together too rarely. They are events like
   * all others; a trace does not know of them.
   */
  private void addPlays() {
    add(40, this::aStoreThatComesTooLate);
    add(12, this::aClientThatGivesUpOnAConsolidation);
    add(12, this::aCommitThatOutlivesItsDeadline);
    add(400, this::anOwnerThatMissedAGrant);
    add(60, this::aConsolidationOfUnknownOutcome);
  }

  private @Nullable Event aStoreThatComesTooLate() {
    final Event store = storeRuns(StoreFault.NONE);
    if (store == null) {
      return null;
    }
    next.add(store);
    return new Event.TimePasses(Scale.NOT_AFTER_NANOS + random.nextLong(2 * Scale.SECOND));
  }

  private @Nullable Event aCommitThatOutlivesItsDeadline() {
    final Event store = storeRuns(StoreFault.LATE);
    if (store != null) {
      next.add(
          new Event.TimePasses(
              Scale.NOT_AFTER_NANOS
                  + 2 * Scale.MAX_SKEW_NANOS
                  + random.nextLong(2 * Scale.SECOND)));
    }
    return store;
  }

  private @Nullable Event aConsolidationOfUnknownOutcome() {
    final OwnerMember member = fleet.member(member());
    if (!member.running() || !member.storesConsolidation()) {
      return null;
    }
    final StoreFault fault =
        switch (random.nextInt(3)) {
          case 0 -> StoreFault.BEFORE_COMMIT;
          case 1 -> StoreFault.LATE;
          default -> StoreFault.AFTER_COMMIT;
        };
    return new OwnerEvent.StoreRuns(member.index(), fault);
  }

  private @Nullable Event aClientThatGivesUpOnAConsolidation() {
    return onSlot(
        slot -> {
          final LedgerCall call = slot.call();
          return call != null && call.unknownSeen && call.kind == CommandKind.CONSOLIDATE;
        },
        (lane, account) -> {
          next.add(new NetworkEvent.ClientGivesUp(lane, account));
          return new Event.TimePasses(Scale.NOT_AFTER_NANOS + 2 * Scale.SECOND);
        });
  }

  /** The rogue knows the new lease, its owner does not: the row will contradict the entry. */
  private @Nullable Event anOwnerThatMissedAGrant() {
    final OwnerMember member = fleet.member(member());
    final int account = member.accountBeingGranted();
    final int lane = Lanes.rogue();
    if (account < 0 || !member.running() || !fleet.slot(lane, account).idle()) {
      return null;
    }
    next.add(rogueOnNewestLease(account));
    next.add(new NetworkEvent.RequestArrives(lane, account, 0, member.index()));
    next.add(new NetworkEvent.AnswerArrives(lane, account, 0));
    next.add(new NetworkEvent.ClientRetries(lane, account));
    next.add(new NetworkEvent.RequestArrives(lane, account, 0, member.index()));
    return new OwnerEvent.StoreRuns(member.index(), StoreFault.UPDATE_LOST);
  }

  private Event rogueOnNewestLease(int account) {
    final LeaseStep.Kind[] kinds = LeaseStep.Kind.values();
    return switch (random.nextInt(3)) {
      case 0 -> new OperatorEvent.RogueConsolidates(account, Rogue.Flaw.BEYOND, 0);
      case 1 -> new OperatorEvent.RogueReports(account, Rogue.UsageFlaw.BEYOND, 0);
      default ->
          new OperatorEvent.RogueSteps(
              account, kinds[random.nextInt(kinds.length)], Rogue.Flaw.GAP, 0);
    };
  }

  // Progress

  private @Nullable Event requestArrives() {
    return onSlot(
        slot -> slot.requests() > 0 && hasOwner(Scale.partitionOf(slot.account())),
        (lane, account) ->
            new NetworkEvent.RequestArrives(
                lane,
                account,
                random.nextInt(fleet.slot(lane, account).requests()),
                believer(Scale.partitionOf(account))));
  }

  private boolean hasOwner(int partition) {
    final OwnerMember owner = fleet.member(fleet.owner(partition));
    return owner.running() && owner.owns(partition);
  }

  /** Usually the owner; at times another member that believes to be it. */
  private int believer(int partition) {
    final int from = random.nextInt(Scale.MEMBERS);
    if (random.nextInt(4) == 0) {
      for (int i = 0; i < Scale.MEMBERS; i++) {
        final OwnerMember member = fleet.member((from + i) % Scale.MEMBERS);
        if (member.running() && member.owns(partition)) {
          return member.index();
        }
      }
    }
    return fleet.owner(partition);
  }

  private @Nullable Event loadReturns() {
    final int from = random.nextInt(Scale.MEMBERS * Scale.PARTITIONS);
    for (int i = 0; i < Scale.MEMBERS * Scale.PARTITIONS; i++) {
      final int at = (from + i) % (Scale.MEMBERS * Scale.PARTITIONS);
      final OwnerMember member = fleet.member(at / Scale.PARTITIONS);
      if (member.running() && member.loads(at % Scale.PARTITIONS)) {
        return new OwnerEvent.LoadReturns(
            member.index(), at % Scale.PARTITIONS, random.nextInt(3) == 0);
      }
    }
    return null;
  }

  private @Nullable Event storeRuns(StoreFault fault) {
    final int from = random.nextInt(Scale.MEMBERS);
    for (int i = 0; i < Scale.MEMBERS; i++) {
      final OwnerMember member = fleet.member((from + i) % Scale.MEMBERS);
      if (member.running() && member.stores()) {
        return new OwnerEvent.StoreRuns(member.index(), fault);
      }
    }
    return null;
  }

  private @Nullable Event fence() {
    final int from = random.nextInt(Scale.MEMBERS * Scale.PARTITIONS);
    for (int i = 0; i < Scale.MEMBERS * Scale.PARTITIONS; i++) {
      final int at = (from + i) % (Scale.MEMBERS * Scale.PARTITIONS);
      final int partition = at % Scale.PARTITIONS;
      final OwnerMember member = fleet.member(at / Scale.PARTITIONS);
      if (!member.running()) {
        continue;
      }
      if (member.partitions().hasDrawn(partition)) {
        return new OwnerEvent.FenceRaised(member.index(), partition, random.nextInt(20) == 0);
      }
      if (member.partitions().wantsFence(partition)) {
        return random.nextInt(8) == 0
            ? new OwnerEvent.FenceIssued(member.index(), partition)
            : new OwnerEvent.FenceDrawn(member.index(), partition);
      }
    }
    return random.nextInt(20) == 0 ? new OwnerEvent.FenceDrawn(member(), partition()) : null;
  }

  private @Nullable Event lateCommitEnds() {
    for (int member = 0; member < Scale.MEMBERS; member++) {
      if (fleet.store().openOf(member) != null) {
        return new OwnerEvent.LateCommitEnds(member, random.nextInt(3) != 0);
      }
    }
    return null;
  }

  /** What an operator or the grid itself does about what is broken. */
  private @Nullable Event repair() {
    final int partition = partition();
    final OwnerMember owner = fleet.member(fleet.owner(partition));
    if (!owner.running()) {
      return new OwnerEvent.TakenOver(partition, member());
    }
    if (!owner.owns(partition)) {
      return new OwnerEvent.MemberLearns(owner.index());
    }
    final OwnerMember member = fleet.member(member());
    if (!member.isUp()) {
      return new OwnerEvent.MemberRestarts(member.index());
    }
    if (member.isPaused()) {
      return new OwnerEvent.MemberResumes(member.index());
    }
    return random.nextBoolean()
        ? new OwnerEvent.MemberLearns(member.index())
        : new OwnerEvent.MemberClockJumps(member.index(), skewWithinLimits());
  }

  private Event memberClockJumps() {
    final long skew =
        switch (random.nextInt(4)) {
          case 0 -> random.nextLong(-3 * Scale.SECOND, -Scale.SECOND);
          case 1 -> random.nextLong(Scale.MAX_SKEW_NANOS, 3 * Scale.SECOND);
          default -> skewWithinLimits();
        };
    return new OwnerEvent.MemberClockJumps(member(), skew);
  }

  private long skewWithinLimits() {
    return random.nextLong(-Scale.MAX_SKEW_NANOS, Scale.MAX_SKEW_NANOS);
  }

  // Time

  private Event passes(long nanos) {
    return new Event.TimePasses(nanos * tempoPercent / 100 + 1);
  }

  private @Nullable Event toDeadline() {
    return onSlot(
        slot -> slot.call() != null,
        (lane, account) -> {
          final LedgerCall call = fleet.slot(lane, account).call();
          return call == null
              ? null
              : until(
                  call.request.notAfterNanos()
                      + (random.nextBoolean()
                          ? around(Scale.MAX_SKEW_NANOS)
                          : Scale.MAX_SKEW_NANOS + random.nextLong(600 * Scale.MILLI)));
        });
  }

  private @Nullable Event toLeaseEdge() {
    final AccountRows rows = fleet.store().account(account());
    for (final Lease lease : rows.activeLeases()) {
      if (random.nextInt(3) == 0) {
        continue;
      }
      return until(
          random.nextBoolean()
              ? lease.expiresAtNanos() - Scale.MARGIN_NANOS + around(Scale.SECOND)
              : lease.reclaimableAtNanos() + around(600 * Scale.MILLI));
    }
    return null;
  }

  private @Nullable Event toPeriodEnd() {
    final AccountLedger ledger = fleet.store().load(account());
    if (ledger == null || ledger.period().endNanos() == Period.NEVER) {
      return null;
    }
    final long end = ledger.period().endNanos();
    final boolean near = end - fleet.time().nowNanos() < 120 * Scale.SECOND;
    if (near) {
      return until(end + around(2 * Scale.SECOND));
    }
    // The next boundary is a day off, or a month: everything else is over by then. Rarely, then,
    // and to a little before it, so that leases granted in the old period meet the new one.
    return random.nextInt(12) == 0
        ? until(
            random.nextInt(4) == 0
                ? end + Scale.SECOND * 86_400 * 3
                : end - random.nextLong(Scale.SECOND, 15 * Scale.SECOND))
        : null;
  }

  private @Nullable Event until(long nanos) {
    final long wait = nanos - fleet.time().nowNanos();
    return wait > 0 ? new Event.TimePasses(wait) : null;
  }

  private long around(long nanos) {
    return random.nextLong(-nanos, nanos);
  }

  // Picking

  /** Makes an event on a slot. */
  private interface OnSlot {
    @Nullable Event make(int lane, int account);
  }

  /** An event on one of the busy slots that will do, looked for from a random one on. */
  private @Nullable Event onSlot(Predicate<CallSlot> where, OnSlot make) {
    final List<CallSlot> busy = fleet.busySlots();
    if (busy.isEmpty()) {
      return null;
    }
    int at = random.nextInt(busy.size());
    for (int looked = busy.size(); looked > 0 && !busy.isEmpty(); looked--) {
      at = at < busy.size() ? at : 0;
      final CallSlot slot = busy.get(at);
      if (slot.isEmpty()) {
        final CallSlot last = busy.remove(busy.size() - 1);
        if (last != slot) {
          busy.set(at, last);
        }
      } else if (where.test(slot)) {
        return make.make(slot.lane(), slot.account());
      } else {
        at++;
      }
    }
    return null;
  }

  private int copy() {
    return random.nextInt(3);
  }

  private int account() {
    return random.nextInt(Scale.ACCOUNTS);
  }

  private int member() {
    return random.nextInt(Scale.MEMBERS);
  }

  private int partition() {
    return random.nextInt(Scale.PARTITIONS);
  }
}
