package io.tollgrid.mapstore.sql;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * Several statements sent in one round trip.
 *
 * <p>The driver sends a text of statements separated by semicolons as one sequence of extended
 * protocol messages with a single sync. The server still runs them one after the other, each under
 * its own snapshot at READ COMMITTED, and stops at the first that fails. Not thread-safe.
 */
public final class Script {
  /** Takes what one statement returned. */
  @FunctionalInterface
  public interface RowReader {
    /** Called once per row, the result set standing on it. */
    void read(ResultSet row) throws SQLException;
  }

  private record Part(String sql, RowSet rows, RowReader reader, int expectedRows) {}

  private static final int ANY = -1;

  private final List<Part> parts = new ArrayList<>();

  /** A statement whose parameters are the columns of {@code rows}; its rows go to the reader. */
  public Script query(String sql, RowSet rows, RowReader reader) {
    parts.add(new Part(sql, rows, reader, ANY));
    return this;
  }

  /** As {@link #query}, unless {@code rows} is empty. */
  public Script queryUnlessEmpty(String sql, RowSet rows, RowReader reader) {
    return rows.isEmpty() ? this : query(sql, rows, reader);
  }

  /** A statement that must change one row per row of {@code rows}; left out if there are none. */
  public Script change(String sql, RowSet rows) {
    if (!rows.isEmpty()) {
      parts.add(new Part(sql, rows, row -> {}, rows.size()));
    }
    return this;
  }

  /**
   * Runs the statements and reads their results in order.
   *
   * @throws UnexpectedRowsException if a change found fewer or more rows than it was given
   */
  public void run(Statements statements) throws SQLException {
    final StringBuilder sql = new StringBuilder();
    for (final Part part : parts) {
      sql.append(sql.isEmpty() ? "" : ";\n").append(part.sql());
    }
    final PreparedStatement statement = statements.prepared(sql.toString());
    int parameter = 1;
    for (final Part part : parts) {
      parameter = part.rows().bind(statement, parameter);
    }
    boolean returnsRows = statement.execute();
    for (final Part part : parts) {
      if (returnsRows) {
        read(part, statement);
      } else {
        requireCount(part, statement.getUpdateCount());
      }
      returnsRows = statement.getMoreResults();
    }
  }

  private static void read(Part part, PreparedStatement statement) throws SQLException {
    try (ResultSet rows = statement.getResultSet()) {
      while (rows.next()) {
        part.reader().read(rows);
      }
    }
  }

  private static void requireCount(Part part, int count) throws UnexpectedRowsException {
    if (part.expectedRows() != ANY && part.expectedRows() != count) {
      throw new UnexpectedRowsException(part.sql(), part.expectedRows(), count);
    }
  }
}
