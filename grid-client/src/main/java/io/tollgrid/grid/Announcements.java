package io.tollgrid.grid;

import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.LedgerCommand;
import io.tollgrid.ledger.LedgerRequest;
import io.tollgrid.ledger.Outcome;
import java.util.List;

/** What an answer of a ledger is to others who use the account (R18, R55). */
final class Announcements {
  private Announcements() {}

  /** The changes to send word of. */
  static List<Change> of(LedgerRequest request, LedgerAnswer answer) {
    final Id128 account = request.account();
    final Outcome outcome = answer.outcome();
    if (outcome instanceof Outcome.Funded funded) {
      return List.of(new Change.FundingRaised(account, funded.version()));
    }
    if (outcome instanceof Outcome.Crossed crossed) {
      return List.of(new Change.FundingRaised(account, crossed.version()));
    }
    if (outcome instanceof Outcome.Changed changed) {
      return request.command() instanceof LedgerCommand.SetSchedule
          ? List.of(new Change.FundingRaised(account, changed.version()))
          : List.of(new Change.AccountChanged(account));
    }
    if (outcome instanceof Outcome.Stepped stepped
        && stepped.receipt().restoredUnits() > 0
        && answer.recall() != null) {
      return List.of(new Change.FundingRaised(account, answer.version()));
    }
    return List.of();
  }
}
