package io.tollgrid.mapstore.sweep;

import io.tollgrid.ledger.Id128;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Accounts with something due, oldest due first, page by page (R19). A page reads an index range of
 * its own size, however large the backlog before and behind it. Thread-safe.
 */
public final class DueAccounts {
  /** Active leases due at a cutoff, after a place, oldest first. */
  public static final String LEASES =
      "SELECT expires_at + grace, account, id FROM lease WHERE state = 0 AND expires_at + grace <= ?"
          + " AND (expires_at + grace, account, id) > (?, ?, ?)"
          + " ORDER BY expires_at + grace, account, id LIMIT ?";

  /** Accounts whose stored boundary is due at a cutoff, after a place, oldest first. */
  public static final String BOUNDARIES =
      "SELECT period_end, id FROM account WHERE schedule_kind IS NOT NULL AND period_end <= ?"
          + " AND (period_end, id) > (?, ?) ORDER BY period_end, id LIMIT ?";

  private final DataSource connections;

  /**
   * Reads through {@code connections}, whose sessions bound the time of a statement and plan it
   * generically.
   */
  public DueAccounts(DataSource connections) {
    this.connections = connections;
  }

  /**
   * Accounts of the {@code limit} active leases that are due first.
   *
   * @param cutoffNanos leases with {@code expires_at + grace ≤ cutoff} are due, epoch nanoseconds
   * @param after the place behind which to read
   * @param limit leases read, 1 or more
   */
  public DuePage withDueLeases(long cutoffNanos, DueCursor after, int limit) throws SQLException {
    return read(
        LEASES,
        List.of(
            cutoffNanos, after.dueNanos(), after.account().toUuid(), after.lease().toUuid(), limit),
        limit,
        row -> new DueCursor(row.getLong(1), id(row, 2), id(row, 3)));
  }

  /**
   * The {@code limit} accounts whose period ended first.
   *
   * @param cutoffNanos periods with {@code end ≤ cutoff} are due, epoch nanoseconds
   * @param after the place behind which to read
   * @param limit accounts read, 1 or more
   */
  public DuePage withDueBoundaries(long cutoffNanos, DueCursor after, int limit)
      throws SQLException {
    return read(
        BOUNDARIES,
        List.of(cutoffNanos, after.dueNanos(), after.account().toUuid(), limit),
        limit,
        row -> DueCursor.of(row.getLong(1), id(row, 2)));
  }

  private interface PlaceOf {
    DueCursor row(ResultSet row) throws SQLException;
  }

  private DuePage read(String sql, List<Object> parameters, int limit, PlaceOf place)
      throws SQLException {
    final Set<Id128> accounts = new LinkedHashSet<>();
    @Nullable DueCursor first = null;
    @Nullable DueCursor last = null;
    int rows = 0;
    try (Connection connection = connections.getConnection();
        PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < parameters.size(); i++) {
        statement.setObject(i + 1, parameters.get(i));
      }
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          last = place.row(row);
          first = first == null ? last : first;
          accounts.add(last.account());
          rows++;
        }
      }
      connection.commit();
    }
    return new DuePage(
        List.copyOf(accounts),
        Optional.ofNullable(first),
        Optional.ofNullable(rows < limit ? null : last));
  }

  private static Id128 id(ResultSet row, int column) throws SQLException {
    return Id128.of(row.getObject(column, UUID.class));
  }
}
