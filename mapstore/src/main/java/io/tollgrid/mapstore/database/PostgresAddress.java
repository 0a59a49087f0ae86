package io.tollgrid.mapstore.database;

/**
 * Where PostgreSQL is and who we are there.
 *
 * @param jdbcUrl a {@code jdbc:postgresql:} URL; its own parameters are kept
 * @param user the role
 * @param password its password, empty for none
 */
public record PostgresAddress(String jdbcUrl, String user, String password) {
  /** Refuses a URL of another kind. */
  public PostgresAddress {
    if (!jdbcUrl.startsWith("jdbc:postgresql:")) {
      throw new IllegalArgumentException(
          "the database is PostgreSQL, so its URL starts with jdbc:postgresql:");
    }
  }

  /** Everything but the password. */
  @Override
  public String toString() {
    return jdbcUrl.replaceFirst("\\?.*", "") + " as " + user;
  }
}
