package io.tollgrid.verification.simulation;

import io.tollgrid.ledger.AccountLedger;
import io.tollgrid.ledger.BudgetSchedule;
import io.tollgrid.ledger.Effects;
import io.tollgrid.ledger.Funding;
import io.tollgrid.ledger.Lease;
import io.tollgrid.ledger.LeaseState;
import io.tollgrid.ledger.LeaseStep;
import io.tollgrid.ledger.LedgerCommand;
import io.tollgrid.ledger.Outcome;
import io.tollgrid.ledger.RowKey;
import io.tollgrid.ledger.StoredRow;
import io.tollgrid.ledger.UsageVerdict;
import org.jspecify.annotations.Nullable;

/** Recognises, in what a store lets stand, the histories a run should contain. */
final class ScenarioWatch {
  private final Coverage coverage;

  ScenarioWatch(Coverage coverage) {
    this.coverage = coverage;
  }

  /** A check held. */
  void confirmed(Effects effects) {
    if (effects.outcome() instanceof Outcome.Refused refused && refused.evidence() != null) {
      coverage.saw(Scenario.EVIDENCE_CONFIRMED);
    }
    verdicts(effects);
  }

  /** A write is about to happen; {@code rows} are still as they were. */
  void wrote(
      @Nullable AccountLedger before, Effects effects, AccountLedger next, AccountRows rows) {
    verdicts(effects);
    if (effects.outcome() instanceof Outcome.Refused) {
      coverage.saw(Scenario.REFUSED_WHILE_CROSSING);
    }
    if (before != null) {
      crossing(before, effects);
    }
    final LedgerCommand command = effects.request().command();
    if (command instanceof LedgerCommand.Consolidate consolidate
        && effects.outcome() instanceof Outcome.Granted) {
      final Lease old = rows.lease(consolidate.oldLeaseId());
      if (old != null
          && old.periodNumber() != next.period().number()
          && consolidate.freeUnits() > 0) {
        coverage.saw(Scenario.FOLD_ACROSS_A_BOUNDARY);
      }
    } else if (effects.outcome() instanceof Outcome.Stepped stepped
        && stepped.receipt().expiredUnits() > 0) {
      coverage.saw(Scenario.RETURN_ACROSS_A_BOUNDARY);
    } else if (effects.outcome() instanceof Outcome.Reclaimed reclaimed && reclaimed.saturated()) {
      coverage.saw(Scenario.RECLAIM_SATURATED);
    }
    for (final Effects.UsageEntry entry : effects.usage()) {
      if (entry.verdict() == UsageVerdict.STRAGGLER
          && entry.event().units() > 0
          && entry.event().funding() instanceof Funding.Leased leased) {
        straggler(rows.lease(leased.leaseId()), effects);
      }
    }
  }

  private void crossing(AccountLedger before, Effects effects) {
    final BudgetSchedule schedule = before.period().schedule();
    if (schedule != null
        && effects.ledgerTimeNanos() >= before.period().endNanos()
        && effects.ledgerTimeNanos() >= schedule.endOf(before.period().endNanos())) {
      coverage.saw(Scenario.SEVERAL_BOUNDARIES_IN_ONE_CROSSING);
    }
  }

  private void straggler(@Nullable Lease lease, Effects effects) {
    if (lease == null) {
      return;
    }
    final LeaseStep last = lease.lastStep();
    coverage.saw(
        last != null && last.kind() == LeaseStep.Kind.RELEASE
            ? Scenario.STRAGGLER_AFTER_RELEASE
            : Scenario.STRAGGLER_AFTER_RECLAIM);
    if (effects.present().get(new RowKey.LeaseKey(lease.id())) instanceof StoredRow.LeaseRow row
        && row.lease().state() == LeaseState.ARCHIVED) {
      coverage.saw(Scenario.ARCHIVED_STRAGGLER);
    }
  }

  private void verdicts(Effects effects) {
    if (effects.outcome() instanceof Outcome.UsageRecorded recorded) {
      recorded.verdicts().forEach(coverage::classified);
    }
  }
}
