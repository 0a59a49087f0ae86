package io.tollgrid.mapstore.sql;

import java.sql.SQLException;

/** What a SQL error means, read from its state (SQL:2016 and PostgreSQL Appendix A). */
public enum SqlFailure {
  /** A unique key exists already. */
  DUPLICATE,
  /** The values cannot be stored: a CHECK, a missing value, a number or text out of range. */
  REFUSED_VALUES,
  /** Somebody else holds a row for too long. */
  LOCKED,
  /** The connection is gone or the server is going. */
  DISCONNECTED,
  /** Anything else: overload, cancellation, a schema that does not fit. */
  OTHER;

  /** Classifies {@code failure}. */
  public static SqlFailure of(SQLException failure) {
    if (failure instanceof UnexpectedRowsException) {
      return REFUSED_VALUES;
    }
    final String state = failure.getSQLState();
    if (state == null) {
      return OTHER;
    }
    if (state.equals("23505")) {
      return DUPLICATE;
    }
    if (state.startsWith("23")
        || state.startsWith("22")
        || state.equals("XX001")
        || state.equals("XX002")) {
      return REFUSED_VALUES;
    }
    if (state.equals("55P03")) {
      return LOCKED;
    }
    // 57P01 to 57P05: the server shuts down, crashed, starts up or ended the session; 25P03: the
    // session was idle in
    // its transaction for too long and was ended.
    return state.startsWith("08") || state.startsWith("57P") || state.equals("25P03")
        ? DISCONNECTED
        : OTHER;
  }
}
