package io.tollgrid.mapstore.database;

/** PostgreSQL is there, but not set up so that the ledger may be trusted to it. */
public final class UnsafeDatabaseException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Says what is wrong and what it must be. */
  public UnsafeDatabaseException(String message) {
    super(message);
  }
}
