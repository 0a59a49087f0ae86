package io.tollgrid.ledger;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One account at one version: its books, its policy, its period and the leases still in play.
 *
 * <p>{@code active} and {@code losses} are complete and ordered by fence; {@code settled} is a
 * cache of the last ended leases, newest last, that answers retries from memory and may be empty
 * after a reload.
 *
 * @param id the account
 * @param version 1 at creation, one more at each change
 * @param asOfNanos ledger time of the last change, epoch nanoseconds
 * @param balances the books
 * @param policy the account policy
 * @param period the budget period
 * @param nextFence the fence the next lease gets, from 1
 * @param active active leases
 * @param losses ended leases with resident loss
 * @param settled recently settled leases
 */
public record AccountLedger(
    Id128 id,
    long version,
    long asOfNanos,
    Balances balances,
    AccountPolicy policy,
    Period period,
    long nextFence,
    List<Lease> active,
    List<Lease> losses,
    List<Lease> settled) {

  /**
   * Refuses leases that do not add up to the books, or that no sequence of commands could have left
   * in this entry (R10, R11).
   *
   * @throws CorruptLedgerException if outstanding or resident loss is not the sum over the leases,
   *     a lease is in the wrong list or twice in one, or its fence or period is still to come
   */
  public AccountLedger {
    active = List.copyOf(active);
    losses = List.copyOf(losses);
    settled = List.copyOf(settled);
    if (version < 1 || nextFence < 1) {
      throw new CorruptLedgerException(
          "account " + id + " has version " + version + " and next fence " + nextFence);
    }
    requireOrder(id, active);
    requireOrder(id, losses);
    requireKnown(id, active, LeaseState.ACTIVE, nextFence, period);
    requireKnown(id, losses, LeaseState.LOSS, nextFence, period);
    requireKnown(id, settled, LeaseState.SETTLED, nextFence, period);
    requireSum(id, "outstanding", balances.outstanding(), active);
    requireSum(id, "resident loss", balances.lossResident(), losses);
  }

  /** The lease with this id, if it is in the entry. */
  public @Nullable Lease lease(Id128 leaseId) {
    final Lease running = find(active, leaseId);
    if (running != null) {
      return running;
    }
    final Lease lost = find(losses, leaseId);
    return lost != null ? lost : find(settled, leaseId);
  }

  /** Funding as of this version (R15). */
  public Evidence evidence() {
    return new Evidence(balances.remaining(), period.endNanos(), version);
  }

  private static @Nullable Lease find(List<Lease> leases, Id128 leaseId) {
    for (final Lease lease : leases) {
      if (lease.id().equals(leaseId)) {
        return lease;
      }
    }
    return null;
  }

  private static void requireOrder(Id128 id, List<Lease> leases) {
    long lastFence = 0;
    for (final Lease lease : leases) {
      if (lease.fence() <= lastFence) {
        throw new CorruptLedgerException(
            "account " + id + " has fence " + lease.fence() + " after fence " + lastFence);
      }
      lastFence = lease.fence();
    }
  }

  private static void requireKnown(
      Id128 id, List<Lease> leases, LeaseState state, long nextFence, Period period) {
    for (final Lease lease : leases) {
      if (lease.state() != state
          || lease.fence() >= nextFence
          || lease.periodNumber() > period.number()) {
        throw new CorruptLedgerException(
            "account "
                + id
                + " in period "
                + period.number()
                + ", whose next fence is "
                + nextFence
                + ", cannot hold lease "
                + lease.id()
                + " as "
                + state
                + ": it is "
                + lease.state()
                + ", of period "
                + lease.periodNumber()
                + ", with fence "
                + lease.fence());
      }
    }
  }

  private static void requireSum(Id128 id, String what, long stored, List<Lease> leases) {
    long rest = stored;
    for (final Lease lease : leases) {
      if (lease.remaining() > rest) {
        throw disagreement(id, what, stored);
      }
      rest -= lease.remaining();
    }
    if (rest != 0) {
      throw disagreement(id, what, stored);
    }
  }

  private static CorruptLedgerException disagreement(Id128 id, String what, long stored) {
    return new CorruptLedgerException(
        "account " + id + " stores " + stored + " units of " + what + ", its leases say otherwise");
  }
}
