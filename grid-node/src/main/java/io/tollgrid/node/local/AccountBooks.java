package io.tollgrid.node.local;

import io.tollgrid.ledger.Id128;
import io.tollgrid.mapstore.database.PostgresAddress;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;

/**
 * The books of a set of accounts, summed, as PostgreSQL has them.
 *
 * @param accounts how many of them exist
 * @param deposited units ever put in
 * @param overage units billed beyond the allocation
 * @param balance units that can be granted
 * @param outstanding units out on leases
 * @param billed units of accepted usage
 * @param loss provisional loss
 * @param expired allowance that expired
 * @param unfunded recorded usage nobody funded
 * @param overspent accounts billed more than they were given, overage aside
 * @param gap by how much the two sides of the books differ, 0 if they balance
 */
public record AccountBooks(
    long accounts,
    long deposited,
    long overage,
    long balance,
    long outstanding,
    long billed,
    long loss,
    long expired,
    long unfunded,
    long overspent,
    BigDecimal gap) {
  private static final String SUMS =
      """
      SELECT count(*), coalesce(sum(deposited), 0), coalesce(sum(overage), 0), coalesce(sum(allowance::numeric + top_up), 0),
        coalesce(sum(outstanding), 0), coalesce(sum(billed), 0), coalesce(sum(loss_resident::numeric + loss_archived), 0),
        coalesce(sum(expired), 0), coalesce(sum(unfunded), 0), count(*) FILTER (WHERE billed > deposited::numeric + overage),
        coalesce(sum(abs(deposited::numeric + overage - allowance - top_up - outstanding - billed - loss_resident
          - loss_archived - expired)), 0)
      FROM account WHERE id = ANY (?)
      """;

  /** Reads the books of {@code ids}. */
  public static AccountBooks read(PostgresAddress database, Collection<Id128> ids)
      throws SQLException {
    try (Connection connection =
            DriverManager.getConnection(database.jdbcUrl(), database.user(), database.password());
        PreparedStatement sums = connection.prepareStatement(SUMS)) {
      sums.setArray(1, connection.createArrayOf("uuid", ids.stream().map(Id128::toUuid).toArray()));
      try (ResultSet row = sums.executeQuery()) {
        if (!row.next()) {
          throw new SQLException("a sum has no row");
        }
        return new AccountBooks(
            row.getLong(1),
            row.getLong(2),
            row.getLong(3),
            row.getLong(4),
            row.getLong(5),
            row.getLong(6),
            row.getLong(7),
            row.getLong(8),
            row.getLong(9),
            row.getLong(10),
            row.getBigDecimal(11));
      }
    }
  }

  /** Whether the books balance to the unit. */
  public boolean exact() {
    return gap.signum() == 0;
  }
}
