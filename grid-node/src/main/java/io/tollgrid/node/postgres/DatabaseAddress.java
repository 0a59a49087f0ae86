package io.tollgrid.node.postgres;

/**
 * How to reach a PostgreSQL database.
 *
 * @param url JDBC URL without credentials
 * @param user the role
 * @param password its password, empty if the server asks for none; never part of {@link #toString}
 */
public record DatabaseAddress(String url, String user, String password) {
  @Override
  public String toString() {
    return url + " as " + user;
  }
}
