package io.tollgrid.verification.faults.check;

import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.LedgerCommand;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The violations found on one account so far. Used by one thread. */
final class Findings {
  private final Id128 account;
  private final List<Violation> violations = new ArrayList<>();

  Findings(Id128 account) {
    this.account = account;
  }

  void add(Violation.Kind kind, @Nullable LedgerCommand command, String expected, String found) {
    violations.add(
        new Violation(
            kind, account, command == null ? null : Violation.name(command), expected, found));
  }

  List<Violation> all() {
    return List.copyOf(violations);
  }
}
