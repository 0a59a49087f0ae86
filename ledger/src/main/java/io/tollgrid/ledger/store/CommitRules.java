package io.tollgrid.ledger.store;

import io.tollgrid.ledger.RowKey;
import io.tollgrid.ledger.StoredRow;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Judges the transitions of one batch against what the store read under its locks.
 *
 * <p>The order of the questions matters. The fence comes first: a deposed owner's other differences
 * mean nothing. A version that differs explains any row that differs, so it is asked before the
 * rows.
 */
public final class CommitRules {
  private CommitRules() {}

  /**
   * One verdict per transition, in order. No account may be in a batch twice; transitions of one
   * account that belong together are a {@linkplain #decideChain chain}.
   *
   * @param clockNanos the store's own clock, epoch nanoseconds
   * @param maxSkewNanos how far ledger time may be ahead of it
   */
  public static List<Verdict> decide(
      StoredState stored, long clockNanos, long maxSkewNanos, List<Transition> transitions) {
    final List<Verdict> verdicts = new ArrayList<>(transitions.size());
    for (final Transition transition : transitions) {
      verdicts.add(decideChain(stored, clockNanos, maxSkewNanos, List.of(transition)));
    }
    return verdicts;
  }

  /**
   * The one verdict of transitions of one account, each decided on the ledger that the one before
   * it left. They stand or fall together; the first that falls names the reason.
   */
  public static Verdict decideChain(
      StoredState stored, long clockNanos, long maxSkewNanos, List<Transition> chain) {
    long version = stored.version(chain.get(0).account());
    Verdict all = Verdict.CONFIRMED;
    final Set<RowKey> inserted = new HashSet<>();
    for (final Transition transition : chain) {
      if (!Collections.disjoint(inserted, transition.effects().absent())) {
        return Verdict.REPLAY;
      }
      transition
          .effects()
          .inserted()
          .forEach(lease -> inserted.add(new RowKey.LeaseKey(lease.id())));
      final Verdict verdict = decide(stored, version, clockNanos, maxSkewNanos, transition);
      if (!verdict.stands()) {
        return verdict;
      }
      if (verdict == Verdict.COMMIT) {
        all = Verdict.COMMIT;
      }
      version = transition.effects().nextVersion();
    }
    return all;
  }

  private static Verdict decide(
      StoredState stored, long version, long clockNanos, long maxSkewNanos, Transition transition) {
    if (stored.fence(transition.partition()) != transition.ownershipFence()) {
      return Verdict.FENCED;
    }
    final long ledgerTimeNanos = transition.effects().ledgerTimeNanos();
    if (isAhead(ledgerTimeNanos, clockNanos, maxSkewNanos)) {
      return Verdict.CLOCK_AHEAD;
    }
    if (version != transition.effects().baseVersion()) {
      return version > transition.effects().baseVersion()
          ? Verdict.STALE
          : Verdict.AUTHORITY_REGRESSED;
    }
    final Verdict rows = rows(stored, transition);
    if (rows != Verdict.CONFIRMED
        || !(transition.effects().writes() || transition.effects().onlyKeeps())) {
      return rows;
    }
    return isAhead(clockNanos, transition.effects().request().notAfterNanos(), maxSkewNanos)
        ? Verdict.TOO_LATE
        : Verdict.COMMIT;
  }

  private static Verdict rows(StoredState stored, Transition transition) {
    for (final Map.Entry<RowKey, StoredRow> expected : transition.effects().present().entrySet()) {
      if (!expected.getValue().equals(stored.row(transition.account(), expected.getKey()))) {
        return Verdict.STALE;
      }
    }
    for (final RowKey key : transition.effects().absent()) {
      if (stored.row(transition.account(), key) != null) {
        return Verdict.REPLAY;
      }
    }
    return Verdict.CONFIRMED;
  }

  /**
   * Whether one instant lies more than {@code byNanos} after another, however far apart they are.
   */
  private static boolean isAhead(long nanos, long ofNanos, long byNanos) {
    return nanos > ofNanos && Long.compareUnsigned(nanos - ofNanos, byNanos) > 0;
  }
}
