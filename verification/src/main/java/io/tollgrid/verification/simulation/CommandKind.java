package io.tollgrid.verification.simulation;

import io.tollgrid.ledger.LedgerCommand;

/** The kinds of ledger commands, as rows of the coverage table. */
enum CommandKind {
  CREATE,
  DEPOSIT,
  CREDIT,
  SET_SCHEDULE,
  SET_STATUS,
  SET_CLASS,
  SET_TERMS,
  ACQUIRE,
  CONSOLIDATE,
  RETURN,
  RENEW,
  RELEASE,
  RECORD_USAGE,
  RECLAIM,
  CROSS;

  /** The kind of a command. */
  static CommandKind of(LedgerCommand command) {
    if (command instanceof LedgerCommand.OperatorCommand operator) {
      return ofOperator(operator);
    }
    if (command instanceof LedgerCommand.Acquire) {
      return ACQUIRE;
    }
    if (command instanceof LedgerCommand.Consolidate) {
      return CONSOLIDATE;
    }
    if (command instanceof LedgerCommand.Return) {
      return RETURN;
    }
    if (command instanceof LedgerCommand.Renew) {
      return RENEW;
    }
    if (command instanceof LedgerCommand.Release) {
      return RELEASE;
    }
    if (command instanceof LedgerCommand.RecordUsage) {
      return RECORD_USAGE;
    }
    return command instanceof LedgerCommand.Reclaim ? RECLAIM : CROSS;
  }

  private static CommandKind ofOperator(LedgerCommand.OperatorCommand command) {
    if (command instanceof LedgerCommand.Create) {
      return CREATE;
    }
    if (command instanceof LedgerCommand.Deposit) {
      return DEPOSIT;
    }
    if (command instanceof LedgerCommand.Credit) {
      return CREDIT;
    }
    if (command instanceof LedgerCommand.SetSchedule) {
      return SET_SCHEDULE;
    }
    if (command instanceof LedgerCommand.SetStatus) {
      return SET_STATUS;
    }
    return command instanceof LedgerCommand.SetCapacityClass ? SET_CLASS : SET_TERMS;
  }
}
