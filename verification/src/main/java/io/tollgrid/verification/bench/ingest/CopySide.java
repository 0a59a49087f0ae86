package io.tollgrid.verification.bench.ingest;

import io.tollgrid.mapstore.database.PostgresAddress;
import io.tollgrid.verification.bench.ledger.Stopwatch;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyManager;

/**
 * The peer: the rows of {@code usage_event}, exactly as the product wrote them, copied by a client
 * into a table with the same columns, constraints and indexes, in one COPY. Nothing looks for
 * duplicates.
 */
final class CopySide implements AutoCloseable {
  private final Connection connection;
  private final Statement statement;
  private final CopyManager copy;
  private final Path file;

  CopySide(PostgresAddress database) throws SQLException, IOException {
    file = Files.createTempFile("tollgrid-bench", ".copy");
    connection =
        DriverManager.getConnection(database.jdbcUrl(), database.user(), database.password());
    statement = connection.createStatement();
    copy = connection.unwrap(PGConnection.class).getCopyAPI();
  }

  /**
   * Rows per second of COPY.
   *
   * @param writer whose events are copied
   * @param rows how many of them there must be
   */
  double rowsPerSecond(String writer, long rows) throws SQLException, IOException {
    statement.execute("DROP TABLE IF EXISTS bench_usage");
    statement.execute("CREATE TABLE bench_usage (LIKE usage_event INCLUDING ALL)");
    try (OutputStream out = Files.newOutputStream(file)) {
      requireRows(rows, copy.copyOut("COPY " + eventsOf(writer, "*") + " TO STDOUT", out));
    }
    try (InputStream in = Files.newInputStream(file)) {
      final Stopwatch watch = Stopwatch.start();
      requireRows(rows, copy.copyIn("COPY bench_usage FROM STDIN", in));
      return rows / watch.elapsedSeconds();
    }
  }

  /** How many of a writer's events shared a command, on average. */
  double eventsPerCommand(String writer, long rows) throws SQLException {
    try (ResultSet commands =
        statement.executeQuery(
            "SELECT count(*) FROM " + eventsOf(writer, "DISTINCT account, version") + " command")) {
      commands.next();
      return (double) rows / commands.getLong(1);
    }
  }

  private static String eventsOf(String writer, String columns) {
    return "(SELECT " + columns + " FROM usage_event WHERE writer = '" + writer + "')";
  }

  private static void requireRows(long expected, long copied) {
    if (copied != expected) {
      throw new IllegalStateException(copied + " rows were copied, not " + expected);
    }
  }

  @Override
  public void close() throws SQLException, IOException {
    statement.close();
    connection.close();
    Files.deleteIfExists(file);
  }
}
