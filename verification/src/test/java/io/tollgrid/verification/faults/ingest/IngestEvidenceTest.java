package io.tollgrid.verification.faults.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import io.tollgrid.ledger.LedgerLimits;
import io.tollgrid.mapstore.database.LedgerDataSources;
import io.tollgrid.mapstore.testing.TestPostgres;
import io.tollgrid.verification.faults.check.Violation;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Witnesses, on a real PostgreSQL, that accounts are founded with the leases their usage names, and
 * that a row which somebody altered is found (R20).
 */
@Tag("slow")
class IngestEvidenceTest {
  private static final long NOW_MILLIS = 1_790_000_000_000L;
  private static final LedgerLimits DEFAULTS = LedgerLimits.DEFAULTS;
  private static final LedgerLimits LIMITS =
      new LedgerLimits(
          Duration.ofHours(24).toNanos(),
          DEFAULTS.graceNanos(),
          DEFAULTS.maxActiveLeases(),
          DEFAULTS.settledKept(),
          DEFAULTS.lossKept(),
          DEFAULTS.stragglerHorizonNanos(),
          DEFAULTS.requestIdHorizonNanos(),
          DEFAULTS.requestIdAheadNanos(),
          DEFAULTS.maxReclaimed(),
          DEFAULTS.recallNanos());

  private final UsagePlan plan = new UsagePlan(5, 1_000, 8, NOW_MILLIS);
  private final HonestIngest run = new HonestIngest(plan);
  @TempDir private Path directory;
  private List<Path> files = List.of();
  private TestPostgres database;
  private LedgerDataSources sources;

  @BeforeEach
  void open() throws SQLException {
    database = TestPostgres.migrated();
    // Else the database itself would refuse what is falsified here.
    database.execute(
        "ALTER TABLE lease DISABLE TRIGGER lease_sums_agree",
        "ALTER TABLE account DISABLE TRIGGER account_lease_sums_agree");
    sources = database.dataSources();
    files = run.files(directory);
  }

  @AfterEach
  void close() {
    sources.close();
    database.close();
  }

  @Test
  void whatIsStoredIsWhatIsJudged() throws SQLException {
    try (Connection connection = sources.control().getConnection()) {
      UsageAccounts.found(plan, LIMITS, connection, TimeUnit.MILLISECONDS.toNanos(NOW_MILLIS));
      bill(connection);
      write(connection);
      connection.commit();
    }

    assertThat(judge()).isEmpty();
    final String first = "ctid = (SELECT min(ctid) FROM ";
    falsify("UPDATE usage_request SET units = units + 1 WHERE " + first + "usage_request)");
    falsify("UPDATE usage_request SET sequence = sequence + 1 WHERE " + first + "usage_request)");
    falsify("UPDATE usage_request SET verdict = 3 - verdict WHERE " + first + "usage_request)");
    falsify("DELETE FROM usage_request WHERE " + first + "usage_request)");
    falsify("DELETE FROM usage_event WHERE " + first + "usage_event)");
    falsify("INSERT INTO usage_event SELECT * FROM usage_event LIMIT 1");
    falsify("UPDATE usage_rejected SET verdict = 11 WHERE verdict = 5");
    falsify("DELETE FROM usage_rejected WHERE " + first + "usage_rejected)");
    falsify("UPDATE account SET unfunded = unfunded + 1");
    falsify("UPDATE account SET overage = overage + 1, billed = billed + 1");
    falsify("UPDATE lease SET billed = billed + 1 WHERE state = 0");
    falsify("DELETE FROM lease WHERE fence = 1");
    assertThat(judge()).isEmpty();
  }

  /** Alters something for as long as it takes to be found. */
  private void falsify(String sql) throws SQLException {
    try (Connection connection = sources.control().getConnection()) {
      final int changed;
      try (PreparedStatement statement = connection.prepareStatement(sql)) {
        changed = statement.executeUpdate();
      }
      assertThat(changed).as(sql).isPositive();
      final IngestCheck check = new IngestCheck(plan, files);
      IngestEvidence.show(connection, check);
      assertThat(check.finish()).as(sql).isNotEmpty();
      connection.rollback();
    }
  }

  private List<Violation> judge() throws SQLException {
    final IngestCheck check = new IngestCheck(plan, files);
    try (Connection connection = sources.control().getConnection()) {
      IngestEvidence.show(connection, check);
      connection.rollback();
    }
    return check.finish();
  }

  private void bill(Connection connection) throws SQLException {
    for (int account = 0; account < plan.accounts(); account++) {
      final String id = "'" + plan.account(account).toUuid() + "'";
      final long leased = run.leasedUnits[account];
      final long straggled = run.straggledUnits[account];
      final long overage = run.overageUnits[account];
      for (final String sql :
          List.of(
              "UPDATE account SET billed = %d, unfunded = %d, overage = %d,"
                      .formatted(run.billedUnits[account], run.unfundedUnits[account], overage)
                  + " outstanding = outstanding - %d, loss_resident = loss_resident - %d"
                      .formatted(leased, straggled)
                  + " WHERE id = "
                  + id,
              "UPDATE lease SET billed = " + leased + " WHERE fence = 2 AND account = " + id,
              "UPDATE lease SET billed = %d, loss = loss - %d".formatted(straggled, straggled)
                  + " WHERE fence = 1 AND account = "
                  + id)) {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
          assertThat(statement.executeUpdate()).isEqualTo(1);
        }
      }
    }
  }

  private void write(Connection connection) throws SQLException {
    for (final StoredUsage row : run.accepted) {
      insert(
          connection,
          "usage_request (account, request_id, part, writer, sequence, verdict, units)",
          row);
    }
    for (final StoredUsage row : run.billed) {
      insert(
          connection,
          "usage_event (account, request_id, part, writer, sequence, verdict, units, month,"
              + " recorded_at, version, kind, period_number, role, funding, requests,"
              + " occurred_at)",
          row,
          202_612,
          1L,
          1L,
          0,
          0L,
          0,
          1,
          1L,
          1L);
    }
    for (final StoredUsage row : run.rejected) {
      insert(
          connection,
          "usage_rejected (account, request_id, part, writer, sequence, verdict, units,"
              + " recorded_at, version, period_number, role, funding, requests, occurred_at)",
          row,
          1L,
          1L,
          0L,
          0,
          1,
          1L,
          1L);
    }
  }

  private static void insert(Connection connection, String table, StoredUsage row, Object... more)
      throws SQLException {
    final String sql =
        "INSERT INTO " + table + " VALUES (?, ?, ?, ?, ?, ?, ?" + ", ?".repeat(more.length) + ")";
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      final Object[] columns = {
        row.account().toUuid(),
        row.requestId().toUuid(),
        row.part(),
        row.writer().toUuid(),
        row.sequence(),
        row.verdict(),
        row.units()
      };
      for (int i = 0; i < columns.length; i++) {
        statement.setObject(i + 1, columns[i]);
      }
      for (int i = 0; i < more.length; i++) {
        statement.setObject(columns.length + i + 1, more[i]);
      }
      statement.executeUpdate();
    }
  }
}
