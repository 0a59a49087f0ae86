package io.tollgrid.mapstore.journal;

import io.tollgrid.ledger.CorruptLedgerException;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.LedgerCodec;
import io.tollgrid.mapstore.rows.AccountColumns;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.UUID;

/** Reads the journal in order of account and version, a bounded number of rows at a time. */
public final class Journal {
  /** Takes the entries. */
  @FunctionalInterface
  public interface Reader {
    /** Called once per entry, in order. */
    void entry(JournalEntry entry) throws SQLException;

    /**
     * Called instead of {@link #entry} for one that cannot be read: its bytes are not canonical or
     * its numbers do not balance.
     */
    default void unreadable(Id128 account, long version, RuntimeException why) throws SQLException {
      throw why;
    }
  }

  private static final int FETCH_ROWS = 500;
  private static final int FIRST_BOOKS_COLUMN = 7;
  private static final String COLUMNS =
      "SELECT account, version, request, outcome, ledger_time, recorded_at, "
          + AccountColumns.BOOKS.names()
          + ", policy_generation, period_number FROM journal";

  private Journal() {}

  /**
   * Every entry of every account.
   *
   * @param connection in a transaction, without which the driver would read all rows at once
   */
  public static void read(Connection connection, Reader reader) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(COLUMNS + " ORDER BY account, version")) {
      read(statement, reader);
    }
  }

  /** Every entry of one account; otherwise as the other. */
  public static void read(Connection connection, Id128 account, Reader reader) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(COLUMNS + " WHERE account = ? ORDER BY version")) {
      statement.setObject(1, account.toUuid());
      read(statement, reader);
    }
  }

  private static void read(PreparedStatement statement, Reader reader) throws SQLException {
    statement.setFetchSize(FETCH_ROWS);
    try (ResultSet row = statement.executeQuery()) {
      while (row.next()) {
        final JournalEntry entry;
        try {
          entry = entry(row);
        } catch (CorruptLedgerException | IllegalArgumentException e) {
          reader.unreadable(Id128.of(row.getObject(1, UUID.class)), row.getLong(2), e);
          continue;
        }
        reader.entry(entry);
      }
    }
  }

  private static JournalEntry entry(ResultSet row) throws SQLException {
    final int afterBooks = FIRST_BOOKS_COLUMN + AccountColumns.BOOK_COLUMNS;
    return new JournalEntry(
        Id128.of(row.getObject(1, UUID.class)),
        row.getLong(2),
        LedgerCodec.decodeRequest(row.getBytes(3)),
        LedgerCodec.decodeOutcome(row.getBytes(4)),
        row.getLong(5),
        row.getLong(6),
        AccountColumns.readBooks(row, FIRST_BOOKS_COLUMN),
        row.getLong(afterBooks),
        row.getLong(afterBooks + 1),
        row.getLong(afterBooks + 2));
  }
}
