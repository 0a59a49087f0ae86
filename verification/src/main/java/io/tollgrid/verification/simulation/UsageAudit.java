package io.tollgrid.verification.simulation;

import io.tollgrid.ledger.Effects;
import io.tollgrid.ledger.Funding;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.RowKey;
import io.tollgrid.ledger.StoredRow;
import io.tollgrid.ledger.UsageEvent;
import io.tollgrid.ledger.UsageVerdict;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What became of every usage event that an honest writer recorded (R20). */
final class UsageAudit {
  private final Map<UsageEvent, UsageVerdict> told = new HashMap<>();
  private final Map<RowKey.UsageKey, Part> parts = new LinkedHashMap<>();
  private final Set<RowKey.UsageKey> rejected = new HashSet<>();
  private final Map<RowKey.DeliveryKey, RowKey.UsageKey> deliveries = new HashMap<>();

  /**
   * One part as it was charged.
   *
   * @param account the account slot
   * @param lease the lease that funded it, or null
   * @param units its units
   * @param holder who charged it
   */
  record Part(int account, @Nullable Id128 lease, long units, Id128 holder) {}

  Map<RowKey.UsageKey, Part> parts() {
    return parts;
  }

  boolean wasRejected(RowKey.UsageKey part) {
    return rejected.contains(part);
  }

  /** A charge was put in its writer's queue. */
  void charged(int account, UsageEvent event, Id128 holder) {
    final Id128 lease = event.funding() instanceof Funding.Leased leased ? leased.leaseId() : null;
    parts.put(
        new RowKey.UsageKey(event.requestId(), event.part()),
        new Part(account, lease, event.units(), holder));
  }

  /** An event was classified for good: its delivery number must be its own. */
  void recorded(Effects.UsageEntry entry) {
    final RowKey.UsageKey part = AccountRows.partOf(entry);
    final RowKey.UsageKey other = deliveries.putIfAbsent(AccountRows.deliveryOf(entry), part);
    if (other != null && !other.equals(part)) {
      throw new Violation(
          "R20", "a delivery number names one event", entry.event() + " and " + other);
    }
  }

  /** A writer was told how its event was classified. */
  void told(UsageEvent event, UsageVerdict verdict, AccountRows rows) {
    final UsageVerdict earlier = told.putIfAbsent(event, verdict);
    if (earlier != null && earlier != verdict) {
      throw new Violation(
          "R20", "an event is classified once", event + " was " + earlier + ", now " + verdict);
    }
    final RowKey.UsageKey part = new RowKey.UsageKey(event.requestId(), event.part());
    switch (verdict.kind()) {
      case ACCEPTED -> {
        if (!(rows.row(part) instanceof StoredRow.UsageRow row)
            || row.units() != event.units()
            || row.verdict() != verdict
            || !row.writer().equals(event.writer())
            || row.sequence() != event.sequence()) {
          throw new Violation(
              "R20", "an acknowledged event is in the store", event + " has " + rows.row(part));
        }
      }
      case DUPLICATE -> {
        if (rows.row(part) == null) {
          throw new Violation("R20", "a duplicate has an original", event.toString());
        }
      }
      case REJECTED -> {
        final UsageEvent kept =
            rows.rejectedEvent(new RowKey.DeliveryKey(event.writer(), event.sequence()));
        if (!event.equals(kept)) {
          throw new Violation(
              "R20", "a rejected event is kept", event + " was refused, kept is " + kept);
        }
        rejected.add(part);
      }
    }
  }
}
