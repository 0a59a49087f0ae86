package io.tollgrid.mapstore.commit;

import io.tollgrid.mapstore.database.DurableSettings;
import io.tollgrid.mapstore.database.SessionSettings;
import io.tollgrid.mapstore.database.UnsafeDatabaseException;
import io.tollgrid.mapstore.sql.Statements;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A lane's connection: opened when needed, verified before its first use, kept until it breaks. */
final class LaneSession {
  private static final Logger LOG = LoggerFactory.getLogger(LaneSession.class);

  private static final int MAX_BATCHES_BETWEEN_PLANS = 1_024;
  private static final int NUMBER_LOCKS = 0x6c616e65;

  /** Lanes of all members that have a number of their own; further ones share the last. */
  static final int NUMBERS = 64;

  private static final String CLAIM_NUMBER =
      "SELECT n FROM generate_series(0, "
          + (NUMBERS - 2)
          + ") n WHERE pg_try_advisory_lock("
          + NUMBER_LOCKS
          + ", n) LIMIT 1";

  private static final String CONNECTION_REFUSED = "08004";

  /** Makes a fresh connection each time: closing one must not lend it to somebody else. */
  private final DataSource connections;

  private final SessionSettings settings;
  private @Nullable Connection connection;
  private @Nullable Statements statements;
  private int number;
  private int batches;
  private int nextPlan;

  LaneSession(DataSource connections, SessionSettings settings) {
    this.connections = connections;
    this.settings = settings;
  }

  /** Whether there is a connection; it may be broken all the same. */
  boolean isOpen() {
    return connection != null;
  }

  /** Opens and verifies a connection if there is none. */
  void open() throws SQLException {
    if (connection != null) {
      return;
    }
    final Connection opened = connections.getConnection();
    try {
      opened.setAutoCommit(false);
      settings.verify(opened);
      DurableSettings.verify(opened);
      number = claimNumber(opened);
      opened.commit();
    } catch (UnsafeDatabaseException e) {
      closeQuietly(opened);
      throw new SQLException(e.getMessage(), CONNECTION_REFUSED, e);
    } catch (SQLException | RuntimeException e) {
      closeQuietly(opened);
      throw e;
    }
    connection = opened;
    statements = new Statements(opened);
    batches = 0;
    nextPlan = 1;
  }

  /**
   * The number of this lane, 0 to {@value #NUMBERS} - 1: no other lane of any member has it as long
   * as this connection lives, unless there are too many of them.
   */
  int number() {
    return number;
  }

  private static int claimNumber(Connection opened) throws SQLException {
    try (Statement statement = opened.createStatement();
        ResultSet row = statement.executeQuery(CLAIM_NUMBER)) {
      return row.next() ? row.getInt(1) : NUMBERS - 1;
    }
  }

  /**
   * Counts a batch, and has the statements planned anew after 1, 2, 4, … of them. A plan lives on
   * when its tables grow, and a plan for empty tables reads all of a full one; this way none sees
   * its tables more than double unnoticed.
   */
  void planWhenDue() throws SQLException {
    if (++batches >= nextPlan) {
      batches = 0;
      nextPlan = Math.min(2 * nextPlan, MAX_BATCHES_BETWEEN_PLANS);
      plan();
    }
  }

  /** Has the statements planned anew before the next batch: something took unexpectedly long. */
  void planSoon() {
    nextPlan = 1;
  }

  private void plan() throws SQLException {
    try (Statement statement = connection().createStatement()) {
      statement.execute("DISCARD PLANS");
    }
  }

  Connection connection() {
    if (connection == null) {
      throw new IllegalStateException("the lane has no connection");
    }
    return connection;
  }

  Statements statements() {
    if (statements == null) {
      throw new IllegalStateException("the lane has no connection");
    }
    return statements;
  }

  /** Undoes the transaction; false if the connection is of no use any more. */
  boolean rollback() {
    if (connection == null) {
      return false;
    }
    try {
      connection.rollback();
      return true;
    } catch (SQLException e) {
      LOG.debug("the connection broke before its rollback", e);
      return false;
    }
  }

  /** Gives the connection up. What it did is over or will be; the next batch opens another. */
  void discard() {
    final Connection broken = connection;
    connection = null;
    statements = null;
    if (broken != null) {
      try {
        broken.abort(Runnable::run);
      } catch (SQLException e) {
        LOG.debug("a broken connection did not end", e);
      }
      closeQuietly(broken);
    }
  }

  void close() {
    final Connection open = connection;
    connection = null;
    statements = null;
    if (open != null) {
      closeQuietly(open);
    }
  }

  private static void closeQuietly(Connection connection) {
    try {
      connection.close();
    } catch (SQLException e) {
      LOG.debug("a connection did not close", e);
    }
  }
}
