package io.tollgrid.ledger;

import org.jspecify.annotations.Nullable;

/**
 * Finds out whether a command took effect before, from the entry or from the rows attached to it,
 * and answers it with its original receipt (R16). Looked at before any refusal; what is not found
 * here is assumed absent, which the store checks.
 */
final class Replays {
  private Replays() {}

  /** The original receipt, a conflict, or null if the command is new as far as is known. */
  static @Nullable Outcome find(@Nullable AccountLedger before, Attempt attempt) {
    final LedgerCommand command = attempt.request().command();
    if (command instanceof LedgerCommand.OperatorCommand operator) {
      return operatorCommand(attempt, operator);
    }
    if (command instanceof LedgerCommand.Acquire acquire) {
      return grant(before, attempt, acquire.leaseId());
    }
    if (command instanceof LedgerCommand.Consolidate consolidate) {
      return grant(before, attempt, consolidate.leaseId());
    }
    if (command instanceof LedgerCommand.RecordUsage usage) {
      return UsageRecording.allOnRecord(usage.events(), attempt::ownRow);
    }
    if (command instanceof LedgerCommand.LeaseStepCommand step && before != null) {
      return step(before, attempt, step);
    }
    return null;
  }

  private static @Nullable Outcome operatorCommand(
      Attempt attempt, LedgerCommand.OperatorCommand command) {
    final StoredRow row = attempt.ownRow(new RowKey.CommandKey(command.commandId()));
    if (row == null) {
      return null;
    }
    final StoredRow.CommandRow earlier = (StoredRow.CommandRow) row;
    return earlier.bodyHash().equals(LedgerCodec.bodyHash(attempt.request()))
        ? earlier.outcome()
        : Outcome.Refused.because(Refusal.CONFLICT);
  }

  private static @Nullable Outcome grant(
      @Nullable AccountLedger before, Attempt attempt, Id128 leaseId) {
    Lease lease = before == null ? null : before.lease(leaseId);
    if (lease == null) {
      if (!attempt.request().rows().containsKey(new RowKey.LeaseKey(leaseId))) {
        attempt.restOn(new RowKey.LeaseKey(leaseId), null);
        return null;
      }
      lease = attempt.leaseRow(leaseId);
      if (lease == null) {
        return null;
      }
    }
    return lease.bodyHash().equals(LedgerCodec.bodyHash(attempt.request()))
        ? new Outcome.Granted(
            lease.id(), lease.fence(), lease.granted(), lease.firstExpiresAtNanos(), 0, null)
        : Outcome.Refused.because(Refusal.CONFLICT);
  }

  /** Needs the lease's row if the entry does not hold it: only that tells which step was last. */
  private static @Nullable Outcome step(
      AccountLedger before, Attempt attempt, LedgerCommand.LeaseStepCommand command) {
    final Lease resident = before.lease(command.leaseId());
    final Lease lease = resident != null ? resident : attempt.leaseRow(command.leaseId());
    final LeaseStep last = lease == null ? null : lease.lastStep();
    if (lease == null
        || last == null
        || lease.fence() != command.fence()
        || last.number() < command.step()) {
      return null;
    }
    if (last.number() > command.step()) {
      return Outcome.Refused.because(Refusal.STEP_SUPERSEDED);
    }
    return last.kind() == kindOf(command) && last.argument() == argumentOf(command)
        ? new Outcome.Stepped(lease.id(), last)
        : Outcome.Refused.because(Refusal.CONFLICT);
  }

  static LeaseStep.Kind kindOf(LedgerCommand.LeaseStepCommand command) {
    if (command instanceof LedgerCommand.Return) {
      return LeaseStep.Kind.RETURN;
    }
    return command instanceof LedgerCommand.Renew ? LeaseStep.Kind.RENEW : LeaseStep.Kind.RELEASE;
  }

  static long argumentOf(LedgerCommand.LeaseStepCommand command) {
    if (command instanceof LedgerCommand.Return back) {
      return back.units();
    }
    return command instanceof LedgerCommand.Renew renew
        ? renew.ttlNanos()
        : ((LedgerCommand.Release) command).unspentUnits();
  }
}
