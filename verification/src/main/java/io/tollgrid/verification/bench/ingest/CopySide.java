package io.tollgrid.verification.bench.ingest;

import io.tollgrid.mapstore.database.PostgresAddress;
import io.tollgrid.verification.bench.ledger.Stopwatch;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * The peer: the rows of {@code usage_event}, exactly as the product wrote them, copied into a table
 * with the same columns, constraints and indexes, by one COPY of a file on the server. Nothing
 * looks for duplicates, and nothing travels.
 */
final class CopySide implements AutoCloseable {
  private final Connection connection;
  private final Statement statement;
  private final String file;

  CopySide(PostgresAddress database) throws SQLException {
    connection =
        DriverManager.getConnection(database.jdbcUrl(), database.user(), database.password());
    statement = connection.createStatement();
    try (ResultSet directory = statement.executeQuery("SELECT current_setting('data_directory')")) {
      directory.next();
      file = directory.getString(1) + "/bench.copy";
    }
  }

  /**
   * Rows per second of COPY.
   *
   * @param writer whose events are copied
   * @param rows how many of them there must be
   */
  double rowsPerSecond(String writer, long rows) throws SQLException {
    statement.execute("DROP TABLE IF EXISTS bench_usage");
    statement.execute("CREATE TABLE bench_usage (LIKE usage_event INCLUDING ALL)");
    final long exported =
        statement.executeLargeUpdate(
            "COPY (SELECT * FROM usage_event WHERE writer = '" + writer + "') TO '" + file + "'");
    if (exported != rows) {
      throw new IllegalStateException(exported + " rows were written, not " + rows);
    }
    final Stopwatch watch = Stopwatch.start();
    statement.execute("COPY bench_usage FROM '" + file + "'");
    return rows / watch.elapsedSeconds();
  }

  @Override
  public void close() throws SQLException {
    statement.close();
    connection.close();
  }
}
