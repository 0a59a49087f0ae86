package io.tollgrid.grid;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.HazelcastInstanceAware;
import com.hazelcast.map.EntryProcessor;
import io.tollgrid.ledger.AccountLedger;
import io.tollgrid.ledger.Bits256;
import io.tollgrid.ledger.Decision;
import io.tollgrid.ledger.Effects;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.LedgerCode;
import io.tollgrid.ledger.LedgerCommand;
import io.tollgrid.ledger.LedgerEntry;
import io.tollgrid.ledger.LedgerRequest;
import io.tollgrid.ledger.Outcome;
import io.tollgrid.ledger.Recall;
import io.tollgrid.ledger.Refusal;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Runs a command, or a chain of lease commands, on one ledger, on the partition thread of the
 * member that owns it.
 *
 * <p>It does no I/O. What it decides is set as a new entry carrying its effects; the map's store
 * then writes or confirms them before the entry changes and before the replies leave, so no answer
 * that was not checked against the authority ever reaches a client. The commands of a chain are
 * decided one after the other, each on the ledger that the one before it left, and stored together;
 * a chain ends early at a command that cannot be decided here. The instance holds no state of an
 * attempt: the grid may run one instance again.
 */
final class LedgerProcessor
    implements EntryProcessor<String, LedgerEntry, byte[]>, HazelcastInstanceAware {
  private static final long serialVersionUID = 1L;

  private final transient List<LedgerRequest> requests;
  private final transient @Nullable Bits256 mac;
  private transient @Nullable HazelcastInstance member;

  /** One command; {@code mac} authenticates an operator's. */
  LedgerProcessor(LedgerRequest request, @Nullable Bits256 mac) {
    this(List.of(request), mac);
  }

  /**
   * A chain.
   *
   * @throws IllegalArgumentException unless it holds 1 to {@link
   *     LedgerCommand.LeaseCommand#MAX_CHAIN} lease commands of one account, or a single command of
   *     any kind
   */
  LedgerProcessor(List<LedgerRequest> requests, @Nullable Bits256 mac) {
    this.requests = List.copyOf(requests);
    this.mac = mac;
    if (requests.size() != 1) {
      requireChain(this.requests);
    }
  }

  Id128 account() {
    return requests.get(0).account();
  }

  List<LedgerRequest> requests() {
    return requests;
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
    return LedgerReply.toBytes(run(entry));
  }

  /** One reply per command, as far as the chain got; at least one. */
  private List<LedgerReply> run(Map.Entry<String, LedgerEntry> entry) {
    final HazelcastInstance here = owner();
    final LedgerMember services = LedgerMember.of(here);
    if (!entry.getKey().equals(GridNames.ledgerKey(account()))) {
      throw new IllegalStateException(
          "a command for account " + account() + " was sent to " + entry.getKey());
    }
    final LedgerRequest first = requests.get(0);
    if (first.command() instanceof LedgerCommand.OperatorCommand
        && !services.verifier().verify(first, mac)) {
      return List.of(
          new LedgerReply(null, new Outcome.Refused(Refusal.UNAUTHENTICATED, null), 0, 0, null));
    }
    final int partition = here.getPartitionService().getPartition(entry.getKey()).getPartitionId();
    final OptionalLong held = services.fences().held(partition);
    if (held.isEmpty()) {
      services.fences().request(partition);
      return List.of(LedgerReply.of(LedgerCode.NO_FENCE));
    }
    final @Nullable LedgerEntry current = entry.getValue();
    if (current != null && current.ownershipFence() != held.getAsLong()) {
      return List.of(LedgerReply.of(LedgerCode.STALE));
    }
    return decide(entry, current, held.getAsLong(), services);
  }

  private List<LedgerReply> decide(
      Map.Entry<String, LedgerEntry> entry,
      @Nullable LedgerEntry current,
      long fence,
      LedgerMember services) {
    final List<LedgerReply> replies = new ArrayList<>(requests.size());
    final List<Decision> decisions = new ArrayList<>(requests.size());
    AccountLedger ledger = current == null ? null : current.ledger();
    Recall recall = current == null ? null : current.recall();
    for (final LedgerRequest request : requests) {
      final Decision decision =
          services.ledger().apply(ledger, request, services.clock().nowNanos(), services.limits());
      final Effects effects = decision.effects();
      if (effects == null) {
        replies.add(undecided(decision.outcome()));
        break;
      }
      ledger = decision.next();
      recall =
          Recall.after(
              recall, effects, decision.unmetDemandUnits(), services.limits().recallNanos());
      decisions.add(decision);
      replies.add(
          new LedgerReply(
              null, decision.outcome(), effects.nextVersion(), effects.ledgerTimeNanos(), recall));
    }
    if (!decisions.isEmpty()) {
      entry.setValue(new LedgerEntry(ledger, fence, recall, decisions));
    }
    return replies;
  }

  /** A request that needs rows, or whose attached rows are older than the entry. */
  private static LedgerReply undecided(Outcome outcome) {
    return outcome instanceof Outcome.NeedsRows
        ? new LedgerReply(null, outcome, 0, 0, null)
        : LedgerReply.of(LedgerCode.STALE);
  }

  /** Null: nothing runs on backups, which the map does not have; PostgreSQL is the authority. */
  @Override
  public @Nullable EntryProcessor<String, LedgerEntry, byte[]> getBackupProcessor() {
    return null;
  }

  private static void requireChain(List<LedgerRequest> requests) {
    if (requests.isEmpty() || requests.size() > LedgerCommand.LeaseCommand.MAX_CHAIN) {
      throw new IllegalArgumentException(
          "a chain holds 1 to "
              + LedgerCommand.LeaseCommand.MAX_CHAIN
              + " commands, not "
              + requests.size());
    }
    final Set<Id128> stepped = new HashSet<>();
    for (final LedgerRequest request : requests) {
      if (!request.account().equals(requests.get(0).account())
          || !(request.command() instanceof LedgerCommand.LeaseCommand)) {
        throw new IllegalArgumentException("a chain holds lease commands of one account");
      }
      if (request.command() instanceof LedgerCommand.LeaseStepCommand step
          && !stepped.add(step.leaseId())) {
        throw new IllegalArgumentException("a chain holds one step of a lease");
      }
    }
  }

  private HazelcastInstance owner() {
    if (member == null) {
      throw new IllegalStateException("the grid did not say which member this is");
    }
    return member;
  }
}
