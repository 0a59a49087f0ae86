package io.tollgrid.grid;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.HazelcastInstanceAware;
import com.hazelcast.map.EntryProcessor;
import io.tollgrid.ledger.AccountLedger;
import io.tollgrid.ledger.Bits256;
import io.tollgrid.ledger.Decision;
import io.tollgrid.ledger.Effects;
import io.tollgrid.ledger.Ledger;
import io.tollgrid.ledger.LedgerCode;
import io.tollgrid.ledger.LedgerCommand;
import io.tollgrid.ledger.LedgerEntry;
import io.tollgrid.ledger.LedgerRequest;
import io.tollgrid.ledger.Outcome;
import io.tollgrid.ledger.Recall;
import io.tollgrid.ledger.Refusal;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Runs one command on one ledger, on the partition thread of the member that owns it.
 *
 * <p>It does no I/O. What it decides is set as a new entry carrying its effects; the map's store
 * then writes or confirms them before the entry changes and before the reply leaves, so no answer
 * that was not checked against the authority ever reaches a client. The instance holds no state of
 * an attempt: the grid may run one instance again.
 */
final class LedgerProcessor
    implements EntryProcessor<String, LedgerEntry, byte[]>, HazelcastInstanceAware {
  private static final long serialVersionUID = 1L;

  private final transient LedgerRequest request;
  private final transient @Nullable Bits256 mac;
  private transient @Nullable HazelcastInstance member;

  LedgerProcessor(LedgerRequest request, @Nullable Bits256 mac) {
    this.request = request;
    this.mac = mac;
  }

  LedgerRequest request() {
    return request;
  }

  @Nullable Bits256 mac() {
    return mac;
  }

  @Override
  public void setHazelcastInstance(HazelcastInstance instance) {
    member = instance;
  }

  @Override
  public byte[] process(Map.Entry<String, LedgerEntry> entry) {
    return run(entry).toBytes();
  }

  private LedgerReply run(Map.Entry<String, LedgerEntry> entry) {
    final HazelcastInstance here = owner();
    final LedgerMember services = LedgerMember.of(here);
    if (!entry.getKey().equals(GridNames.ledgerKey(request.account()))) {
      throw new IllegalStateException(
          "a command for account " + request.account() + " was sent to " + entry.getKey());
    }
    if (request.command() instanceof LedgerCommand.OperatorCommand
        && !services.verifier().verify(request, mac)) {
      return new LedgerReply(null, new Outcome.Refused(Refusal.UNAUTHENTICATED, null), 0, 0, null);
    }
    final int partition = here.getPartitionService().getPartition(entry.getKey()).getPartitionId();
    final OptionalLong held = services.fences().held(partition);
    if (held.isEmpty()) {
      services.fences().request(partition);
      return LedgerReply.of(LedgerCode.NO_FENCE);
    }
    final @Nullable LedgerEntry current = entry.getValue();
    if (current != null && current.ownershipFence() != held.getAsLong()) {
      return LedgerReply.of(LedgerCode.STALE);
    }
    final AccountLedger before = current == null ? null : current.ledger();
    final Decision decision =
        Ledger.apply(before, request, services.clock().nowNanos(), services.limits());
    return settle(entry, current, held.getAsLong(), decision, services.limits().recallNanos());
  }

  private static LedgerReply settle(
      Map.Entry<String, LedgerEntry> entry,
      @Nullable LedgerEntry current,
      long fence,
      Decision decision,
      long recallNanos) {
    final Effects effects = decision.effects();
    if (effects == null) {
      return decision.outcome() instanceof Outcome.NeedsRows
          ? new LedgerReply(null, decision.outcome(), 0, 0, null)
          : LedgerReply.of(LedgerCode.STALE);
    }
    final Recall recall =
        recall(current == null ? null : current.recall(), decision, effects, recallNanos);
    entry.setValue(new LedgerEntry(decision.next(), fence, recall, effects));
    return new LedgerReply(
        null, decision.outcome(), effects.nextVersion(), effects.ledgerTimeNanos(), recall);
  }

  /**
   * The recall to keep beside the entry: the largest unmet quote that is not out of date and not
   * met by this grant.
   */
  private static @Nullable Recall recall(
      @Nullable Recall kept, Decision decision, Effects effects, long recallNanos) {
    final long nowNanos = effects.ledgerTimeNanos();
    final Recall live = kept == null || kept.expiresAtNanos() <= nowNanos ? null : kept;
    if (!(effects.request().command() instanceof LedgerCommand.Acquire
        || effects.request().command() instanceof LedgerCommand.Consolidate)) {
      return live;
    }
    final var holder =
        effects.request().command() instanceof LedgerCommand.Acquire acquire
            ? acquire.holder()
            : ((LedgerCommand.Consolidate) effects.request().command()).holder();
    final Recall others = live == null || live.holder().equals(holder) ? null : live;
    final long unmet = decision.unmetDemandUnits();
    if (unmet == 0 || (others != null && others.units() >= unmet)) {
      return others;
    }
    return new Recall(unmet, holder, Math.addExact(nowNanos, recallNanos));
  }

  /** Null: nothing runs on backups, which the map does not have; PostgreSQL is the authority. */
  @Override
  public @Nullable EntryProcessor<String, LedgerEntry, byte[]> getBackupProcessor() {
    return null;
  }

  private HazelcastInstance owner() {
    if (member == null) {
      throw new IllegalStateException("the grid did not say which member this is");
    }
    return member;
  }
}
