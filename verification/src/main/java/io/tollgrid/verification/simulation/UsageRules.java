package io.tollgrid.verification.simulation;

import io.tollgrid.ledger.Effects;
import io.tollgrid.ledger.Funding;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.LeaseState;
import io.tollgrid.ledger.LedgerCommand;
import io.tollgrid.ledger.Outcome;
import io.tollgrid.ledger.RowKey;
import io.tollgrid.ledger.StoredRow;
import io.tollgrid.ledger.UsageEvent;
import io.tollgrid.ledger.UsageVerdict;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** How the events of a batch are classified and what that moves, stated apart from the ledger. */
final class UsageRules {
  private final ReferenceAccount account;
  private final long nowNanos;
  private final Map<RowKey, RowKey> acceptedHere = new HashMap<>();
  private final Map<RowKey, UsageVerdict> classifiedHere = new HashMap<>();
  private int accepted;
  private int rejected;

  UsageRules(ReferenceAccount account, long nowNanos) {
    this.account = account;
    this.nowNanos = nowNanos;
  }

  void require(Effects effects, AccountRows rows) {
    final List<UsageEvent> events =
        ((LedgerCommand.RecordUsage) effects.request().command()).events();
    if (!(effects.outcome() instanceof Outcome.UsageRecorded recorded)
        || recorded.verdicts().size() != events.size()) {
      throw new Violation("R20", "every event is classified", effects.outcome().toString());
    }
    for (int i = 0; i < events.size(); i++) {
      final UsageVerdict expected = classify(events.get(i), effects, rows);
      if (recorded.verdicts().get(i) != expected) {
        throw new Violation(
            "R20",
            "events are classified as the rules say",
            events.get(i) + " is " + recorded.verdicts().get(i) + ", expected " + expected);
      }
    }
    if (accepted != effects.usage().size() || rejected != effects.rejected().size()) {
      throw new Violation(
          "R20",
          "every new event gets its row",
          accepted
              + " and "
              + rejected
              + " new, rows for "
              + effects.usage().size()
              + " and "
              + effects.rejected().size());
    }
  }

  private UsageVerdict classify(UsageEvent event, Effects effects, AccountRows rows) {
    final RowKey.UsageKey part = new RowKey.UsageKey(event.requestId(), event.part());
    final RowKey.DeliveryKey delivery = new RowKey.DeliveryKey(event.writer(), event.sequence());
    final UsageVerdict here = classifiedHere.get(delivery);
    final StoredRow stored = rows.row(part);
    if (stored instanceof StoredRow.UsageRow row
        && row.writer().equals(event.writer())
        && row.sequence() == event.sequence()) {
      return row.verdict();
    }
    if (here != null && (here.kind() == UsageVerdict.Kind.REJECTED || isOf(part, delivery))) {
      return here;
    }
    if (rows.row(delivery) instanceof StoredRow.RejectedRow row) {
      return row.verdict();
    }
    if (stored != null || acceptedHere.containsKey(part)) {
      return UsageVerdict.DUPLICATE;
    }
    final UsageVerdict verdict = judge(event);
    classifiedHere.put(delivery, verdict);
    final List<Effects.UsageEntry> entries;
    if (verdict.kind() == UsageVerdict.Kind.ACCEPTED) {
      acceptedHere.put(part, delivery);
      accepted++;
      entries = effects.usage();
    } else {
      rejected++;
      entries = effects.rejected();
    }
    requireEntry(new Effects.UsageEntry(event, verdict, periodOf(event, verdict)), entries);
    return verdict;
  }

  private boolean isOf(RowKey part, RowKey delivery) {
    return delivery.equals(acceptedHere.get(part));
  }

  private static void requireEntry(Effects.UsageEntry entry, List<Effects.UsageEntry> entries) {
    if (!entries.contains(entry)) {
      throw new Violation("R20", "a row says what was decided", entry + " is not in " + entries);
    }
  }

  private UsageVerdict judge(UsageEvent event) {
    final long madeAtMillis = event.requestId().unixMillis();
    final long latestMillis = (nowNanos + Scale.LIMITS.requestIdAheadNanos()) / Scale.MILLI;
    final long oldestMillis = (nowNanos - Scale.LIMITS.requestIdHorizonNanos()) / Scale.MILLI;
    if (!event.requestId().isTimeOrdered() || madeAtMillis > latestMillis) {
      return UsageVerdict.REQUEST_ID_INVALID;
    }
    if (madeAtMillis < oldestMillis) {
      return UsageVerdict.REQUEST_ID_TOO_OLD;
    }
    final long units = event.units();
    if (event.funding() instanceof Funding.Leased leased) {
      return leased(leased.leaseId(), leased.fence(), units);
    }
    if (event.funding() instanceof Funding.Unfunded) {
      if (account.unfunded + units < 0) {
        return UsageVerdict.USAGE_OVERFLOW;
      }
      account.unfunded += units;
      return UsageVerdict.UNFUNDED;
    }
    if (!account.policy.everElastic()) {
      return UsageVerdict.OVERAGE_FORBIDDEN;
    }
    if (account.deposited + account.overage + units < 0) {
      return UsageVerdict.USAGE_OVERFLOW;
    }
    account.overage += units;
    account.billed += units;
    return UsageVerdict.OVERAGE;
  }

  private UsageVerdict leased(Id128 leaseId, long fence, long units) {
    final @Nullable ReferenceLease lease = account.lease(leaseId);
    if (lease == null || lease.fence != fence) {
      return UsageVerdict.NO_SUCH_LEASE;
    }
    final boolean active = lease.state == LeaseState.ACTIVE;
    if (units > lease.left()) {
      return active ? UsageVerdict.BEYOND_LEASE : UsageVerdict.BEYOND_LOSS;
    }
    lease.billed += units;
    account.billed += units;
    if (active) {
      account.outstanding -= units;
      return UsageVerdict.LEASED;
    }
    account.loss -= units;
    if (lease.left() == 0) {
      lease.state = LeaseState.SETTLED;
    }
    return UsageVerdict.STRAGGLER;
  }

  /** Billed to a lease: the lease's period; anything else: the current one (R14). */
  private long periodOf(UsageEvent event, UsageVerdict verdict) {
    if (verdict.kind() == UsageVerdict.Kind.ACCEPTED
        && event.funding() instanceof Funding.Leased leased) {
      final ReferenceLease lease = account.lease(leased.leaseId());
      return lease == null ? account.periodNumber : lease.periodNumber;
    }
    return account.periodNumber;
  }
}
