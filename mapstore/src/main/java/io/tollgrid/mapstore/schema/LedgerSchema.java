package io.tollgrid.mapstore.schema;

import io.tollgrid.ledger.Id128;
import io.tollgrid.mapstore.database.DurableSettings;
import io.tollgrid.mapstore.database.UnsafeDatabaseException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes a database ready for ledgers, and refuses one that cannot be trusted with them.
 *
 * <p>Every node runs it at every start; nodes may run it at the same time. Blocks on PostgreSQL.
 */
public final class LedgerSchema {
  /** Where the migrations are. */
  public static final String MIGRATIONS = "classpath:db/migration";

  private static final Logger LOG = LoggerFactory.getLogger(LedgerSchema.class);
  private static final String PARTITION_COUNT = "partition_count";

  private final DataSource control;
  private final List<String> locations = new ArrayList<>(List.of(MIGRATIONS));

  /** Works through {@code control}. */
  public LedgerSchema(DataSource control) {
    this.control = control;
  }

  /** Also runs the migrations at {@code location}, for test profiles. */
  public LedgerSchema with(String location) {
    locations.add(location);
    return this;
  }

  /**
   * Does all of it, in order: settings, migrations, partition count, horizon, month partitions.
   *
   * @param partitionCount the grid's; recorded by the first start and the same ever after, because
   *     another count would put accounts under other partitions' fences
   * @param requestIdHorizon how old an accepted request id may be
   * @throws UnsafeDatabaseException if the settings, the partition count or the horizon forbid a
   *     start
   */
  public void prepare(int partitionCount, Duration requestIdHorizon) throws SQLException {
    verifySettings();
    migrate();
    requirePartitionCount(partitionCount);
    requireKnownIds(requestIdHorizon);
    final MonthPartitions.Ensured ensured = monthPartitions().ensure(requestIdHorizon);
    LOG.info(
        "the schema is ready: {} ledger partitions, {} month partitions new",
        partitionCount,
        ensured.created().size());
  }

  /** Refuses a server that would lose what it acknowledged. */
  public void verifySettings() throws SQLException {
    try (Connection connection = control.getConnection()) {
      DurableSettings.verify(connection);
      connection.commit();
    }
  }

  /** Runs the migrations that did not run yet. */
  public void migrate() {
    Flyway.configure()
        .dataSource(control)
        .locations(locations.toArray(String[]::new))
        // A database that ran a test profile's migrations stays usable without that profile.
        .ignoreMigrationPatterns("*:future", "repeatable:missing")
        .load()
        .migrate();
  }

  /** The month partitions of this database. */
  public MonthPartitions monthPartitions() {
    return new MonthPartitions(control);
  }

  /**
   * Records the count at the first start, and compares it at every other.
   *
   * @throws UnsafeDatabaseException if the database was made with another count
   */
  public void requirePartitionCount(int partitionCount) throws SQLException {
    if (partitionCount < 1) {
      throw new IllegalArgumentException(
          "a grid has at least one partition, not " + partitionCount);
    }
    try (Connection connection = control.getConnection()) {
      record(connection, partitionCount);
      final int recorded = recorded(connection);
      if (recorded != partitionCount) {
        throw new UnsafeDatabaseException(
            "this database was made for "
                + recorded
                + " ledger partitions; a grid with "
                + partitionCount
                + " would write under the wrong fences");
      }
      connection.commit();
    }
  }

  /**
   * Refuses a horizon that reaches back to ids that were forgotten under a shorter one: they would
   * be billed anew (R20).
   *
   * @throws UnsafeDatabaseException if it does
   */
  public void requireKnownIds(Duration requestIdHorizon) throws SQLException {
    try (Connection connection = control.getConnection();
        PreparedStatement statement =
            connection.prepareStatement(
                "SELECT value, (extract(epoch FROM clock_timestamp()) * 1000)::int8"
                    + " FROM ledger_settings WHERE name = ?")) {
      statement.setString(1, MonthPartitions.FIRST_REQUEST_ID);
      try (ResultSet row = statement.executeQuery()) {
        if (row.next()) {
          final long knownMillis = Months.unixMillisOf(Id128.parse(row.getString(1)));
          final Duration known = Duration.ofMillis(row.getLong(2) - knownMillis);
          if (requestIdHorizon.compareTo(known) > 0) {
            throw new UnsafeDatabaseException(
                "ledger.requestIdHorizon is "
                    + requestIdHorizon.toDays()
                    + " days, and request ids older than "
                    + known.toDays()
                    + " days were forgotten under a shorter one: they could be billed again");
          }
        }
      }
      connection.commit();
    }
  }

  private static void record(Connection connection, int partitionCount) throws SQLException {
    try (PreparedStatement setting =
            connection.prepareStatement(
                "INSERT INTO ledger_settings (name, value) VALUES (?, ?) ON CONFLICT DO NOTHING");
        PreparedStatement partitions =
            connection.prepareStatement(
                "INSERT INTO ledger_partition (id, fence) SELECT p, 0"
                    + " FROM generate_series(0, ? - 1) p")) {
      setting.setString(1, PARTITION_COUNT);
      setting.setString(2, Integer.toString(partitionCount));
      if (setting.executeUpdate() == 1) {
        partitions.setInt(1, partitionCount);
        partitions.executeUpdate();
      }
    }
  }

  private static int recorded(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT value FROM ledger_settings WHERE name = '" + PARTITION_COUNT + "'")) {
      if (!row.next()) {
        throw new SQLException("the partition count vanished while it was read");
      }
      return Integer.parseInt(row.getString(1));
    }
  }
}
