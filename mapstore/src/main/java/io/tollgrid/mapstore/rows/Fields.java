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
public final class Fields {
  private final ResultSet row;
  private int next;

  /** The fields from column {@code first}, 1-based. */
  public Fields(ResultSet row, int first) {
    this.row = row;
    this.next = first;
  }

  /** The next field, a {@code uuid}. */
  public Id128 id() throws SQLException {
    return Id128.of(row.getObject(next++, UUID.class));
  }

  /** The next field, a {@code bigint}. */
  public long int8() throws SQLException {
    return row.getLong(next++);
  }

  /** The next field, an {@code integer} or {@code smallint}. */
  public int integer() throws SQLException {
    return row.getInt(next++);
  }

  /** The next field, a {@code boolean}. */
  public boolean bool() throws SQLException {
    return row.getBoolean(next++);
  }

  /** The next field, a {@code text}. */
  public String text() throws SQLException {
    return row.getString(next++);
  }

  /** The next field, a {@code bytea}. */
  public byte[] bytes() throws SQLException {
    return row.getBytes(next++);
  }

  /** The next field, an enum constant by its position. */
  public <E extends Enum<E>> E ordinal(E[] constants) throws SQLException {
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
