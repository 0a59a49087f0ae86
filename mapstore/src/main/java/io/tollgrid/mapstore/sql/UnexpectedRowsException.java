package io.tollgrid.mapstore.sql;

import java.sql.SQLException;

/** A change found another number of rows than must be there: the store contradicts itself. */
public final class UnexpectedRowsException extends SQLException {
  private static final long serialVersionUID = 1L;

  UnexpectedRowsException(String sql, int expected, int found) {
    super("expected to change " + expected + " rows, changed " + found + ": " + sql);
  }
}
