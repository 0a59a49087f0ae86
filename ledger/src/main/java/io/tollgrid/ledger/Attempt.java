package io.tollgrid.ledger;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What one call of {@link Ledger#apply} has looked at: the rows it rests on and the rows it still
 * needs. Mutable, confined to the call.
 */
final class Attempt {
  private final LedgerRequest request;
  private final Set<RowKey> absent = new HashSet<>();
  private final Map<RowKey, StoredRow> present = new HashMap<>();
  private final Set<RowKey> needed = new HashSet<>();
  private boolean outdated;

  Attempt(LedgerRequest request) {
    this.request = request;
  }

  LedgerRequest request() {
    return request;
  }

  /**
   * The attached row under {@code key}, if it was fetched and exists; the answer rests on what it
   * says either way. A row that was never fetched is assumed absent, which the store checks.
   */
  @Nullable StoredRow ownRow(RowKey key) {
    final StoredRow row = request.rows().getOrDefault(key, Optional.empty()).orElse(null);
    restOn(key, row);
    return row;
  }

  /**
   * The lease row under {@code leaseId}, which memory does not hold. If it was not fetched it is
   * noted as needed.
   *
   * <p>The entry holds every active lease and every resident loss, so a row that says a lease is
   * either was written after the entry was read: the entry is outdated.
   *
   * @return the lease, or null if it does not exist, is not known yet, or shows the entry to be
   *     outdated
   */
  @Nullable Lease leaseRow(Id128 leaseId) {
    final RowKey key = new RowKey.LeaseKey(leaseId);
    final Optional<StoredRow> fetched = request.rows().get(key);
    if (fetched == null) {
      needed.add(key);
      return null;
    }
    restOn(key, fetched.orElse(null));
    final Lease lease = fetched.map(row -> ((StoredRow.LeaseRow) row).lease()).orElse(null);
    if (lease != null && (lease.state() == LeaseState.ACTIVE || lease.state() == LeaseState.LOSS)) {
      outdated = true;
      return null;
    }
    return lease;
  }

  /** The accepted usage part under {@code key}; noted as needed if it was not fetched. */
  StoredRow.@Nullable UsageRow usageRow(RowKey.UsageKey key) {
    final Optional<StoredRow> fetched = request.rows().get(key);
    if (fetched == null) {
      needed.add(key);
      return null;
    }
    restOn(key, fetched.orElse(null));
    return (StoredRow.UsageRow) fetched.orElse(null);
  }

  void restOn(RowKey key, @Nullable StoredRow row) {
    if (row == null) {
      absent.add(key);
    } else {
      present.put(key, row);
    }
  }

  boolean needsRows() {
    return !needed.isEmpty();
  }

  boolean outdated() {
    return outdated;
  }

  /**
   * An attached row tells of more than the entry holds: one of the two was read before the other.
   */
  void rowContradictsEntry() {
    outdated = true;
  }

  Decision rowsNeeded() {
    return new Decision(new Outcome.NeedsRows(needed), null, null, 0);
  }

  Decision outdatedEntry() {
    return new Decision(new Outcome.Outdated(), null, null, 0);
  }

  /** A final answer that changes nothing: the store confirms what it rests on. */
  Decision check(
      @Nullable AccountLedger ledger, long nowNanos, Outcome outcome, long unmetDemandUnits) {
    return new Decision(
        outcome,
        ledger,
        Effects.check(
            request, outcome, ledger == null ? 0 : ledger.version(), nowNanos, absent, present),
        unmetDemandUnits);
  }

  Set<RowKey> absent() {
    return absent;
  }

  Map<RowKey, StoredRow> present() {
    return present;
  }
}
