package io.tollgrid.mapstore.rows;

import io.tollgrid.ledger.CorruptLedgerException;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.LedgerCode;
import io.tollgrid.ledger.RowKey;
import io.tollgrid.ledger.StoredRow;
import io.tollgrid.ledger.port.LedgerCodeException;
import io.tollgrid.ledger.port.LedgerRows;
import io.tollgrid.mapstore.sql.Script;
import io.tollgrid.mapstore.sql.Statements;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import javax.sql.DataSource;

/**
 * Rows that are not in an account's entry, from PostgreSQL, in one round trip.
 *
 * <p>Thread-safe. What it reads may be old by the time it is used: the committer compares it again.
 */
public final class PostgresLedgerRows implements LedgerRows {
  private final DataSource loads;

  /** Reads through {@code loads}. */
  public PostgresLedgerRows(DataSource loads) {
    this.loads = loads;
  }

  /**
   * {@inheritDoc}
   *
   * @throws LedgerCodeException {@link LedgerCode#UNAVAILABLE} if PostgreSQL does not answer,
   *     {@link LedgerCode#CORRUPT} if a row cannot be what any sequence of commands made
   */
  @Override
  public Map<RowKey, Optional<StoredRow>> fetch(Id128 account, Set<RowKey> keys) {
    if (keys.isEmpty()) {
      return Map.of();
    }
    final RowReads reads = new RowReads();
    final Script script = new Script();
    keys.forEach(key -> reads.want(account, key));
    reads.addTo(script);
    try (Connection connection = loads.getConnection();
        Statements statements = new Statements(connection)) {
      script.run(statements);
      connection.commit();
    } catch (SQLException e) {
      throw new LedgerCodeException(
          LedgerCode.UNAVAILABLE, "the rows of account " + account + " could not be read", e);
    } catch (CorruptLedgerException | IllegalArgumentException e) {
      throw new LedgerCodeException(
          LedgerCode.CORRUPT, "a row of account " + account + " is impossible", e);
    }
    final Map<RowKey, Optional<StoredRow>> rows = new HashMap<>();
    keys.forEach(key -> rows.put(key, Optional.ofNullable(reads.row(account, key))));
    return rows;
  }
}
