package io.tollgrid.verification.simulation;

import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.LedgerCommand;
import io.tollgrid.ledger.Outcome;
import java.util.ArrayList;
import java.util.List;

/** The operators and sweepers: clients that want nothing but their answer. */
final class Operators {
  private final Fleet fleet;
  private final List<List<LedgerCommand.OperatorCommand>> applied = new ArrayList<>();
  private long numbers;

  Operators(Fleet fleet) {
    this.fleet = fleet;
    for (int account = 0; account < Scale.ACCOUNTS; account++) {
      applied.add(new ArrayList<>());
    }
  }

  Id128 nextId() {
    return Ids.command(0, ++numbers);
  }

  /** Operator commands of an account that are known to have taken effect, oldest first. */
  List<LedgerCommand.OperatorCommand> applied(int account) {
    return applied.get(account);
  }

  boolean ask(int lane, int account, LedgerCommand command) {
    final CallSlot slot = fleet.slot(lane, account);
    if (!slot.idle()) {
      return false;
    }
    slot.submit(
        command,
        new LedgerCall.Caller() {
          @Override
          public void answered(Outcome outcome) {
            if (outcome instanceof Outcome.Applied
                && command instanceof LedgerCommand.OperatorCommand operator) {
              applied(account).add(operator);
            }
          }

          @Override
          public void gaveUp(boolean mayHaveHappened) {
            // An operator looks at the account and decides anew.
          }
        });
    return true;
  }
}
