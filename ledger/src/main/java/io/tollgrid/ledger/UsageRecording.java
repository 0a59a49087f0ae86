package io.tollgrid.ledger;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Classifies the events of one batch and moves the ledger for the accepted ones (R20). Mutable,
 * confined to one call.
 *
 * <p>An event is looked up by its own ids before its payload is looked at (see {@link #onRecord}).
 * Events of one batch are looked up among those before them too, as if each had been a command of
 * its own.
 */
final class UsageRecording {
  private static final long NANOS_PER_MILLI = 1_000_000L;

  private final Attempt attempt;
  private final LedgerDraft draft;
  private final Map<RowKey, StoredRow> recordedInBatch = new HashMap<>();
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

  /**
   * Rejects the events of an account that does not exist. They are kept; the store confirms that
   * there is no such account (R20).
   */
  static Decision withoutAccount(Attempt attempt, List<UsageEvent> events, long nowNanos) {
    final Set<RowKey> inBatch = new HashSet<>();
    final List<UsageVerdict> verdicts = new ArrayList<>();
    final List<Effects.UsageEntry> rejected = new ArrayList<>();
    for (final UsageEvent event : events) {
      UsageVerdict verdict = onRecord(event, attempt::ownRow);
      if (verdict == null) {
        verdict = UsageVerdict.UNKNOWN_ACCOUNT;
        if (inBatch.add(deliveryOf(event))) {
          rejected.add(new Effects.UsageEntry(event, verdict, 0));
        }
      }
      verdicts.add(verdict);
    }
    final Outcome outcome = new Outcome.UsageRecorded(verdicts);
    final Effects effects =
        new Effects(
            attempt.request(),
            outcome,
            0,
            nowNanos,
            false,
            List.of(),
            List.of(),
            List.of(),
            null,
            List.of(),
            rejected,
            null,
            attempt.absent(),
            attempt.present());
    return new Decision(outcome, null, effects, 0);
  }

  /**
   * The classification an event has already, or null if it is new.
   *
   * <p>A delivery keeps the one it was given first, accepted or rejected. Another delivery of a
   * part that was accepted is a duplicate; of one that was rejected it is new, for a rejected event
   * claims no id.
   *
   * @param rows the row under one of the event's own keys
   */
  static @Nullable UsageVerdict onRecord(
      UsageEvent event, Function<RowKey, @Nullable StoredRow> rows) {
    final StoredRow part = rows.apply(partOf(event));
    if (part instanceof StoredRow.UsageRow accepted
        && accepted.writer().equals(event.writer())
        && accepted.sequence() == event.sequence()) {
      return accepted.verdict();
    }
    if (rows.apply(deliveryOf(event)) instanceof StoredRow.RejectedRow rejected) {
      return rejected.verdict();
    }
    return part == null ? null : UsageVerdict.DUPLICATE;
  }

  /**
   * What a batch was answered; null unless every event of it is on record. A batch is one
   * transaction, so it took effect exactly then; from which batch does not matter. All events are
   * looked up.
   */
  static Outcome.@Nullable UsageRecorded allOnRecord(
      List<UsageEvent> events, Function<RowKey, @Nullable StoredRow> rows) {
    final List<UsageVerdict> verdicts = new ArrayList<>();
    for (final UsageEvent event : events) {
      final UsageVerdict verdict = onRecord(event, rows);
      if (verdict != null) {
        verdicts.add(verdict);
      }
    }
    return verdicts.size() == events.size() ? new Outcome.UsageRecorded(verdicts) : null;
  }

  private UsageVerdict record(UsageEvent event) {
    final UsageVerdict known = onRecord(event, this::row);
    if (known != null) {
      return known;
    }
    final UsageVerdict verdict = classify(event);
    if (verdict.kind() == UsageVerdict.Kind.ACCEPTED) {
      recordedInBatch.put(
          partOf(event),
          new StoredRow.UsageRow(verdict, event.units(), event.writer(), event.sequence(), 0));
      accepted.add(new Effects.UsageEntry(event, verdict, periodOf(event)));
    } else {
      recordedInBatch.put(deliveryOf(event), new StoredRow.RejectedRow(verdict));
      rejected.add(new Effects.UsageEntry(event, verdict, draft.period().number()));
    }
    draft.touch();
    return verdict;
  }

  private @Nullable StoredRow row(RowKey key) {
    final StoredRow inBatch = recordedInBatch.get(key);
    return inBatch != null ? inBatch : attempt.ownRow(key);
  }

  private static RowKey partOf(UsageEvent event) {
    return new RowKey.UsageKey(event.requestId(), event.part());
  }

  private static RowKey deliveryOf(UsageEvent event) {
    return new RowKey.DeliveryKey(event.writer(), event.sequence());
  }

  private UsageVerdict classify(UsageEvent event) {
    final Id128 id = event.requestId();
    final LedgerLimits limits = draft.limits();
    final long latestNanos = Math.addExact(draft.nowNanos(), limits.requestIdAheadNanos());
    final long oldestNanos = Math.subtractExact(draft.nowNanos(), limits.requestIdHorizonNanos());
    if (!id.isTimeOrdered() || id.unixMillis() > Math.floorDiv(latestNanos, NANOS_PER_MILLI)) {
      return UsageVerdict.REQUEST_ID_INVALID;
    }
    if (id.unixMillis() < Math.floorDiv(oldestNanos, NANOS_PER_MILLI)) {
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

  /**
   * Bills a straggler to what its lease lost. A row attached to the request can be older than the
   * entry: another straggler has claimed since what it still shows as loss.
   */
  private void claim(Lease lease, long units) {
    if (lease.state() == LeaseState.LOSS) {
      draft.claimResident(lease, units);
    } else if (draft.holdsArchivedLoss(units)) {
      endedRows.put(lease.id(), draft.claimArchived(lease, units));
    } else {
      attempt.rowContradictsEntry();
    }
  }

  private UsageVerdict overage(long units) {
    if (!draft.policy().everElastic()) {
      return UsageVerdict.OVERAGE_FORBIDDEN;
    }
    if (!draft.booksHold(units)) {
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
