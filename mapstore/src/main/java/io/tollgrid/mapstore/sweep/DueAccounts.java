package io.tollgrid.mapstore.sweep;

import io.tollgrid.ledger.Id128;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.UUID;
import javax.sql.DataSource;

/**
 * Accounts with something due, oldest due first (R19). A batch reads an index range of its own
 * size, however large the backlog behind it. Thread-safe.
 */
public final class DueAccounts {
  /** Active leases due at a cutoff, oldest first. */
  static final String LEASES =
      "SELECT account FROM lease WHERE state = 0 AND expires_at + grace <= ?"
          + " ORDER BY expires_at + grace LIMIT ?";

  /** Accounts whose stored boundary is due at a cutoff, oldest first. */
  static final String BOUNDARIES =
      "SELECT id FROM account WHERE schedule_kind IS NOT NULL AND period_end <= ?"
          + " ORDER BY period_end LIMIT ?";

  private final DataSource connections;

  /** Reads through {@code connections}. */
  public DueAccounts(DataSource connections) {
    this.connections = connections;
  }

  /**
   * Accounts of the {@code limit} active leases that are due first.
   *
   * @param cutoffNanos leases with {@code expires_at + grace ≤ cutoff} are due, epoch nanoseconds
   * @param limit leases read, 1 or more
   */
  public Set<Id128> withDueLeases(long cutoffNanos, int limit) throws SQLException {
    return read(LEASES, cutoffNanos, limit);
  }

  /**
   * The {@code limit} accounts whose period ended first.
   *
   * @param cutoffNanos periods with {@code end ≤ cutoff} are due, epoch nanoseconds
   * @param limit accounts read, 1 or more
   */
  public Set<Id128> withDueBoundaries(long cutoffNanos, int limit) throws SQLException {
    return read(BOUNDARIES, cutoffNanos, limit);
  }

  private Set<Id128> read(String sql, long cutoffNanos, int limit) throws SQLException {
    final Set<Id128> accounts = new LinkedHashSet<>();
    try (Connection connection = connections.getConnection();
        PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setLong(1, cutoffNanos);
      statement.setInt(2, limit);
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          accounts.add(Id128.of(row.getObject(1, UUID.class)));
        }
      }
      connection.commit();
    }
    return accounts;
  }
}
