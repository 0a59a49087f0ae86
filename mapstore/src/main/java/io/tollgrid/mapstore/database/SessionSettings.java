package io.tollgrid.mapstore.database;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a session must be set to, set when its connection is opened and read back before it is used.
 *
 * <p>The three timeouts bound how long a stuck row, a runaway statement or a frozen owner can hold
 * locks. The last matters most: an owner stopped in the middle of a transaction would hold its
 * shared lock against its own takeover.
 *
 * @param statementTimeoutMillis a statement's time, 0 for none
 * @param lockTimeoutMillis a statement's wait for one lock, 0 for none
 * @param idleInTransactionMillis a transaction's time without a statement, 0 for none
 * @param deadPeerMillis after which time without an answer the server gives the peer up
 * @param looksUp whether all statements look rows up by keys: they are then planned once and always
 *     go through the indexes, whatever the statistics of a young table say
 */
public record SessionSettings(
    int statementTimeoutMillis,
    int lockTimeoutMillis,
    int idleInTransactionMillis,
    int deadPeerMillis,
    boolean looksUp) {
  /** Lanes of the committer. */
  public static final SessionSettings COMMITTER =
      new SessionSettings(2_000, 300, 1_000, 3_000, true);

  /**
   * Raises of fences: they wait for the transactions in flight, so for longer than a batch may
   * take. No statement timeout, so that none can hit a COMMIT.
   */
  public static final SessionSettings RAISES = new SessionSettings(0, 5_000, 1_000, 3_000, true);

  /** Loads, and reads of what is due. */
  public static final SessionSettings LOADS = new SessionSettings(2_000, 1_000, 1_000, 3_000, true);

  /** Reports, migrations and everything an operator waits for. */
  public static final SessionSettings CONTROL = new SessionSettings(0, 10_000, 0, 10_000, false);

  private static final int KEEPALIVE_PROBES = 3;

  /** The statements that set a session so; one text, several statements. */
  public String sql() {
    final StringBuilder sql = new StringBuilder();
    required().forEach((name, value) -> set(sql, name, value));
    final int probeSeconds =
        (int) Math.max(1, Duration.ofMillis(deadPeerMillis).toSeconds() / KEEPALIVE_PROBES);
    set(sql, "tcp_keepalives_idle", Integer.toString(probeSeconds));
    set(sql, "tcp_keepalives_interval", Integer.toString(probeSeconds));
    set(sql, "tcp_keepalives_count", Integer.toString(KEEPALIVE_PROBES));
    set(sql, "tcp_user_timeout", Integer.toString(deadPeerMillis));
    if (looksUp) {
      set(sql, "plan_cache_mode", "force_generic_plan");
      set(sql, "enable_seqscan", "off");
      set(sql, "enable_hashjoin", "off");
      set(sql, "enable_mergejoin", "off");
      set(sql, "jit", "off");
    }
    return sql.toString();
  }

  /**
   * Reads the settings back.
   *
   * @throws SQLException if one reads otherwise: something between us and the server, or the
   *     server's own configuration, has the last word
   */
  public void verify(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (final Map.Entry<String, String> setting : required().entrySet()) {
        requireSetting(statement, setting.getKey(), setting.getValue());
      }
    }
  }

  private static void requireSetting(Statement statement, String name, String millis)
      throws SQLException {
    try (ResultSet row =
        statement.executeQuery("SELECT setting FROM pg_settings WHERE name = '" + name + "'")) {
      if (!row.next() || !row.getString(1).equals(millis)) {
        throw new SQLException(
            "a session that was told " + name + " = " + millis + " ms reads otherwise");
      }
    }
  }

  private Map<String, String> required() {
    final Map<String, String> settings = new LinkedHashMap<>();
    settings.put("statement_timeout", Integer.toString(statementTimeoutMillis));
    settings.put("lock_timeout", Integer.toString(lockTimeoutMillis));
    settings.put("idle_in_transaction_session_timeout", Integer.toString(idleInTransactionMillis));
    return settings;
  }

  private static void set(StringBuilder sql, String name, String value) {
    sql.append("SET SESSION ").append(name).append(" = ").append(value).append(";");
  }
}
