package io.tollgrid.mapstore.database;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * What PostgreSQL must be set to for a COMMIT to mean what the ledger takes it for. Settings are
 * part of exactness: with one of them off, acknowledged transitions vanish in a crash.
 */
public final class DurableSettings {
  /** The oldest server that is supported. */
  public static final int OLDEST_VERSION = 150_000;

  private static final Map<String, Set<String>> REQUIRED =
      Map.of(
          "fsync", Set.of("on"),
          "full_page_writes", Set.of("on"),
          "synchronous_commit", Set.of("on", "remote_apply"),
          "transaction_isolation", Set.of("read committed"),
          "transaction_read_only", Set.of("off"),
          // Since 17: a limit on whole transactions would end a session in the middle of COMMIT.
          "transaction_timeout", Set.of("0"));

  private static final String READ =
      "SELECT name, setting FROM pg_settings WHERE name IN ('fsync', 'full_page_writes',"
          + " 'synchronous_commit', 'transaction_isolation', 'transaction_read_only',"
          + " 'transaction_timeout', 'server_version_num')";

  private DurableSettings() {}

  /**
   * Reads the settings in force on a connection.
   *
   * @throws UnsafeDatabaseException naming every setting that is not as it must be
   * @throws SQLException if PostgreSQL does not answer
   */
  public static void verify(Connection connection) throws SQLException {
    final Map<String, String> found = new HashMap<>();
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(READ)) {
      while (rows.next()) {
        found.put(rows.getString(1), rows.getString(2));
      }
    }
    final StringBuilder wrong = new StringBuilder();
    found.forEach(
        (name, value) -> {
          final Set<String> allowed = REQUIRED.get(name);
          if (allowed != null && !allowed.contains(value)) {
            wrong.append("; ").append(name).append(" is ").append(value);
            wrong.append(" and must be ").append(String.join(" or ", allowed));
          }
        });
    final int version = Integer.parseInt(found.getOrDefault("server_version_num", "0"));
    if (version < OLDEST_VERSION) {
      wrong.append("; the server is version ").append(version).append(", 15 is the oldest");
    }
    if (!wrong.isEmpty()) {
      throw new UnsafeDatabaseException("this PostgreSQL would lose what it acknowledged" + wrong);
    }
  }
}
