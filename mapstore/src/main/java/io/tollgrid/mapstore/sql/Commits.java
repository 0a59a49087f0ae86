package io.tollgrid.mapstore.sql;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLWarning;

/** Ends transactions so that "it returned" means "it is durable". */
public final class Commits {
  private Commits() {}

  /**
   * Commits, and takes a warning for what it is: a cancelled wait for a synchronous standby commits
   * locally, returns normally and says so only in a warning.
   *
   * @throws SQLException if the transaction is not known to be durable, or not known to be undone
   */
  public static void commit(Connection connection) throws SQLException {
    connection.clearWarnings();
    connection.commit();
    final SQLWarning warning = connection.getWarnings();
    if (warning != null) {
      throw new SQLException(
          "COMMIT returned with a warning: " + warning.getMessage(),
          warning.getSQLState(),
          warning);
    }
  }
}
