package io.tollgrid.verification.faults.regression;

import io.tollgrid.ledger.store.Transition;
import io.tollgrid.mapstore.commit.CommitFaults;
import java.sql.SQLException;
import java.util.List;

/** Loses the confirmation of commits while it is told to. */
final class LostConfirmation implements CommitFaults {
  private volatile boolean losing;

  void lose(boolean confirmations) {
    losing = confirmations;
  }

  @Override
  public void afterCommit(List<Transition> batch) throws SQLException {
    if (losing) {
      throw new SQLException("the confirmation of a commit was lost on purpose");
    }
  }
}
