package io.tollgrid.mapstore.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tollgrid.mapstore.database.LedgerDataSources;
import io.tollgrid.mapstore.database.UnsafeDatabaseException;
import io.tollgrid.mapstore.testing.TestPostgres;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Witnesses R23 (month partitions ahead, an alarm on DEFAULT), R20 (ids beyond the horizon are
 * never taken again) and R42 (unsafe settings refused).
 */
class LedgerSchemaTest {
  private static final Duration HORIZON = Duration.ofDays(62);

  private static TestPostgres database;
  private static LedgerDataSources sources;
  private static LedgerSchema schema;

  @BeforeAll
  static void open() {
    database = TestPostgres.migrated();
    sources = database.dataSources();
    schema = new LedgerSchema(sources.control());
  }

  @AfterAll
  static void close() {
    sources.close();
    database.close();
  }

  @Test
  void preparingAgainChangesNothing() throws SQLException {
    final List<String> before = database.query("SELECT relname FROM pg_class ORDER BY 1");

    schema.prepare(TestPostgres.PARTITIONS, HORIZON);

    assertThat(database.query("SELECT relname FROM pg_class ORDER BY 1")).isEqualTo(before);
    assertThat(database.number("SELECT count(*) FROM ledger_partition"))
        .isEqualTo(TestPostgres.PARTITIONS);
  }

  @Test
  void twoNodesMayPrepareAnEmptyDatabaseAtOnce() throws Exception {
    try (TestPostgres empty = TestPostgres.empty();
        LedgerDataSources one = empty.dataSources();
        LedgerDataSources other = empty.dataSources()) {
      final CompletableFuture<Void> first = CompletableFuture.runAsync(() -> prepare(one));
      final CompletableFuture<Void> second = CompletableFuture.runAsync(() -> prepare(other));

      first.get();
      second.get();

      assertThat(empty.number("SELECT count(*) FROM ledger_partition")).isEqualTo(7);
    }
  }

  @Test
  void anotherPartitionCountIsRefused() {
    assertThatThrownBy(() -> schema.prepare(TestPostgres.PARTITIONS + 1, HORIZON))
        .isInstanceOf(UnsafeDatabaseException.class)
        .hasMessageContaining("made for 271 ledger partitions");
  }

  @Test
  void aDatabaseThatLosesWhatItAcknowledgedIsRefused() throws SQLException {
    final String name = database.query("SELECT current_database()").get(0);
    for (final String unsafe : List.of("off", "local")) {
      database.execute("ALTER DATABASE " + name + " SET synchronous_commit = " + unsafe);
      try (LedgerDataSources reopened = database.dataSources()) {
        assertThatThrownBy(() -> new LedgerSchema(reopened.control()).verifySettings())
            .isInstanceOf(UnsafeDatabaseException.class)
            .hasMessageContaining("synchronous_commit is " + unsafe + " and must be ");
      } finally {
        database.execute("ALTER DATABASE " + name + " RESET synchronous_commit");
      }
    }
  }

  @Test
  void threeMonthsAreReadyBeforeTheirRows() throws SQLException {
    for (int ahead = 0; ahead <= MonthPartitions.MONTHS_AHEAD; ahead++) {
      final String month =
          database
              .query(
                  "SELECT to_char(now() AT TIME ZONE 'UTC' + interval '"
                      + ahead
                      + " months', 'YYYYMM')")
              .get(0);
      for (final String table : List.of("journal", "usage_event", "usage_request")) {
        assertThat(database.query("SELECT to_regclass('" + table + "_" + month + "')::text"))
            .containsExactly(table + "_" + month);
      }
    }
  }

  @Test
  void aRequestIdFindsThePartitionOfItsOwnMonth() throws SQLException {
    database.execute(
        "INSERT INTO usage_request SELECT gen_random_uuid(), (lpad(to_hex((extract(epoch FROM now()) * 1000)::int8),"
            + " 12, '0') || '70008000000000000001')::uuid, 0, gen_random_uuid(), 1, 0, 1");

    assertThat(database.query("SELECT tableoid::regclass::text FROM usage_request"))
        .isEqualTo(
            database.query(
                "SELECT 'usage_request_' || to_char(now() AT TIME ZONE 'UTC', 'YYYYMM')"));
  }

  @Test
  void idsBeyondTheHorizonAreForgottenAndNeverTakenAgain() throws SQLException {
    try (TestPostgres old = TestPostgres.empty();
        LedgerDataSources other = old.dataSources()) {
      final LedgerSchema aged = new LedgerSchema(other.control());
      aged.prepare(7, Duration.ofDays(400));
      final String insert =
          "INSERT INTO usage_request SELECT gen_random_uuid(), (lpad(to_hex((extract(epoch FROM now()"
              + " - interval '%s days') * 1000)::int8), 12, '0') || '70008000000000000001')::uuid, 0,"
              + " gen_random_uuid(), 1, 0, 1";
      old.execute(insert.formatted(50), insert.formatted(300));
      assertThat(aged.monthPartitions().ensure(Duration.ofDays(400)).forgotten()).isEmpty();

      final List<String> forgotten =
          aged.monthPartitions().ensure(Duration.ofDays(100)).forgotten();

      assertThat(forgotten).hasSize(11).isSorted();
      assertThat(old.number("SELECT count(*) FROM usage_request")).isEqualTo(1);
      old.execute(insert.formatted(60));
      assertThatThrownBy(() -> old.execute(insert.formatted(300)))
          .hasMessageContaining("usage_request_not_forgotten");
      assertThat(aged.monthPartitions().ensure(Duration.ofDays(100)).forgotten()).isEmpty();
      aged.prepare(7, Duration.ofDays(100));
      assertThatThrownBy(() -> aged.prepare(7, Duration.ofDays(400)))
          .isInstanceOf(UnsafeDatabaseException.class)
          .hasMessageContaining("ledger.requestIdHorizon is 400 days");

      assertThat(aged.monthPartitions().ensure(Duration.ofDays(50)).forgotten())
          .as("what is forgotten grows")
          .isNotEmpty();
      assertThatThrownBy(() -> old.execute(insert.formatted(300)))
          .hasMessageContaining("usage_request_not_forgotten");
    }
  }

  @Test
  void aMonthThatIsInUseIsForgottenAnotherTime() throws SQLException {
    try (TestPostgres old = TestPostgres.empty();
        LedgerDataSources other = old.dataSources()) {
      final LedgerSchema aged = new LedgerSchema(other.control());
      aged.prepare(7, Duration.ofDays(400));
      try (Connection reader = other.control().getConnection();
          Statement reads = reader.createStatement()) {
        reads.execute("SELECT count(*) FROM usage_request");
        assertThat(aged.monthPartitions().ensure(Duration.ofDays(100)).forgotten()).isEmpty();
        reader.rollback();
      }
      assertThat(aged.monthPartitions().ensure(Duration.ofDays(100)).forgotten()).isNotEmpty();
    }
  }

  @Test
  void aRowWithoutAPartitionIsKeptAndTold() throws SQLException {
    final String month =
        database.query("SELECT to_char(now() AT TIME ZONE 'UTC', 'YYYYMM')").get(0);
    assertThat(schema.monthPartitions().defaultsInUse()).isEmpty();
    database.execute(
        "DROP TABLE usage_event_" + month,
        "INSERT INTO usage_event (month, recorded_at, account, version, kind, request_id, part, units, period_number,"
            + " command_id) VALUES ("
            + month
            + ", 1, gen_random_uuid(), 1, 1, gen_random_uuid(), 0, 5, 1, gen_random_uuid())");
    try {
      assertThat(schema.monthPartitions().defaultsInUse()).containsExactly("usage_event_default");
      assertThat(schema.monthPartitions().ensure(HORIZON).blocked())
          .containsExactly("usage_event_" + month);
    } finally {
      database.execute("TRUNCATE usage_event_default");
    }
    assertThat(schema.monthPartitions().ensure(HORIZON).created())
        .containsExactly("usage_event_" + month);
  }

  @Test
  void aTableInTheWayOfAMonthIsTold() throws SQLException {
    final String month =
        database.query("SELECT to_char(now() AT TIME ZONE 'UTC', 'YYYYMM')").get(0);
    database.execute(
        "DROP TABLE denial_minute_" + month, "CREATE TABLE denial_minute_" + month + " ()");

    assertThat(schema.monthPartitions().ensure(HORIZON).blocked())
        .containsExactly("denial_minute_" + month);

    database.execute("DROP TABLE denial_minute_" + month);
    assertThat(schema.monthPartitions().ensure(HORIZON).created())
        .containsExactly("denial_minute_" + month);
  }

  private static void prepare(LedgerDataSources sources) {
    try {
      new LedgerSchema(sources.control()).prepare(7, HORIZON);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
