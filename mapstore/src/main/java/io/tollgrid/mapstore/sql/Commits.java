package io.tollgrid.mapstore.sql;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLWarning;
import javax.sql.DataSource;

/** Ends transactions so that "it returned" means "it is durable". */
public final class Commits {
  private Commits() {}

  /** What is done in one transaction. */
  @FunctionalInterface
  public interface Work<T> {
    /** Does it; the caller commits. */
    T in(Connection connection) throws SQLException;
  }

  /**
   * Does some work in a transaction of its own: durable when this returns, undone if the work
   * failed.
   *
   * @throws SQLException if PostgreSQL failed; at the commit that leaves open whether it is durable
   */
  public static <T> T transact(DataSource source, Work<T> work) throws SQLException {
    try (Connection connection = source.getConnection()) {
      try {
        final T done = work.in(connection);
        commit(connection);
        return done;
      } catch (SQLException | RuntimeException e) {
        connection.rollback();
        throw e;
      }
    }
  }

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
