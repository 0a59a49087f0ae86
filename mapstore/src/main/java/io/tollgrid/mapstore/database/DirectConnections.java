package io.tollgrid.mapstore.database;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Statement;
import java.util.Properties;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Connections without a pool, for lanes that keep theirs as long as it lasts.
 *
 * <p>A pool would add nothing to a connection that is never given back, and its own retry schedule
 * to the time it takes to come back after an outage. Thread-safe.
 */
final class DirectConnections implements DataSource {
  private final String jdbcUrl;
  private final Properties properties;
  private final SessionSettings session;

  DirectConnections(String jdbcUrl, Properties properties, SessionSettings session) {
    this.jdbcUrl = jdbcUrl;
    this.properties = properties;
    this.session = session;
  }

  @Override
  public Connection getConnection() throws SQLException {
    final Connection connection = DriverManager.getConnection(jdbcUrl, properties);
    try (Statement statement = connection.createStatement()) {
      statement.execute(session.sql());
      connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
      connection.setAutoCommit(false);
      return connection;
    } catch (SQLException e) {
      connection.close();
      throw e;
    }
  }

  @Override
  public Connection getConnection(String user, String password) throws SQLException {
    throw new SQLFeatureNotSupportedException("the role is configured");
  }

  @Override
  public @Nullable PrintWriter getLogWriter() {
    return null;
  }

  @Override
  public void setLogWriter(@Nullable PrintWriter out) throws SQLException {
    throw new SQLFeatureNotSupportedException("logging is configured elsewhere");
  }

  @Override
  public void setLoginTimeout(int seconds) throws SQLException {
    throw new SQLFeatureNotSupportedException("timeouts are configured");
  }

  @Override
  public int getLoginTimeout() {
    return 0;
  }

  @Override
  public Logger getParentLogger() throws SQLFeatureNotSupportedException {
    throw new SQLFeatureNotSupportedException("logging is configured elsewhere");
  }

  @Override
  public <T> T unwrap(Class<T> type) throws SQLException {
    throw new SQLException("this wraps no " + type.getName());
  }

  @Override
  public boolean isWrapperFor(Class<?> type) {
    return false;
  }
}
