package io.tollgrid.verification.simulation;

import io.tollgrid.ledger.AccountLedger;
import io.tollgrid.ledger.Decision;
import io.tollgrid.ledger.Effects;
import io.tollgrid.ledger.LedgerCode;
import io.tollgrid.ledger.LedgerEntry;
import io.tollgrid.ledger.Outcome;
import io.tollgrid.ledger.Recall;
import io.tollgrid.ledger.store.Transition;
import io.tollgrid.ledger.store.Verdict;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One grid member: the entries it keeps in memory, the partitions it believes to own, the fences it
 * holds, and the commands it runs, one at a time per partition (architecture §3.2 to §3.4).
 *
 * <p>A partition's operation is either a load or a store in progress; while there is one, requests
 * to that partition wait. Memory changes only after a store returned. What the member believes
 * about ownership may be wrong: it is told by events, and a paused member is told late.
 */
final class OwnerMember {
  private final Fleet fleet;
  private final int index;
  private final OwnedPartitions partitions;
  private final @Nullable LedgerEntry[] entries = new @Nullable LedgerEntry[Scale.ACCOUNTS];
  private final @Nullable Operation[] running = new @Nullable Operation[Scale.PARTITIONS];
  private final List<Deque<Request>> queues = new ArrayList<>();
  private boolean up = true;
  private boolean paused;
  private long skewNanos;

  /** What a partition is busy with. */
  private sealed interface Operation {
    Request request();
  }

  /** A load, begun under a fence; {@code seenAtStart} is what was committed when it began. */
  private record Load(Request request, int account, long fence, @Nullable AccountLedger seenAtStart)
      implements Operation {}

  /** A store that was asked, with the entry that memory will hold if it stands. */
  private record Store(
      Request request, int account, LedgerEntry entry, Effects effects, boolean answered)
      implements Operation {}

  OwnerMember(Fleet fleet, int index) {
    this.fleet = fleet;
    this.index = index;
    this.partitions = new OwnedPartitions(fleet);
    for (int partition = 0; partition < Scale.PARTITIONS; partition++) {
      queues.add(new ArrayDeque<>());
    }
  }

  // What others may ask

  int index() {
    return index;
  }

  boolean running() {
    return up && !paused;
  }

  boolean isUp() {
    return up;
  }

  boolean isPaused() {
    return paused;
  }

  OwnedPartitions partitions() {
    return partitions;
  }

  boolean owns(int partition) {
    return partitions.owns(partition);
  }

  boolean loads(int partition) {
    return running[partition] instanceof Load;
  }

  boolean stores() {
    for (final Operation operation : running) {
      if (operation instanceof Store) {
        return true;
      }
    }
    return false;
  }

  /** Whether a consolidation is waiting for the store. */
  boolean storesConsolidation() {
    for (final Operation operation : running) {
      if (operation instanceof Store store
          && store.request().call().kind == CommandKind.CONSOLIDATE) {
        return true;
      }
    }
    return false;
  }

  /** An account for which a grant is waiting for the store, or -1. */
  int accountBeingGranted() {
    for (final Operation operation : running) {
      if (operation instanceof Store store
          && store.effects().outcome() instanceof Outcome.Granted
          && store.effects().writes()) {
        return store.account();
      }
    }
    return -1;
  }

  long clockNanos() {
    return fleet.time().nowNanos() + skewNanos;
  }

  /** The hint beside an account's ledger, if this member has it in memory. */
  @Nullable Recall recall(int account) {
    final LedgerEntry entry = entries[account];
    return entry == null ? null : entry.recall();
  }

  // Requests

  /** A request arrives. */
  void receive(Request request) {
    final int account = Ids.accountOf(request.request().account());
    final int partition = Scale.partitionOf(account);
    if (running[partition] != null) {
      queues.get(partition).add(request);
      return;
    }
    if (request.evictFirst()) {
      entries[account] = null;
    }
    final LedgerEntry entry = entries[account];
    if (entry != null) {
      process(request, account, entry);
    } else if (partitions.held(partition) == 0) {
      partitions.want(partition);
      answer(request, new Answer.Coded(LedgerCode.NO_FENCE), AnswerKind.NO_FENCE);
    } else {
      running[partition] =
          new Load(request, account, partitions.held(partition), fleet.store().load(account));
    }
  }

  /** A load returns, having read either when it began or just now. */
  boolean finishLoad(int partition, boolean readAtStart) {
    if (!running() || !(running[partition] instanceof Load load)) {
      return false;
    }
    running[partition] = null;
    if (!partitions.owns(partition)) {
      fleet.coverage().saw(Scenario.TAKEOVER_DURING_LOAD);
      answerUnknown(load.request());
    } else {
      if (fleet.store().fence(partition) != load.fence()) {
        fleet.coverage().saw(Scenario.TAKEOVER_DURING_LOAD);
      }
      final AccountLedger read =
          readAtStart ? load.seenAtStart() : fleet.store().load(load.account());
      if (read == null) {
        process(
            load.request(), load.account(), new LedgerEntry(null, load.fence(), null, List.of()));
      } else {
        final LedgerEntry entry = LedgerEntry.loaded(read, load.fence());
        entries[load.account()] = entry;
        process(load.request(), load.account(), entry);
      }
    }
    runQueued(partition);
    return true;
  }

  private void process(Request request, int account, LedgerEntry entry) {
    final int partition = Scale.partitionOf(account);
    if (partitions.held(partition) == 0) {
      partitions.want(partition);
      answer(request, new Answer.Coded(LedgerCode.NO_FENCE), AnswerKind.NO_FENCE);
      return;
    }
    if (partitions.held(partition) != entry.ownershipFence()) {
      answer(request, new Answer.Coded(LedgerCode.STALE), AnswerKind.STALE);
      return;
    }
    final Decision decision =
        fleet.ledger().apply(entry.ledger(), request.request(), clockNanos(), Scale.LIMITS);
    final Effects effects = decision.effects();
    if (effects == null) {
      unfinished(request, decision.outcome());
      return;
    }
    final LedgerEntry next =
        new LedgerEntry(
            decision.next(),
            entry.ownershipFence(),
            recallAfter(entry, effects, decision),
            List.of(decision));
    if (fleet.defects().answersUnchecked() && !effects.writes() && decision.next() != null) {
      fleet.audit().leftUnchecked(effects, fleet.store().account(account));
      entries[account] = settled(next);
      answerDecided(request, effects);
      return;
    }
    final boolean early = fleet.defects().acknowledgedBeforeCommit() && effects.writes();
    if (early) {
      answerDecided(request, effects);
    }
    running[partition] = new Store(request, account, next, effects, early);
  }

  private @Nullable Recall recallAfter(LedgerEntry entry, Effects effects, Decision decision) {
    if (decision.unmetDemandUnits() > 0) {
      fleet.coverage().saw(Scenario.RECALL_LEFT);
    }
    return Recall.after(
        entry.recall(), effects, decision.unmetDemandUnits(), Scale.LIMITS.recallNanos());
  }

  private void unfinished(Request request, Outcome outcome) {
    if (outcome instanceof Outcome.Outdated) {
      fleet.coverage().answered(request.call().kind, AnswerKind.OUTDATED);
      answer(request, new Answer.Coded(LedgerCode.STALE), AnswerKind.STALE);
    } else {
      answer(request, new Answer.Decided(outcome, 0, false), AnswerKind.NEEDS_ROWS);
    }
  }

  // Stores

  /** Everything this member has waiting for its store, as one transaction. */
  private List<Store> batch() {
    final List<Store> batch = new ArrayList<>();
    for (final Operation operation : running) {
      if (operation instanceof Store store) {
        batch.add(store);
      }
    }
    return batch;
  }

  /** Runs one transaction for all that waits; it may end badly. */
  boolean flush(StoreFault fault) {
    final List<Store> batch = batch();
    if (!running() || batch.isEmpty()) {
      return false;
    }
    final List<Transition> transitions = batch.stream().map(this::transition).toList();
    if (fault != StoreFault.UNAVAILABLE && fleet.store().wouldWait(transitions)) {
      return false;
    }
    if (fault == StoreFault.LATE && fleet.store().openOf(index) != null) {
      return false;
    }
    if (fault == StoreFault.UNAVAILABLE || fault == StoreFault.BEFORE_COMMIT) {
      for (final Store store : batch) {
        end(store, fault, null);
      }
      return true;
    }
    final SimulatedStore.OpenTransaction transaction = fleet.store().begin(index, transitions);
    if (fault == StoreFault.LATE) {
      fleet.store().leaveOpen(transaction);
    } else {
      fleet.store().commit(transaction);
    }
    if (transaction.verdicts().stream().anyMatch(Verdict::stands)
        && !transaction.verdicts().stream().allMatch(Verdict::stands)) {
      fleet.coverage().saw(Scenario.BATCH_WITH_MIXED_VERDICTS);
    }
    for (int i = 0; i < batch.size(); i++) {
      end(batch.get(i), fault, transaction.verdicts().get(i));
    }
    return true;
  }

  private Transition transition(Store store) {
    return new Transition(
        store.request().request().account(),
        Scale.partitionOf(store.account()),
        store.entry().ownershipFence(),
        store.entry().ledger(),
        store.effects());
  }

  private void end(Store store, StoreFault fault, @Nullable Verdict verdict) {
    final int partition = Scale.partitionOf(store.account());
    running[partition] = null;
    final FaultKind struck = fault.kind();
    if (struck != null) {
      fleet.coverage().struck(struck, store.request().call().kind);
    }
    switch (fault) {
      case NONE -> ended(store, partition, verdict);
      case UNAVAILABLE ->
          answerStore(store, new Answer.Coded(LedgerCode.UNAVAILABLE), AnswerKind.UNAVAILABLE);
      case BEFORE_COMMIT, AFTER_COMMIT, LATE -> {
        if (!fleet.defects().fenceKeptAfterUnknown()) {
          partitions.drop(partition, store.entry().ownershipFence());
        }
        answerStore(store, Answer.UNKNOWN, AnswerKind.UNKNOWN);
      }
      // The store was definite, so the fence stays until the member is told of what happened to
      // the grid; until then memory is behind the authority under a valid fence. The client hears
      // nothing at all.
      case UPDATE_LOST -> {
        if (verdict == null || !verdict.stands()) {
          ended(store, partition, verdict);
        }
      }
    }
    runQueued(partition);
  }

  private void ended(Store store, int partition, @Nullable Verdict verdict) {
    if (verdict == null) {
      throw new IllegalStateException("a store that ended has a verdict");
    }
    final LedgerCode code = verdict.code();
    if (code != null) {
      if (verdict == Verdict.FENCED) {
        partitions.drop(partition, store.entry().ownershipFence());
        partitions.want(partition);
      }
      answerStore(store, new Answer.Coded(code), AnswerKind.of(code));
      return;
    }
    if (!partitions.owns(partition)) {
      fleet.coverage().saw(Scenario.TAKEOVER_DURING_STORE);
      answerStore(store, Answer.UNKNOWN, AnswerKind.UNKNOWN);
      return;
    }
    if (store.entry().ledger() == null) {
      answerStore(store, new Answer.Coded(LedgerCode.UNKNOWN_ACCOUNT), AnswerKind.UNKNOWN_ACCOUNT);
      return;
    }
    entries[store.account()] = settled(store.entry());
    if (!store.answered()) {
      answerDecided(store.request(), store.effects());
    }
  }

  private static LedgerEntry settled(LedgerEntry entry) {
    return new LedgerEntry(entry.ledger(), entry.ownershipFence(), entry.recall(), List.of());
  }

  // Answers

  private void answerStore(Store store, Answer answer, AnswerKind kind) {
    if (!store.answered()) {
      answer(store.request(), answer, kind);
    }
  }

  private void answerDecided(Request request, Effects effects) {
    final Outcome outcome = effects.outcome();
    final boolean receipt = outcome instanceof Outcome.Applied && !effects.writes();
    final AnswerKind kind;
    if (outcome instanceof Outcome.Refused refused) {
      kind = AnswerKind.of(refused.reason());
    } else {
      kind = receipt ? AnswerKind.RECEIPT : AnswerKind.APPLIED;
    }
    answer(request, new Answer.Decided(outcome, effects.ledgerTimeNanos(), receipt), kind);
  }

  private void answerUnknown(Request request) {
    answer(request, Answer.UNKNOWN, AnswerKind.UNKNOWN);
  }

  private void answer(Request request, Answer answer, AnswerKind kind) {
    fleet.coverage().answered(request.call().kind, kind);
    fleet.note(() -> "member " + index + " answers " + request.call().kind + ": " + answer);
    fleet.slotOf(request).reply(request, answer);
  }

  private void runQueued(int partition) {
    final Deque<Request> queue = queues.get(partition);
    while (running[partition] == null && !queue.isEmpty()) {
      final Request next = queue.remove();
      if (partitions.owns(partition)) {
        receive(next);
      } else {
        fleet.slotOf(next).redirect(next);
      }
    }
  }

  // Ownership

  /** The member is told that it owns a partition. */
  void gain(int partition) {
    partitions.gain(partition);
  }

  /** The member is told that it owns a partition no more. Returns the entries it had there. */
  List<LedgerEntry> leave(int partition) {
    partitions.leave(partition);
    final List<LedgerEntry> left = new ArrayList<>();
    for (int account = partition; account < Scale.ACCOUNTS; account += Scale.PARTITIONS) {
      final LedgerEntry entry = entries[account];
      if (entry != null) {
        left.add(entry);
        entries[account] = null;
      }
    }
    return left;
  }

  /** Entries arrive with a migration, still stamped with the fence they were loaded under. */
  void adopt(List<LedgerEntry> moved) {
    for (final LedgerEntry entry : moved) {
      final AccountLedger ledger = entry.ledger();
      if (ledger != null) {
        entries[Ids.accountOf(ledger.id())] = entry;
      }
    }
  }

  // Life

  boolean crash() {
    if (!up) {
      return false;
    }
    strikeAll(FaultKind.OWNER_CRASHED);
    up = false;
    paused = false;
    partitions.forget();
    Arrays.fill(entries, null);
    Arrays.fill(running, null);
    queues.forEach(Deque::clear);
    return true;
  }

  boolean restart() {
    if (up) {
      return false;
    }
    up = true;
    return true;
  }

  boolean pause() {
    if (!running()) {
      return false;
    }
    strikeAll(FaultKind.OWNER_PAUSED);
    paused = true;
    return true;
  }

  boolean resume() {
    if (!paused) {
      return false;
    }
    paused = false;
    fleet.coverage().saw(Scenario.PAUSED_OWNER_RESUMED);
    return true;
  }

  boolean setSkew(long nanos) {
    if (nanos == skewNanos) {
      return false;
    }
    strikeAll(FaultKind.OWNER_CLOCK_JUMPED);
    skewNanos = nanos;
    return true;
  }

  /** Records a fault against whatever this member is doing for a partition. */
  void strike(FaultKind fault, int partition) {
    final Operation operation = running[partition];
    if (operation != null) {
      fleet.coverage().struck(fault, operation.request().call().kind);
    }
    for (final Request queued : queues.get(partition)) {
      fleet.coverage().struck(fault, queued.call().kind);
    }
  }

  private void strikeAll(FaultKind fault) {
    for (int partition = 0; partition < Scale.PARTITIONS; partition++) {
      strike(fault, partition);
    }
  }
}
