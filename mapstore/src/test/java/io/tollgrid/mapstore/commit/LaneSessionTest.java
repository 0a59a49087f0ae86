package io.tollgrid.mapstore.commit;

import static org.assertj.core.api.Assertions.assertThat;

import io.tollgrid.mapstore.database.LedgerDataSources;
import io.tollgrid.mapstore.database.SessionSettings;
import io.tollgrid.mapstore.testing.TestPostgres;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Witnesses R24: lanes of all members raise rows of their own. */
@Timeout(60)
class LaneSessionTest {
  @Test
  void noTwoLanesOfAnyMemberHaveOneNumberWhileBothLive() throws SQLException {
    try (TestPostgres database = TestPostgres.migrated();
        LedgerDataSources here = database.dataSources();
        LedgerDataSources there = database.dataSources()) {
      final Set<Integer> numbers = new HashSet<>();
      final LaneSession first = open(here);
      final LaneSession second = open(there);
      final LaneSession third = open(here);
      numbers.add(first.number());
      numbers.add(second.number());
      numbers.add(third.number());
      assertThat(numbers).hasSize(3);

      second.discard();
      third.close();
      first.open();
      assertThat(numbers).contains(first.number());
      first.close();
    }
  }

  private static LaneSession open(LedgerDataSources sources) throws SQLException {
    final LaneSession session = new LaneSession(sources.committers(), SessionSettings.COMMITTER);
    session.open();
    return session;
  }
}
