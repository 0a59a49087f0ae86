package io.tollgrid.mapstore.sql;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;

/**
 * The statements prepared on one connection, kept for its whole life. Not thread-safe.
 *
 * <p>Callers use a bounded number of texts: the combinations of parts their scripts are made of.
 */
public final class Statements implements AutoCloseable {
  private final Connection connection;
  private final Map<String, PreparedStatement> prepared = new HashMap<>();

  /** No statements of {@code connection} yet; closing the connection closes them. */
  public Statements(Connection connection) {
    this.connection = connection;
  }

  /** Closes the statements, not the connection. */
  @Override
  public void close() throws SQLException {
    for (final PreparedStatement statement : prepared.values()) {
      statement.close();
    }
    prepared.clear();
  }

  PreparedStatement prepared(String sql) throws SQLException {
    final PreparedStatement known = prepared.get(sql);
    if (known != null) {
      return known;
    }
    final PreparedStatement statement = connection.prepareStatement(sql);
    prepared.put(sql, statement);
    return statement;
  }
}
