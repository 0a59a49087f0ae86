package io.tollgrid.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.Outcome;
import io.tollgrid.node.testing.LedgerTalk;
import io.tollgrid.node.testing.TestCluster;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Witnesses that one member serves ledgers, and that its table in SQL shows them. */
class SingleNodeTest {
  @Test
  void oneMemberServesLedgersAndShowsThemInSql() {
    try (TestCluster cluster = TestCluster.of(1).start()) {
      final LedgerTalk talk = new LedgerTalk(cluster.remoteClient());
      final Id128 account = talk.account(1_000);
      final Outcome.Granted lease = talk.acquire(account, 100);
      assertThat(lease.units()).isEqualTo(100);

      final List<String> rows = new ArrayList<>();
      try (var result =
          cluster.remote().getSql().execute("SELECT __key, top_up, outstanding FROM ledgers")) {
        result.forEach(
            row -> rows.add(row.getObject(0) + " " + row.getObject(1) + " " + row.getObject(2)));
      }
      assertThat(rows).containsExactly(account.toHex() + " 900 100");
    }
  }
}
