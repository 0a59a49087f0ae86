package io.tollgrid.mapstore.usage;

import io.tollgrid.ledger.UsageVerdict;
import io.tollgrid.mapstore.rows.Fields;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import javax.sql.DataSource;

/**
 * Usage that nobody paid for: events that were rejected (R20), and those that nothing funded (R9).
 * Thread-safe.
 */
public final class UnpaidUsage {
  /** Of one kind, no more events than this are counted. */
  public static final int MAX_COUNTED = 10_000;

  private static final String SINCE =
      " AND recorded_at > (extract(epoch FROM now()) * 1000000)::bigint * 1000 - ?"
          + " ORDER BY recorded_at DESC LIMIT "
          + MAX_COUNTED
          + ") latest GROUP BY verdict";

  static final String COUNT =
      "SELECT verdict, count(*) FROM (SELECT verdict FROM usage_rejected WHERE true"
          + SINCE
          + " UNION ALL SELECT verdict, count(*) FROM (SELECT verdict FROM usage_event WHERE verdict = 3"
          + SINCE;

  private final DataSource connections;

  /** Reads through {@code connections}, whose sessions bound the time of a statement. */
  public UnpaidUsage(DataSource connections) {
    this.connections = connections;
  }

  /**
   * Events recorded lately, by verdict, only the latest {@value #MAX_COUNTED} of each kind;
   * verdicts without any are left out.
   *
   * @param window how far back, by PostgreSQL's clock
   */
  public Map<UsageVerdict, Long> within(Duration window) throws SQLException {
    final Map<UsageVerdict, Long> counts = new EnumMap<>(UsageVerdict.class);
    try (Connection connection = connections.getConnection();
        PreparedStatement statement = connection.prepareStatement(COUNT)) {
      statement.setLong(1, window.toNanos());
      statement.setLong(2, window.toNanos());
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          final Fields fields = new Fields(row, 1);
          counts.put(fields.ordinal(UsageVerdict.values()), fields.int8());
        }
      }
      connection.commit();
    }
    return counts;
  }
}
