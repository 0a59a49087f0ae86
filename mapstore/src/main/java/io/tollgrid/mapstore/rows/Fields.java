package io.tollgrid.mapstore.rows;

import io.tollgrid.ledger.CorruptLedgerException;
import io.tollgrid.ledger.Id128;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.UUID;

/**
 * Reads the fields of one row from left to right.
 *
 * <p>Values that no constructor accepts are corruption, told as such; a {@link SQLException} is
 * not.
 */
final class Fields {
  private final ResultSet row;
  private int next;

  /** The fields from column {@code first}, 1-based. */
  Fields(ResultSet row, int first) {
    this.row = row;
    this.next = first;
  }

  Id128 id() throws SQLException {
    return Id128.of(row.getObject(next++, UUID.class));
  }

  long int8() throws SQLException {
    return row.getLong(next++);
  }

  int integer() throws SQLException {
    return row.getInt(next++);
  }

  boolean bool() throws SQLException {
    return row.getBoolean(next++);
  }

  String text() throws SQLException {
    return row.getString(next++);
  }

  byte[] bytes() throws SQLException {
    return row.getBytes(next++);
  }

  <E extends Enum<E>> E ordinal(E[] constants) throws SQLException {
    final int ordinal = row.getInt(next++);
    if (ordinal < 0 || ordinal >= constants.length) {
      throw new CorruptLedgerException(
          "no constant number " + ordinal + " among " + constants.length);
    }
    return constants[ordinal];
  }

  /** Whether the next field is null, without reading past it. */
  boolean nextIsNull() throws SQLException {
    return row.getObject(next) == null;
  }

  Fields skip(int fields) {
    next += fields;
    return this;
  }
}
