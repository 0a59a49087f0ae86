package io.tollgrid.verification.simulation;

import io.tollgrid.ledger.AccountLedger;
import io.tollgrid.ledger.Effects;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.Lease;
import io.tollgrid.ledger.LeaseState;
import io.tollgrid.ledger.LedgerCommand;
import io.tollgrid.ledger.RowKey;
import io.tollgrid.ledger.StoredRow;
import io.tollgrid.ledger.UsageEvent;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The stored rows of one account.
 *
 * <p>As in PostgreSQL, the account's numbers come from what a transition says the ledger became,
 * and its leases only from the rows the transition lists. A ledger that moved a lease and forgot to
 * list it shows at the next load.
 */
final class AccountRows {
  private final Map<RowKey, StoredRow> rows = new HashMap<>();
  private final Map<RowKey, UsageEvent> rejectedEvents = new HashMap<>();
  private final TreeMap<Long, Lease> active = new TreeMap<>();
  private final TreeMap<Long, Lease> losses = new TreeMap<>();
  private final List<Lease> leasesByGrant = new ArrayList<>();
  private final List<RowKey.UsageKey> acceptedParts = new ArrayList<>();
  private @Nullable AccountLedger numbers;
  private @Nullable AccountLedger loaded;

  /** 0 if the account does not exist. */
  long version() {
    return numbers == null ? 0 : numbers.version();
  }

  @Nullable StoredRow row(RowKey key) {
    return rows.get(key);
  }

  @Nullable Lease lease(Id128 leaseId) {
    return rows.get(new RowKey.LeaseKey(leaseId)) instanceof StoredRow.LeaseRow row
        ? row.lease()
        : null;
  }

  /** The event behind a rejected delivery, which is kept whole. */
  @Nullable UsageEvent rejectedEvent(RowKey.DeliveryKey key) {
    return rejectedEvents.get(key);
  }

  /** Every lease ever granted, in the order of grants; a position names a lease. */
  int leaseCount() {
    return leasesByGrant.size();
  }

  Lease leaseAt(int position) {
    final Id128 id = leasesByGrant.get(position).id();
    final Lease lease = lease(id);
    if (lease == null) {
      throw new IllegalStateException("lease " + id + " was granted and has no row");
    }
    return lease;
  }

  /** Every part ever accepted, oldest first. */
  List<RowKey.UsageKey> acceptedParts() {
    return acceptedParts;
  }

  Iterable<Lease> activeLeases() {
    return active.values();
  }

  boolean hasActiveLeases() {
    return !active.isEmpty();
  }

  /** What a load reads: the account's numbers with its resident leases; null if there is none. */
  @Nullable AccountLedger load() {
    final AccountLedger stored = numbers;
    if (loaded == null && stored != null) {
      loaded =
          new AccountLedger(
              stored.id(),
              stored.version(),
              stored.asOfNanos(),
              stored.balances(),
              stored.policy(),
              stored.period(),
              stored.nextFence(),
              List.copyOf(active.values()),
              List.copyOf(losses.values()),
              List.of());
    }
    return loaded;
  }

  /** Whether a plain INSERT of what the transition creates would hit a row that exists. */
  boolean refusesInsertOf(Effects effects) {
    for (final Lease lease : effects.inserted()) {
      if (rows.containsKey(new RowKey.LeaseKey(lease.id()))) {
        return true;
      }
    }
    if (effects.commandRow() != null
        && effects.request().command() instanceof LedgerCommand.OperatorCommand operator
        && rows.containsKey(new RowKey.CommandKey(operator.commandId()))) {
      return true;
    }
    for (final Effects.UsageEntry entry : effects.usage()) {
      if (rows.containsKey(partOf(entry))) {
        return true;
      }
    }
    for (final Effects.UsageEntry entry : effects.rejected()) {
      if (rows.containsKey(deliveryOf(entry))) {
        return true;
      }
    }
    return false;
  }

  void write(AccountLedger next, Effects effects) {
    effects.inserted().forEach(this::insert);
    effects.updated().forEach(this::put);
    if (effects.commandRow() != null
        && effects.request().command() instanceof LedgerCommand.OperatorCommand operator) {
      rows.put(new RowKey.CommandKey(operator.commandId()), effects.commandRow());
    }
    for (final Effects.UsageEntry entry : effects.usage()) {
      final UsageEvent event = entry.event();
      acceptedParts.add(partOf(entry));
      rows.put(
          partOf(entry),
          new StoredRow.UsageRow(
              entry.verdict(), event.units(), event.writer(), event.sequence(), 0));
    }
    for (final Effects.UsageEntry entry : effects.rejected()) {
      rows.put(deliveryOf(entry), new StoredRow.RejectedRow(entry.verdict()));
      rejectedEvents.put(deliveryOf(entry), entry.event());
    }
    final Effects.CreditEntry credit = effects.credit();
    if (credit != null) {
      credit(credit);
    }
    numbers = next;
    loaded = null;
  }

  private void insert(Lease lease) {
    leasesByGrant.add(lease);
    put(lease);
  }

  private void put(Lease lease) {
    active.remove(lease.fence());
    losses.remove(lease.fence());
    if (lease.state() == LeaseState.ACTIVE) {
      active.put(lease.fence(), lease);
    } else if (lease.state() == LeaseState.LOSS) {
      losses.put(lease.fence(), lease);
    }
    rows.put(new RowKey.LeaseKey(lease.id()), new StoredRow.LeaseRow(lease));
  }

  private void credit(Effects.CreditEntry credit) {
    final RowKey.UsageKey key = new RowKey.UsageKey(credit.requestId(), credit.part());
    if (!(rows.get(key) instanceof StoredRow.UsageRow original)) {
      throw new Violation("R23", "a credit names a part that was billed", String.valueOf(key));
    }
    rows.put(
        key,
        new StoredRow.UsageRow(
            original.verdict(),
            original.units(),
            original.writer(),
            original.sequence(),
            Math.addExact(original.creditedUnits(), credit.units())));
  }

  static RowKey.UsageKey partOf(Effects.UsageEntry entry) {
    return new RowKey.UsageKey(entry.event().requestId(), entry.event().part());
  }

  static RowKey.DeliveryKey deliveryOf(Effects.UsageEntry entry) {
    return new RowKey.DeliveryKey(entry.event().writer(), entry.event().sequence());
  }
}
