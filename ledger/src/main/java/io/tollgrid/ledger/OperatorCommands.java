package io.tollgrid.ledger;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** What operator commands do to a draft. */
final class OperatorCommands {
  private OperatorCommands() {}

  /** The first version of an account: unfunded, with its policy's first generation (R17). */
  static Decision create(Attempt attempt, LedgerCommand.Create command, long nowNanos) {
    final AccountLedger created =
        new AccountLedger(
            attempt.request().account(),
            1,
            nowNanos,
            Balances.ZERO,
            new AccountPolicy(
                1,
                command.status(),
                command.capacityClass(),
                command.terms(),
                command.terms().mode() == EnforcementMode.ELASTIC),
            Period.UNSCHEDULED,
            1,
            List.of(),
            List.of(),
            List.of());
    final Outcome.Changed outcome = new Outcome.Changed(1, 1);
    final Effects effects =
        new Effects(
            attempt.request(),
            outcome,
            0,
            nowNanos,
            true,
            List.of(),
            List.of(),
            List.of(),
            rowOf(attempt.request(), outcome),
            List.of(),
            List.of(),
            null,
            attempt.absent(),
            attempt.present());
    return new Decision(outcome, created, effects, 0);
  }

  /** The row that remembers an operator command that took effect, or null. */
  static StoredRow.@Nullable CommandRow rowOf(LedgerRequest request, Outcome outcome) {
    return request.command() instanceof LedgerCommand.OperatorCommand
            && outcome instanceof Outcome.Applied applied
        ? new StoredRow.CommandRow(LedgerCodec.bodyHash(request), applied)
        : null;
  }

  static Ledger.Result run(
      Attempt attempt, LedgerDraft draft, LedgerCommand.OperatorCommand command) {
    if (command instanceof LedgerCommand.Deposit deposit) {
      draft.fund(Effects.FundingEntry.Source.TOP_UP, deposit.units());
      return Ledger.Result.of(new Outcome.Funded(deposit.units(), draft.version()));
    }
    if (command instanceof LedgerCommand.Credit credit) {
      return credit(attempt, draft, credit);
    }
    if (command instanceof LedgerCommand.SetSchedule schedule) {
      return schedule(draft, schedule);
    }
    if (command instanceof LedgerCommand.SetStatus status) {
      return status.status() == draft.policy().status()
          ? unchanged(draft)
          : changed(draft, draft.policy().withStatus(status.status()));
    }
    if (command instanceof LedgerCommand.SetCapacityClass capacity) {
      return capacity.capacityClass() == draft.policy().capacityClass()
          ? unchanged(draft)
          : changed(draft, draft.policy().withCapacityClass(capacity.capacityClass()));
    }
    if (command instanceof LedgerCommand.SetTerms terms) {
      return terms.terms().equals(draft.policy().terms())
          ? unchanged(draft)
          : changed(draft, draft.policy().withTerms(terms.terms()));
    }
    return Ledger.Result.refused(Refusal.ALREADY_EXISTS);
  }

  private static Ledger.Result credit(
      Attempt attempt, LedgerDraft draft, LedgerCommand.Credit command) {
    final StoredRow.UsageRow original =
        attempt.usageRow(new RowKey.UsageKey(command.requestId(), command.part()));
    if (original == null || original.verdict() == UsageVerdict.UNFUNDED) {
      return Ledger.Result.refused(Refusal.NOT_BILLED);
    }
    if (command.units() > original.units() - original.creditedUnits()) {
      return Ledger.Result.refused(Refusal.BEYOND_BILLED);
    }
    draft.fund(Effects.FundingEntry.Source.CREDIT, command.units());
    return new Ledger.Result(
        new Outcome.Funded(command.units(), draft.version()),
        0,
        List.of(),
        List.of(),
        new Effects.CreditEntry(
            command.commandId(), command.requestId(), command.part(), command.units()));
  }

  /*
   * With a schedule set, a change waits for the stored boundary, so the period that is running was funded once and stays
   * so. Without one, the first schedule opens its period now; `Period.FundedStarts` knows whether that calendar period
   * was funded under an earlier schedule. Only NOW funds regardless: an operator asked for exactly that.
   */
  private static Ledger.Result schedule(LedgerDraft draft, LedgerCommand.SetSchedule command) {
    final BudgetSchedule schedule = command.schedule();
    if (schedule != null && command.effective() == LedgerCommand.SetSchedule.Effective.NOW) {
      draft.beginPeriod(schedule, true);
    } else if (draft.period().schedule() != null) {
      draft.changeAtBoundary(schedule);
    } else if (schedule != null) {
      draft.beginPeriod(schedule, draft.isUnfunded(schedule));
    } else {
      return Ledger.Result.refused(Refusal.NO_SCHEDULE);
    }
    return Ledger.Result.of(new Outcome.Changed(draft.policy().generation(), draft.version()));
  }

  private static Ledger.Result changed(LedgerDraft draft, AccountPolicy policy) {
    draft.policy(policy);
    return Ledger.Result.of(new Outcome.Changed(policy.generation(), draft.version()));
  }

  /**
   * A change to what already is: a version and a receipt of its own, but no new policy generation.
   */
  private static Ledger.Result unchanged(LedgerDraft draft) {
    draft.touch();
    return Ledger.Result.of(new Outcome.Changed(draft.policy().generation(), draft.version()));
  }
}
