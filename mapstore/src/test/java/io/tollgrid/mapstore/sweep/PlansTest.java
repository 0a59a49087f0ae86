package io.tollgrid.mapstore.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.tollgrid.ledger.Id128;
import io.tollgrid.mapstore.database.LedgerDataSources;
import io.tollgrid.mapstore.database.SessionSettings;
import io.tollgrid.mapstore.load.LoadPlan;
import io.tollgrid.mapstore.testing.TestPostgres;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Witnesses R14 and R19: a sweep's batch and a load read an index range of their own size, however
 * long the history and the backlog are, oldest due first, exact to the nanosecond.
 */
class PlansTest {
  private static final int BACKLOG = 20_000;

  /** A row is read from its table and found through a few levels of an index. */
  private static final int BLOCKS_PER_ROW = 3;

  private static final Pattern BLOCKS = Pattern.compile("shared hit=(\\d+)(?: read=(\\d+))?");

  private static TestPostgres database;

  /** Twenty accounts, each with a long history of settled leases and its share of the backlog. */
  @BeforeAll
  static void open() throws SQLException {
    database = TestPostgres.migrated();
    database.execute(
        "ALTER TABLE lease DISABLE TRIGGER lease_sums_agree",
        "ALTER TABLE account DISABLE TRIGGER account_lease_sums_agree",
        "INSERT INTO account (id, version, as_of, policy_generation, status, capacity_class, mode, overage_cap,"
            + " requests_per_second, burst_requests, units_per_second, burst_units, concurrency_ceiling,"
            + " ever_elastic, period_number, period_end, schedule_kind, schedule_zone, schedule_anchor_day,"
            + " schedule_amount, change_pending, funded_day, funded_week, funded_month)"
            + " SELECT lpad(to_hex(n), 32, '0')::uuid, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, false, 1, 1000 + n, 0, 'UTC', 1,"
            + " 1, false, 0, 0, 0 FROM generate_series(1, "
            + BACKLOG
            + ") n",
        "INSERT INTO lease (account, id, holder, fence, body_hash, period_number, granted_allowance, granted_top_up,"
            + " billed, state, first_expires_at, expires_at, grace)"
            + " SELECT lpad(to_hex(n % 20 + 1), 32, '0')::uuid, lpad(to_hex(n), 32, '0')::uuid,"
            + " lpad(to_hex(n), 32, '0')::uuid, n, lpad(to_hex(n), 32, '0')::uuid, 1, 5, 0,"
            + " CASE WHEN n % 2 = 0 THEN 5 ELSE 0 END, CASE WHEN n % 2 = 0 THEN 3 ELSE 0 END, n, n, 10"
            + " FROM generate_series(1, "
            + BACKLOG
            + ") n",
        "VACUUM ANALYZE account, lease");
  }

  @AfterAll
  static void close() {
    database.close();
  }

  @Test
  void dueLeasesAreReadFromTheirIndex() throws SQLException {
    final String plan =
        explainGeneric(
            DueAccounts.LEASES, "bigint, bigint, uuid, uuid, int", "20000, 9000, %s, %s, 50");

    assertThat(plan).contains("lease_due").doesNotContain("Seq Scan").doesNotContain("Sort");
    assertThat(plan).contains("rows=50");
    assertThat(blocks(plan)).isLessThan(50 * BLOCKS_PER_ROW);
  }

  @Test
  void dueBoundariesAreReadFromTheirIndex() throws SQLException {
    final String plan =
        explainGeneric(DueAccounts.BOUNDARIES, "bigint, bigint, uuid, int", "6000, 4000, %s, 50");

    assertThat(plan).contains("account_due").doesNotContain("Seq Scan").doesNotContain("Sort");
    assertThat(plan).contains("rows=50");
    assertThat(blocks(plan)).isLessThan(50 * BLOCKS_PER_ROW);
  }

  @Test
  void aLoadReadsResidentLeasesOnly() throws SQLException {
    final String plan =
        explain(LoadPlan.SQL.replaceFirst("\\?::uuid\\[\\]", "'{" + id(20_000) + "}'::uuid[]"));

    assertThat(plan).contains("lease_resident").contains("account_pkey").doesNotContain("Seq Scan");
    assertThat(blocks(plan)).isLessThan(20);
  }

  @Test
  void theOldestDueComeFirstToTheNanosecond() throws SQLException {
    try (LedgerDataSources sources = database.dataSources()) {
      final DueAccounts due = new DueAccounts(sources.sweeps());

      assertThat(leases(due, 10, 10)).isEmpty();
      assertThat(leases(due, 11, 10)).containsExactly(account(2));
      assertThat(leases(due, 12, 10)).containsExactly(account(2));
      assertThat(leases(due, 13, 10)).containsExactly(account(2), account(4));
      assertThat(leases(due, Long.MAX_VALUE, 2)).containsExactly(account(2), account(4));
      assertThat(boundaries(due, 1_000, 10)).isEmpty();
      assertThat(boundaries(due, 1_001, 10)).containsExactly(account(1));
      assertThat(boundaries(due, 1_003, 2)).containsExactly(account(1), account(2));
    }
  }

  @Test
  void pagesContinueWhereTheOneBeforeEndedAndOmitNothing() throws SQLException {
    try (LedgerDataSources sources = database.dataSources()) {
      final DueAccounts due = new DueAccounts(sources.sweeps());

      final DuePage first = due.withDueBoundaries(1_005, DueCursor.START, 2);
      final DuePage second = due.withDueBoundaries(1_005, first.next().orElseThrow(), 2);
      final DuePage third = due.withDueBoundaries(1_005, second.next().orElseThrow(), 2);
      assertThat(first.first()).contains(DueCursor.of(1_001, account(1)));
      assertThat(second.accounts()).containsExactly(account(3), account(4));
      assertThat(third.accounts()).containsExactly(account(5));
      assertThat(third.next()).isEmpty();
    }
  }

  @Test
  void aPageEndsAmongLeasesThatAreDueAtOneInstant() throws SQLException {
    try (TestPostgres crowd = TestPostgres.migrated();
        LedgerDataSources sources = crowd.dataSources()) {
      crowd.execute(
          "ALTER TABLE lease DISABLE TRIGGER lease_sums_agree",
          "INSERT INTO lease (account, id, holder, fence, body_hash, period_number, granted_allowance,"
              + " granted_top_up, state, first_expires_at, expires_at, grace)"
              + " SELECT lpad(to_hex(n / 2), 32, '0')::uuid, lpad(to_hex(n), 32, '0')::uuid,"
              + " lpad(to_hex(n), 32, '0')::uuid, n, lpad(to_hex(n), 32, '0')::uuid, 1, 5, 0, 0, 7, 7, 3"
              + " FROM generate_series(2, 9) n");
      final DueAccounts due = new DueAccounts(sources.sweeps());

      final DuePage first = due.withDueLeases(10, DueCursor.START, 3);
      final DuePage second = due.withDueLeases(10, first.next().orElseThrow(), 5);
      final DuePage third = due.withDueLeases(10, second.next().orElseThrow(), 5);
      assertThat(first.accounts()).containsExactly(account(1), account(2));
      assertThat(second.accounts()).containsExactly(account(2), account(3), account(4));
      assertThat(third).isEqualTo(DuePage.EMPTY);
    }
  }

  private static List<Id128> leases(DueAccounts due, long cutoff, int limit) throws SQLException {
    return due.withDueLeases(cutoff, DueCursor.START, limit).accounts();
  }

  private static List<Id128> boundaries(DueAccounts due, long cutoff, int limit)
      throws SQLException {
    return due.withDueBoundaries(cutoff, DueCursor.START, limit).accounts();
  }

  private static Id128 account(int n) {
    return new Id128(0, n);
  }

  private static String id(int n) {
    return new Id128(0, n).toUuid().toString();
  }

  private static String explain(String sql) throws SQLException {
    final List<String> lines = database.query("EXPLAIN (ANALYZE, BUFFERS, COSTS off) " + sql);
    return String.join("\n", lines);
  }

  /** The plan of a statement that is planned for whatever its parameters may be. */
  private static String explainGeneric(String sql, String types, String arguments)
      throws SQLException {
    final String zero = "'" + id(0) + "'";
    final StringBuilder prepared = new StringBuilder(sql);
    for (int n = 1, at = prepared.indexOf("?"); at >= 0; at = prepared.indexOf("?"), n++) {
      prepared.replace(at, at + 1, "$" + n);
    }
    final StringBuilder plan = new StringBuilder();
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement()) {
      statement.execute(SessionSettings.LOADS.sql());
      statement.execute("PREPARE page (" + types + ") AS " + prepared);
      try (ResultSet lines =
          statement.executeQuery(
              "EXPLAIN (ANALYZE, BUFFERS, COSTS off) EXECUTE page ("
                  + arguments.replace("%s", zero)
                  + ")")) {
        while (lines.next()) {
          plan.append(lines.getString(1)).append('\n');
        }
      }
    }
    return plan.toString();
  }

  /** Blocks the whole statement touched: the first line that counts them. */
  private static long blocks(String plan) {
    final Matcher matcher = BLOCKS.matcher(plan);
    assertThat(matcher.find()).isTrue();
    return Long.parseLong(matcher.group(1))
        + (matcher.group(2) == null ? 0 : Long.parseLong(matcher.group(2)));
  }
}
