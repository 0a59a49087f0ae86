package io.tollgrid.verification.simulation;

import io.tollgrid.ledger.AccountLedger;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.LedgerCommand;
import io.tollgrid.ledger.RowKey;
import io.tollgrid.ledger.StoredRow;
import io.tollgrid.ledger.store.CommitRules;
import io.tollgrid.ledger.store.StoredState;
import io.tollgrid.ledger.store.Transition;
import io.tollgrid.ledger.store.Verdict;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The authority, in memory: rows, fences at rest, and transactions that judge with the product's
 * {@link CommitRules}.
 *
 * <p>A transaction holds what its locks would hold: it shares its partitions' fences, so that no
 * fence rises under it, and it owns the rows of accounts it writes. Usually it begins and commits
 * within one event. One that its owner gave up on stays open, and commits or aborts later.
 */
final class SimulatedStore {
  private final VirtualTime time;
  private final Defects defects;
  private final StoreAudit audit;
  private final AccountRows[] accounts = new AccountRows[Scale.ACCOUNTS];
  private final long[] fences = new long[Scale.PARTITIONS];
  private final List<OpenTransaction> open = new ArrayList<>();

  /**
   * A transaction that was judged and neither committed nor aborted.
   *
   * @param member who began it
   * @param transitions what it was asked
   * @param verdicts what it decided
   */
  record OpenTransaction(int member, List<Transition> transitions, List<Verdict> verdicts) {}

  SimulatedStore(VirtualTime time, Defects defects, StoreAudit audit) {
    this.time = time;
    this.defects = defects;
    this.audit = audit;
    for (int account = 0; account < Scale.ACCOUNTS; account++) {
      accounts[account] = new AccountRows();
    }
  }

  AccountRows account(int account) {
    return accounts[account];
  }

  // Fences at rest

  long fence(int partition) {
    return fences[partition];
  }

  /** Whether an open transaction shares the partition's fence, so that raising it would wait. */
  boolean fenceIsShared(int partition) {
    return anyOpen(transition -> transition.partition() == partition);
  }

  /** Raises the fence if it is below; false if it is not. */
  boolean raise(int partition, long fence) {
    if (fences[partition] >= fence) {
      return false;
    }
    fences[partition] = fence;
    return true;
  }

  /** Issues a fence when there is no consensus to draw it from. */
  long issue(int partition) {
    return ++fences[partition];
  }

  // Reads

  @Nullable AccountLedger load(int account) {
    return accounts[account].load();
  }

  Map<RowKey, Optional<StoredRow>> fetch(int account, Set<RowKey> keys) {
    final Map<RowKey, Optional<StoredRow>> fetched = new HashMap<>();
    for (final RowKey key : keys) {
      fetched.put(key, Optional.ofNullable(accounts[account].row(key)));
    }
    return fetched;
  }

  // Transactions

  /** Whether a transaction that writes these accounts would wait for an open one. */
  boolean wouldWait(List<Transition> transitions) {
    return !open.isEmpty()
        && transitions.stream().anyMatch(t -> t.effects().writes() && isLocked(t.account()));
  }

  /** Locks, reads and judges; writes nothing yet. */
  OpenTransaction begin(int member, List<Transition> transitions) {
    final List<Verdict> verdicts = new ArrayList<>(transitions.size());
    for (final Transition transition : transitions) {
      final Verdict verdict = judge(transition);
      verdicts.add(verdict);
      if (verdict.stands()) {
        if (mayStillLand(transition.account())) {
          throw new Violation(
              "3.4",
              "nothing is confirmed while an unknown write may still land",
              transition.effects().outcome().toString());
        }
        final int account = Ids.accountOf(transition.account());
        audit.stands(transition, verdict, accounts[account], fences[transition.partition()]);
      }
    }
    return new OpenTransaction(member, transitions, verdicts);
  }

  void commit(OpenTransaction transaction) {
    open.remove(transaction);
    for (int i = 0; i < transaction.transitions().size(); i++) {
      if (transaction.verdicts().get(i) == Verdict.COMMIT) {
        write(transaction.transitions().get(i));
      }
    }
  }

  /** Leaves a transaction running that its owner gave up on. */
  void leaveOpen(OpenTransaction transaction) {
    open.add(transaction);
  }

  void abort(OpenTransaction transaction) {
    open.remove(transaction);
  }

  /** The oldest transaction this member left open, or null. */
  @Nullable OpenTransaction openOf(int member) {
    for (final OpenTransaction transaction : open) {
      if (transaction.member() == member) {
        return transaction;
      }
    }
    return null;
  }

  private Verdict judge(Transition transition) {
    final Verdict verdict =
        CommitRules.decide(
                new Locked(transition), time.nowNanos(), Scale.MAX_SKEW_NANOS, List.of(transition))
            .get(0);
    final boolean refusedByIndex =
        verdict == Verdict.COMMIT
            && !defects.upsertInsteadOfInsert()
            && !isUncheckedSchedule(transition)
            && accounts[Ids.accountOf(transition.account())].refusesInsertOf(transition.effects());
    return refusedByIndex ? Verdict.REPLAY : verdict;
  }

  private void write(Transition transition) {
    final AccountRows rows = accounts[Ids.accountOf(transition.account())];
    final AccountLedger next = transition.next();
    if (next == null) {
      throw new Violation("R17", "a write has a ledger to write", transition.toString());
    }
    final AccountLedger before = rows.load();
    audit.beforeWrite(transition, before, rows);
    rows.write(next, transition.effects());
    audit.afterWrite(transition, rows);
  }

  private boolean isLocked(Id128 account) {
    return anyOpen(held -> held.effects().writes() && held.account().equals(account));
  }

  private boolean anyOpen(Predicate<Transition> where) {
    for (final OpenTransaction transaction : open) {
      if (transaction.transitions().stream().anyMatch(where)) {
        return true;
      }
    }
    return false;
  }

  /** Whether an open transaction was judged to write this account. */
  private boolean mayStillLand(Id128 account) {
    for (final OpenTransaction transaction : open) {
      for (int i = 0; i < transaction.transitions().size(); i++) {
        if (transaction.verdicts().get(i) == Verdict.COMMIT
            && transaction.transitions().get(i).account().equals(account)) {
          return true;
        }
      }
    }
    return false;
  }

  private boolean isUncheckedSchedule(Transition transition) {
    return defects.scheduleNowRetried()
        && transition.effects().request().command() instanceof LedgerCommand.SetSchedule schedule
        && schedule.effective() == LedgerCommand.SetSchedule.Effective.NOW;
  }

  /** What one transition is judged against, doctored where a bug is planted. */
  private final class Locked implements StoredState {
    private final Transition transition;

    Locked(Transition transition) {
      this.transition = transition;
    }

    @Override
    public long fence(int partition) {
      return defects.noFenceCheck() ? transition.ownershipFence() : fences[partition];
    }

    @Override
    public long version(Id128 account) {
      return defects.noVersionCheck()
          ? transition.effects().baseVersion()
          : accounts[Ids.accountOf(account)].version();
    }

    @Override
    public @Nullable StoredRow row(Id128 account, RowKey key) {
      final boolean overlooked =
          (defects.upsertInsteadOfInsert() || isUncheckedSchedule(transition))
              && transition.effects().absent().contains(key);
      return overlooked ? null : accounts[Ids.accountOf(account)].row(key);
    }
  }
}
