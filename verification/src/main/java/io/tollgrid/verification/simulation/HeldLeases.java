package io.tollgrid.verification.simulation;

import io.tollgrid.ledger.Outcome;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The leases one instance has of one account: at most one is current, the others are displaced and
 * stay until what runs on them has settled and what is left on them has gone back (R35).
 */
final class HeldLeases {
  private final Fleet fleet;
  private final int account;
  private final List<HeldLease> leases = new ArrayList<>();
  private @Nullable HeldLease current;
  private long unmetUnits;

  HeldLeases(Fleet fleet, int account) {
    this.fleet = fleet;
    this.account = account;
  }

  int size() {
    return leases.size();
  }

  /** The lease at a position, oldest first, or null if there is none at all. */
  @Nullable HeldLease at(int position) {
    return leases.isEmpty() ? null : leases.get(Math.min(position, leases.size() - 1));
  }

  @Nullable HeldLease current() {
    return current;
  }

  long currentFreeUnits() {
    return current == null ? 0 : current.freeUnits;
  }

  /** The current lease while work may start on it. */
  @Nullable HeldLease usable(long nowNanos) {
    final HeldLease lease = current;
    if (lease == null || lease.usable(nowNanos)) {
      return lease;
    }
    fleet.coverage().saw(Scenario.LEASE_LAPSED);
    current = null;
    return null;
  }

  /** The largest quote refused for want of units since the last grant. */
  long unmetUnits() {
    return unmetUnits;
  }

  void refused(long quoteUnits) {
    unmetUnits = Math.max(unmetUnits, quoteUnits);
  }

  /** A grant becomes the current lease. */
  void take(Outcome.Granted granted) {
    final HeldLease lease = new HeldLease(granted);
    fleet.spend().held(lease.id, account);
    leases.add(lease);
    current = lease;
    if (unmetUnits > 0 && granted.units() >= unmetUnits) {
      fleet.coverage().saw(Scenario.DEMAND_GRANTED);
    }
    unmetUnits = 0;
  }

  /** No more work starts on this lease. */
  void displace(HeldLease lease) {
    if (lease == current) {
      current = null;
    }
  }

  /** The ledger says that the lease is over; what is free on it is forfeit. */
  void ended(HeldLease lease) {
    lease.ended = true;
    displace(lease);
    forgetIfOver(lease);
  }

  void forgetIfOver(HeldLease lease) {
    if (lease.ended && lease.works == 0) {
      leases.remove(lease);
    }
  }

  void released(HeldLease lease) {
    leases.remove(lease);
  }

  /** A lease with free units that a step can be asked of, or null. */
  @Nullable HeldLease withFreeUnits() {
    for (final HeldLease lease : leases) {
      if (lease.free() && lease.freeUnits > 0) {
        return lease;
      }
    }
    return null;
  }

  /** The process died with all of them. */
  void lose() {
    for (final HeldLease lease : leases) {
      fleet.spend().lost(lease.id);
    }
  }
}
