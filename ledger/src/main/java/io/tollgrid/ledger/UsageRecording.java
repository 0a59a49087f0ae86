package io.tollgrid.ledger;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Classifies the events of one batch and moves the ledger for the accepted ones (R20). Mutable,
 * confined to one call.
 *
 * <p>An event is looked up by its own ids before its payload is looked at: a part that was recorded
 * is a duplicate, or, from the very delivery that was accepted, keeps its first classification; a
 * delivery that was rejected stays rejected.
 */
final class UsageRecording {
  private static final long NANOS_PER_MILLI = 1_000_000L;

  private final Attempt attempt;
  private final LedgerDraft draft;
  private final Set<RowKey> partsInBatch = new HashSet<>();
  private final Map<RowKey, UsageVerdict> deliveriesInBatch = new HashMap<>();
  private final Map<Id128, Lease> endedRows = new HashMap<>();
  private final List<UsageVerdict> verdicts = new ArrayList<>();
  private final List<Effects.UsageEntry> accepted = new ArrayList<>();
  private final List<Effects.UsageEntry> rejected = new ArrayList<>();

  UsageRecording(Attempt attempt, LedgerDraft draft) {
    this.attempt = attempt;
    this.draft = draft;
  }

  Ledger.Result run(List<UsageEvent> events) {
    for (final UsageEvent event : events) {
      verdicts.add(record(event));
    }
    return Ledger.Result.usage(verdicts, accepted, rejected);
  }

  private UsageVerdict record(UsageEvent event) {
    final RowKey part = new RowKey.UsageKey(event.requestId(), event.part());
    final RowKey delivery = new RowKey.DeliveryKey(event.writer(), event.sequence());
    final UsageVerdict known = known(event, part, delivery);
    if (known != null) {
      return known;
    }
    final UsageVerdict verdict = classify(event);
    deliveriesInBatch.put(delivery, verdict);
    if (verdict.kind() == UsageVerdict.Kind.ACCEPTED) {
      partsInBatch.add(part);
      accepted.add(new Effects.UsageEntry(event, verdict, periodOf(event)));
    } else {
      rejected.add(new Effects.UsageEntry(event, verdict, draft.period().number()));
    }
    draft.touch();
    return verdict;
  }

  private @Nullable UsageVerdict known(UsageEvent event, RowKey part, RowKey delivery) {
    final UsageVerdict sameDelivery = deliveriesInBatch.get(delivery);
    if (sameDelivery != null) {
      return sameDelivery;
    }
    if (partsInBatch.contains(part)) {
      return UsageVerdict.DUPLICATE;
    }
    final StoredRow recorded = attempt.ownRow(part);
    if (recorded instanceof StoredRow.UsageRow row) {
      final boolean firstDelivery =
          row.writer().equals(event.writer()) && row.sequence() == event.sequence();
      return firstDelivery ? row.verdict() : UsageVerdict.DUPLICATE;
    }
    final StoredRow refused = attempt.ownRow(delivery);
    return refused instanceof StoredRow.RejectedRow row ? row.verdict() : null;
  }

  private UsageVerdict classify(UsageEvent event) {
    final Id128 id = event.requestId();
    final long aheadNanos = draft.limits().requestIdAheadNanos();
    if (!id.isTimeOrdered()
        || id.unixMillis() > (draft.nowNanos() + aheadNanos) / NANOS_PER_MILLI) {
      return UsageVerdict.REQUEST_ID_INVALID;
    }
    if (id.unixMillis()
        < (draft.nowNanos() - draft.limits().requestIdHorizonNanos()) / NANOS_PER_MILLI) {
      return UsageVerdict.REQUEST_ID_TOO_OLD;
    }
    if (event.funding() instanceof Funding.Leased leased) {
      return leased(leased, event.units());
    }
    return event.funding() instanceof Funding.Overage
        ? overage(event.units())
        : unfunded(event.units());
  }

  private UsageVerdict leased(Funding.Leased funding, long units) {
    final Lease lease = find(funding.leaseId());
    if (lease == null || lease.fence() != funding.fence()) {
      return UsageVerdict.NO_SUCH_LEASE;
    }
    if (lease.state() == LeaseState.ACTIVE) {
      if (units > lease.remaining()) {
        return UsageVerdict.BEYOND_LEASE;
      }
      draft.bill(lease, units);
      return UsageVerdict.LEASED;
    }
    if (units > lease.loss()) {
      return UsageVerdict.BEYOND_LOSS;
    }
    if (units > 0) {
      claim(lease, units);
    }
    return UsageVerdict.STRAGGLER;
  }

  private void claim(Lease lease, long units) {
    if (lease.state() == LeaseState.LOSS) {
      draft.claimResident(lease, units);
    } else {
      endedRows.put(lease.id(), draft.claimArchived(lease, units));
    }
  }

  private UsageVerdict overage(long units) {
    if (!draft.policy().everElastic()) {
      return UsageVerdict.OVERAGE_FORBIDDEN;
    }
    if (!draft.overageFits(units)) {
      return UsageVerdict.USAGE_OVERFLOW;
    }
    draft.billOverage(units);
    return UsageVerdict.OVERAGE;
  }

  private UsageVerdict unfunded(long units) {
    if (!draft.unfundedFits(units)) {
      return UsageVerdict.USAGE_OVERFLOW;
    }
    draft.recordUnfunded(units);
    return UsageVerdict.UNFUNDED;
  }

  private @Nullable Lease find(Id128 leaseId) {
    final Lease resident = draft.lease(leaseId);
    if (resident != null) {
      return resident;
    }
    final Lease seen = endedRows.get(leaseId);
    if (seen != null) {
      return seen;
    }
    final Lease row = attempt.leaseRow(leaseId);
    if (row != null) {
      endedRows.put(leaseId, row);
    }
    return row;
  }

  /** A leased part belongs to its lease's period, everything else to the current one (R14). */
  private long periodOf(UsageEvent event) {
    if (!(event.funding() instanceof Funding.Leased leased)) {
      return draft.period().number();
    }
    return Optional.ofNullable(find(leased.leaseId()))
        .map(Lease::periodNumber)
        .orElse(draft.period().number());
  }
}
