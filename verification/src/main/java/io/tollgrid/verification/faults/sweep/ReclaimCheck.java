package io.tollgrid.verification.faults.sweep;

import io.tollgrid.ledger.AccountLedger;
import io.tollgrid.ledger.Lease;
import io.tollgrid.ledger.LeaseState;
import io.tollgrid.verification.faults.check.Violation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Judges whether expired leases were written off: each once, none before it was due, with exactly
 * what it had left as loss and nothing credited, in bounded batches, oldest first (R12, R19).
 */
final class ReclaimCheck {
  private final int mostLeases;
  private final int window;

  /**
   * A check.
   *
   * @param mostLeases leases one command may take
   * @param window how many accounts may be on their way at once: as many may be served before one
   *     that was due earlier
   */
  ReclaimCheck(int mostLeases, int window) {
    this.mostLeases = mostLeases;
    this.window = window;
  }

  List<Violation> check(List<ReclaimedAccount> accounts) {
    final List<Violation> violations = new ArrayList<>();
    accounts.forEach(account -> check(account, violations));
    final long overtaken = mostOvertaken(accounts);
    if (overtaken > window) {
      violations.add(
          new Violation(
              Violation.Kind.OUT_OF_ORDER,
              null,
              null,
              "at most " + window + " accounts served before one that was due earlier",
              Long.toString(overtaken)));
    }
    return violations;
  }

  private void check(ReclaimedAccount account, List<Violation> violations) {
    final AccountLedger before = account.before();
    long loss = 0;
    for (final Lease lease : before.active()) {
      loss = Math.addExact(loss, lease.remaining());
      final ReclaimedAccount.@Nullable StoredLease stored = account.leases().get(lease.id());
      if (stored == null
          || (stored.state() != LeaseState.LOSS && stored.state() != LeaseState.ARCHIVED)
          || stored.loss() != lease.remaining()
          || stored.returned() != lease.returned()
          || stored.billed() != lease.billed()
          || stored.endedAtNanos() < lease.reclaimableAtNanos()) {
        violations.add(
            new Violation(
                Violation.Kind.RECLAIMED_WRONGLY,
                before.id(),
                null,
                "a loss of " + lease.remaining() + " units on lease " + lease.id(),
                String.valueOf(stored)));
      }
    }
    final long leases = account.reclaims().stream().mapToLong(each -> each.leases()).sum();
    final long units = account.reclaims().stream().mapToLong(each -> each.lossUnits()).sum();
    expect(violations, before, "leases written off", before.active().size(), leases);
    expect(violations, before, "units written off", loss, units);
    expect(violations, before, "loss", before.balances().loss() + loss, account.books().loss());
    expect(violations, before, "balance", before.balances().balance(), account.books().balance());
    expect(violations, before, "outstanding", 0, account.books().outstanding());
    for (final ReclaimedAccount.Reclaim reclaim : account.reclaims()) {
      if (reclaim.leases() > mostLeases) {
        expect(violations, before, "most leases of one command", mostLeases, reclaim.leases());
      }
    }
  }

  /**
   * The largest number of accounts that were served before one whose first lease was due before
   * theirs. Those whose owner died do not count: they were passed by until somebody took over.
   */
  static long mostOvertaken(List<ReclaimedAccount> accounts) {
    final long[] due = accounts.stream().mapToLong(ReclaimedAccount::dueNanos).sorted().toArray();
    final long[] served = new long[due.length + 1];
    long before = 0;
    long most = 0;
    for (final ReclaimedAccount account :
        accounts.stream()
            .filter(each -> !each.disturbed())
            .sorted(Comparator.comparingLong(ReclaimedAccount::firstAtNanos))
            .toList()) {
      final int rank = rankOf(due, account.dueNanos());
      most = Math.max(most, before - servedUpTo(served, rank));
      serve(served, rank);
      before++;
    }
    return most;
  }

  /** How many are due at the same time or before. */
  private static int rankOf(long[] due, long nanos) {
    int at = Arrays.binarySearch(due, nanos);
    while (at + 1 < due.length && due[at + 1] == nanos) {
      at++;
    }
    return at + 1;
  }

  // A Fenwick tree: counts by rank whose sums up to a rank take logarithmic time.
  private static void serve(long[] counts, int rank) {
    for (int i = rank; i < counts.length; i += i & -i) {
      counts[i]++;
    }
  }

  private static long servedUpTo(long[] counts, int rank) {
    long sum = 0;
    for (int i = rank; i > 0; i -= i & -i) {
      sum += counts[i];
    }
    return sum;
  }

  private static void expect(
      List<Violation> violations, AccountLedger of, String what, long expected, long found) {
    if (expected != found) {
      violations.add(
          new Violation(
              Violation.Kind.RECLAIMED_WRONGLY,
              of.id(),
              null,
              what + " " + expected,
              Long.toString(found)));
    }
  }
}
