package io.tollgrid.mapstore.load;

import io.tollgrid.ledger.CorruptLedgerException;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.Lease;
import io.tollgrid.ledger.LeaseState;
import io.tollgrid.ledger.LedgerCode;
import io.tollgrid.mapstore.rows.AccountColumns;
import io.tollgrid.mapstore.rows.LeaseColumns;
import io.tollgrid.mapstore.sql.ColumnType;
import io.tollgrid.mapstore.sql.RowSet;
import io.tollgrid.mapstore.sql.Script;
import io.tollgrid.mapstore.sql.Shape;
import io.tollgrid.mapstore.sql.Statements;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Reads accounts with their active leases and resident losses, in one statement and so as of one
 * moment.
 *
 * <p>An account that contradicts itself is corrupt alone: it becomes its own outcome and the
 * accounts read with it proceed. Confined to one call.
 */
final class AccountRows {
  /** One row per resident lease; an account without any has one row with a null lease. */
  static final String SELECT =
      "SELECT a.id, "
          + AccountColumns.ALL.names("a")
          + ", "
          + LeaseColumns.ALL.names("l")
          // OFFSET 0 keeps the planner from turning this around into a scan of all resident leases.
          + " FROM account a LEFT JOIN LATERAL"
          + " (SELECT * FROM lease r WHERE r.account = a.id AND r.state <= 1 OFFSET 0) l ON true"
          + " WHERE a.id = ANY(?::uuid[]) ORDER BY a.id, l.fence";

  private static final Shape IDS = Shape.empty().with(ColumnType.UUID, "id");
  private static final int FIRST_ACCOUNT_COLUMN = 2;
  private static final int FIRST_LEASE_COLUMN = FIRST_ACCOUNT_COLUMN + AccountColumns.COUNT;

  /** The account whose rows are passing, until the next one's begin. */
  private static final class Passing {
    final Id128 id;
    AccountColumns.@Nullable Stored account;
    @Nullable RuntimeException impossible;
    final List<Lease> active = new ArrayList<>();
    final List<Lease> losses = new ArrayList<>();

    Passing(Id128 id) {
      this.id = id;
    }

    LoadOutcome outcome() {
      try {
        if (impossible != null || account == null) {
          throw impossible != null ? impossible : new CorruptLedgerException("no account row");
        }
        return new LoadOutcome.Found(account.with(active, losses));
      } catch (CorruptLedgerException | IllegalArgumentException e) {
        return new LoadOutcome.Failed(
            LedgerCode.CORRUPT, "account " + id + " is corrupt: " + e.getMessage(), e);
      }
    }
  }

  private final Map<Id128, LoadOutcome> outcomes = new HashMap<>();
  private @Nullable Passing passing;

  private AccountRows() {}

  /** Reads {@code ids}; those without an outcome do not exist. */
  static Map<Id128, LoadOutcome> read(Statements statements, Collection<Id128> ids)
      throws SQLException {
    final RowSet keys = new RowSet(IDS);
    ids.forEach(keys::uuid);
    final AccountRows rows = new AccountRows();
    new Script().query(SELECT, keys, rows::row).run(statements);
    rows.pass();
    return rows.outcomes;
  }

  private void row(ResultSet row) throws SQLException {
    final Id128 id = Id128.of(row.getObject(1, UUID.class));
    Passing account = passing;
    if (account == null || !account.id.equals(id)) {
      pass();
      account = new Passing(id);
      passing = account;
    }
    if (account.impossible == null) {
      try {
        fill(account, row);
      } catch (CorruptLedgerException | IllegalArgumentException e) {
        account.impossible = e;
      }
    }
  }

  private static void fill(Passing passing, ResultSet row) throws SQLException {
    if (passing.account == null) {
      passing.account = AccountColumns.read(row, FIRST_ACCOUNT_COLUMN, passing.id);
    }
    if (row.getObject(FIRST_LEASE_COLUMN) != null) {
      final Lease lease = LeaseColumns.read(row, FIRST_LEASE_COLUMN);
      (lease.state() == LeaseState.ACTIVE ? passing.active : passing.losses).add(lease);
    }
  }

  private void pass() {
    final Passing complete = passing;
    if (complete != null) {
      outcomes.put(complete.id, complete.outcome());
    }
    passing = null;
  }
}
