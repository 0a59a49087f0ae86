package io.tollgrid.ledger.testing;

import io.tollgrid.ledger.AccountLedger;
import io.tollgrid.ledger.Decision;
import io.tollgrid.ledger.Effects;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.Ledger;
import io.tollgrid.ledger.LedgerLimits;
import io.tollgrid.ledger.LedgerRequest;
import io.tollgrid.ledger.Outcome;
import io.tollgrid.ledger.RowKey;
import io.tollgrid.ledger.StoredRow;
import io.tollgrid.ledger.store.Transition;
import io.tollgrid.ledger.store.Verdict;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One owner of ledgers, with the loop a client runs around it: load, apply, fetch rows, store,
 * resolve.
 *
 * <p>It holds ledgers in memory as the grid does, under one ownership fence and in one partition.
 * {@link #submit} ends with an answer that the store has written or confirmed, or with the verdict
 * for which it gave up.
 */
public final class InMemoryLedger {
  /** Rounds after which a command that keeps being sent back is a defect of the loop. */
  private static final int MAX_ROUNDS = 8;

  private static final int PARTITION = 0;

  private final InMemoryLedgerStore store;
  private final LedgerLimits limits;
  private final long maxSkewNanos;
  private final Map<Id128, AccountLedger> memory = new HashMap<>();
  private long fence;

  /** An owner that has just drawn the next fence of the store. */
  public InMemoryLedger(InMemoryLedgerStore store, LedgerLimits limits, long maxSkewNanos) {
    this.store = store;
    this.limits = limits;
    this.maxSkewNanos = maxSkewNanos;
    takeOver();
  }

  /**
   * How a command ended.
   *
   * @param outcome the answer; null if {@code verdict} does not stand
   * @param verdict what the store said of the last attempt
   * @param effects the last attempt's effects
   * @param unmetDemandUnits see {@link Decision#unmetDemandUnits}
   */
  public record Answer(
      @Nullable Outcome outcome, Verdict verdict, Effects effects, long unmetDemandUnits) {}

  /** Runs a request to its end, the owner's and the store's clock both at {@code clockNanos}. */
  public Answer submit(LedgerRequest request, long clockNanos) {
    return submit(request, clockNanos, clockNanos, true);
  }

  /**
   * Runs a request whose commit memory never learns of: the store failed after its commit, so the
   * ledger in memory stays what it was.
   */
  public Answer submitUnnoticed(LedgerRequest request, long clockNanos, long storeClockNanos) {
    return submit(request, clockNanos, storeClockNanos, false);
  }

  /** Runs a request with two clocks that disagree. */
  public Answer submit(LedgerRequest request, long clockNanos, long storeClockNanos) {
    return submit(request, clockNanos, storeClockNanos, true);
  }

  /** The ledger in memory, loaded if it is not there; null if there is no such account. */
  public @Nullable AccountLedger ledger(Id128 account) {
    return memory.computeIfAbsent(account, id -> store.load(id).orElse(null));
  }

  /** Evicts a ledger, and with it the leases that only memory keeps. */
  public void forget(Id128 account) {
    memory.remove(account);
  }

  /** Begins again as another owner does: with a higher fence and nothing in memory. */
  public void takeOver() {
    fence = store.fence(PARTITION) + 1;
    store.raise(PARTITION, fence);
    memory.clear();
  }

  /** The store underneath. */
  public InMemoryLedgerStore store() {
    return store;
  }

  private Answer submit(
      LedgerRequest first, long clockNanos, long storeClockNanos, boolean noticed) {
    LedgerRequest request = first;
    for (int round = 0; round < MAX_ROUNDS; round++) {
      final Decision decision =
          Ledger.apply(ledger(request.account()), request, clockNanos, limits);
      if (decision.outcome() instanceof Outcome.NeedsRows needs) {
        request = attached(request, needs.keys());
      } else if (decision.outcome() instanceof Outcome.Outdated) {
        request = afresh(request);
      } else {
        final Effects effects = decision.effects();
        final Verdict verdict = store(request, decision, storeClockNanos);
        if (verdict.stands()) {
          if (noticed && decision.next() != null) {
            memory.put(request.account(), decision.next());
          }
          return new Answer(decision.outcome(), verdict, effects, decision.unmetDemandUnits());
        }
        if (verdict == Verdict.REPLAY) {
          request = attached(request, Ledger.ownRows(request.command()));
        } else if (verdict == Verdict.STALE) {
          request = afresh(request);
        } else {
          return new Answer(null, verdict, effects, 0);
        }
      }
    }
    throw new IllegalStateException(
        "no answer to " + first + " after " + MAX_ROUNDS + " rounds, now " + request);
  }

  private Verdict store(LedgerRequest request, Decision decision, long clockNanos) {
    final Effects effects = decision.effects();
    if (effects == null) {
      throw new IllegalStateException("a final answer without effects: " + decision);
    }
    return store
        .commit(
            clockNanos,
            maxSkewNanos,
            List.of(new Transition(request.account(), PARTITION, fence, decision.next(), effects)))
        .get(0);
  }

  private LedgerRequest attached(LedgerRequest request, Collection<RowKey> keys) {
    final Map<RowKey, Optional<StoredRow>> rows = new HashMap<>(request.rows());
    rows.putAll(store.fetch(request.account(), Set.copyOf(keys)));
    return request.withRows(rows);
  }

  private LedgerRequest afresh(LedgerRequest request) {
    forget(request.account());
    return request.withRows(Map.of());
  }
}
