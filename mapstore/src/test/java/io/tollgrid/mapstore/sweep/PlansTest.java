package io.tollgrid.mapstore.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.tollgrid.ledger.Id128;
import io.tollgrid.mapstore.database.LedgerDataSources;
import io.tollgrid.mapstore.load.LoadPlan;
import io.tollgrid.mapstore.testing.TestPostgres;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Witnesses R19: a sweep's batch and a load read an index range of their own size, however long the
 * history and the backlog are, oldest due first, exact to the nanosecond.
 */
class PlansTest {
  private static final int BACKLOG = 20_000;
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
        explain(DueAccounts.LEASES.replaceFirst("\\?", "20000").replaceFirst("\\?", "50"));

    assertThat(plan).contains("lease_due").doesNotContain("Seq Scan").doesNotContain("Sort");
    assertThat(blocks(plan)).isLessThan(120);
  }

  @Test
  void dueBoundariesAreReadFromTheirIndex() throws SQLException {
    final String plan =
        explain(DueAccounts.BOUNDARIES.replaceFirst("\\?", "50000").replaceFirst("\\?", "50"));

    assertThat(plan).contains("account_due").doesNotContain("Seq Scan").doesNotContain("Sort");
    assertThat(blocks(plan)).isLessThan(120);
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
      final DueAccounts due = new DueAccounts(sources.control());

      assertThat(due.withDueLeases(10, 10)).isEmpty();
      assertThat(due.withDueLeases(11, 10)).containsExactly(account(2));
      assertThat(due.withDueLeases(12, 10)).containsExactly(account(2));
      assertThat(due.withDueLeases(13, 10)).containsExactly(account(2), account(4));
      assertThat(due.withDueLeases(Long.MAX_VALUE, 2)).isEqualTo(Set.of(account(2), account(4)));
      assertThat(due.withDueBoundaries(1_000, 10)).isEmpty();
      assertThat(due.withDueBoundaries(1_003, 2)).containsExactly(account(1), account(2));
    }
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

  /** Blocks the whole statement touched: the first line that counts them. */
  private static long blocks(String plan) {
    final Matcher matcher = BLOCKS.matcher(plan);
    assertThat(matcher.find()).isTrue();
    return Long.parseLong(matcher.group(1))
        + (matcher.group(2) == null ? 0 : Long.parseLong(matcher.group(2)));
  }
}
