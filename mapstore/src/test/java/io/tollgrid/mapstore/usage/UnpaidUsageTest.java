package io.tollgrid.mapstore.usage;

import static org.assertj.core.api.Assertions.assertThat;

import io.tollgrid.ledger.Funding;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.Outcome;
import io.tollgrid.ledger.UsageVerdict;
import io.tollgrid.mapstore.testing.Commands;
import io.tollgrid.mapstore.testing.PostgresLedger;
import io.tollgrid.mapstore.testing.TestPostgres;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Witnesses R9 and R20: what nobody paid for is seen, by verdict, for as long as it is recent. */
class UnpaidUsageTest {
  private static final Duration HOUR = Duration.ofHours(1);

  @Test
  void recentEventsAreCountedByTheirVerdict() throws SQLException {
    try (TestPostgres database = TestPostgres.migrated();
        PostgresLedger ledger = PostgresLedger.over(database)) {
      ledger.takeOver();
      final UnpaidUsage unpaid = new UnpaidUsage(ledger.sources().sweeps());
      final Commands commands = new Commands();
      final long now =
          database.number("SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::int8") * 1_000;
      final Id128 account = commands.nextId();
      ledger.submit(account, commands.create(), now);
      ledger.submit(account, commands.deposit(100), now);
      final Outcome.Granted lease =
          (Outcome.Granted) ledger.submit(account, commands.acquire(10), now);
      ledger.submit(
          account, commands.record(commands.leased(lease.leaseId(), lease.fence(), 5, now)), now);
      assertThat(unpaid.within(HOUR)).isEmpty();

      ledger.submit(
          account,
          commands.record(
              commands.leased(lease.leaseId(), lease.fence(), 6, now),
              commands.leased(commands.nextId(), 99, 1, now),
              commands.leased(commands.nextId(), 98, 1, now),
              commands.event(new Funding.Unfunded(), 7, now)),
          now);

      assertThat(unpaid.within(HOUR))
          .isEqualTo(
              Map.of(
                  UsageVerdict.BEYOND_LEASE, 1L,
                  UsageVerdict.NO_SUCH_LEASE, 2L,
                  UsageVerdict.UNFUNDED, 1L));
      database.execute(
          "UPDATE usage_rejected SET recorded_at = recorded_at - 3600000000000 WHERE verdict = 5",
          "UPDATE usage_event SET recorded_at = recorded_at - 3600000000000 WHERE verdict = 3");
      assertThat(unpaid.within(HOUR)).isEqualTo(Map.of(UsageVerdict.BEYOND_LEASE, 1L));
    }
  }

  @Test
  void itIsFoundThroughIndexes() throws SQLException {
    final StringBuilder plan = new StringBuilder();
    try (TestPostgres database = TestPostgres.migrated();
        Connection connection = database.connect();
        Statement statement = connection.createStatement()) {
      statement.execute("SET enable_seqscan = off");
      try (ResultSet line =
          statement.executeQuery(
              "EXPLAIN " + UnpaidUsage.COUNT.replace("?", Long.toString(HOUR.toNanos())))) {
        while (line.next()) {
          plan.append(line.getString(1)).append('\n');
        }
      }
    }
    assertThat(plan.toString())
        .contains("usage_rejected_recorded")
        .contains("recorded_at_idx")
        .doesNotContain("Seq Scan");
  }
}
