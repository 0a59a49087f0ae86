package io.tollgrid.verification.faults.ingest;

import io.tollgrid.ledger.Id128;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;

/** Streams what became of usage to its judge, without the product's own readers. */
final class IngestEvidence {
  private static final int FETCH_ROWS = 5_000;
  private static final String COLUMNS =
      "account, request_id, part, writer, sequence, verdict, units";

  private IngestEvidence() {}

  /** Hands over everything that a transaction sees. */
  static void show(Connection connection, IngestCheck check) throws SQLException {
    each(
        connection, "SELECT " + COLUMNS + " FROM usage_request", row -> check.accepted(usage(row)));
    each(
        connection,
        "SELECT " + COLUMNS + " FROM usage_event WHERE kind = 0",
        row -> check.billed(usage(row)));
    each(
        connection,
        "SELECT " + COLUMNS + " FROM usage_rejected",
        row -> check.rejected(usage(row)));
    each(
        connection,
        "SELECT id, billed, unfunded, overage FROM account",
        row -> check.account(id(row, 1), row.getLong(2), row.getLong(3), row.getLong(4)));
    each(
        connection,
        "SELECT account, fence, billed FROM lease",
        row -> check.lease(id(row, 1), row.getLong(2), row.getLong(3)));
  }

  private static StoredUsage usage(ResultSet row) throws SQLException {
    return new StoredUsage(
        id(row, 1),
        id(row, 2),
        row.getInt(3),
        id(row, 4),
        row.getLong(5),
        row.getInt(6),
        row.getLong(7));
  }

  private static Id128 id(ResultSet row, int column) throws SQLException {
    return Id128.of(row.getObject(column, UUID.class));
  }

  private interface RowReader {
    void read(ResultSet row) throws SQLException;
  }

  private static void each(Connection connection, String query, RowReader reader)
      throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.setFetchSize(FETCH_ROWS);
      try (ResultSet rows = statement.executeQuery(query)) {
        while (rows.next()) {
          reader.read(rows);
        }
      }
    }
  }
}
