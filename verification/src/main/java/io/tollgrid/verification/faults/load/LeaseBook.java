package io.tollgrid.verification.faults.load;

import io.tollgrid.ledger.Id128;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The leases a process holds and is not using at the moment, and the last ones that ended, by
 * account. Thread-safe.
 */
final class LeaseBook {
  private static final int HELD_PER_ACCOUNT = 24;
  private static final int ENDED_PER_ACCOUNT = 8;

  private final Map<Id128, Deque<HeldLease>> held = new HashMap<>();
  private final Map<Id128, Deque<HeldLease>> ended = new HashMap<>();

  /**
   * Takes a lease of the account for oneself, the one unused for longest; null if there is none.
   */
  synchronized @Nullable HeldLease take(Id128 account) {
    final Deque<HeldLease> leases = held.get(account);
    return leases == null ? null : leases.pollFirst();
  }

  /** Puts a lease back. What no longer fits is abandoned: it lapses and is reclaimed. */
  synchronized void put(HeldLease lease) {
    bounded(held, lease, HELD_PER_ACCOUNT);
  }

  /** Remembers a lease that ended, for usage that comes late. */
  synchronized void end(HeldLease lease) {
    bounded(ended, lease, ENDED_PER_ACCOUNT);
  }

  /** A lease of the account that ended, null if none is remembered. */
  synchronized @Nullable HeldLease ended(Id128 account) {
    final Deque<HeldLease> leases = ended.get(account);
    return leases == null ? null : leases.peekLast();
  }

  private static void bounded(Map<Id128, Deque<HeldLease>> leases, HeldLease lease, int most) {
    final Deque<HeldLease> mine =
        leases.computeIfAbsent(lease.account(), account -> new ArrayDeque<>());
    mine.addLast(lease);
    if (mine.size() > most) {
      mine.removeFirst();
    }
  }
}
