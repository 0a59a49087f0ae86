package io.tollgrid.verification.faults.sweep;

import io.tollgrid.ledger.AccountLedger;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.LeaseState;
import io.tollgrid.ledger.LedgerCodec;
import io.tollgrid.ledger.Outcome;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Predicate;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Reads what became of founded accounts, column by column and without the product's own readers.
 * Thread-safe.
 */
final class SweepEvidence {
  private static final int FETCH_ROWS = 2_000;

  /** Stored by position. */
  private static final List<LeaseState> STATES = List.of(LeaseState.values());

  private static final String CROSSINGS =
      """
      SELECT account, version, actor, ledger_time, recorded_at, deposited, expired,
             allowance + top_up + outstanding AS spendable, period_number
      FROM (SELECT *, lag(period_number) OVER (PARTITION BY account ORDER BY version) AS period_before
            FROM journal) entry
      WHERE period_number <> period_before ORDER BY account, version
      """;

  private final DataSource control;

  SweepEvidence(DataSource control) {
    this.control = control;
  }

  /** What became of the periods of these accounts. */
  List<CrossedAccount> crossed(Collection<AccountLedger> founded) throws SQLException {
    final Map<Id128, AccountLedger> before = byId(founded);
    final Map<Id128, List<CrossedAccount.Crossing>> crossings = new HashMap<>();
    each(
        CROSSINGS,
        row -> {
          final @Nullable AccountLedger account = before.get(id(row, "account"));
          if (account != null && row.getLong("version") > account.version()) {
            crossings
                .computeIfAbsent(account.id(), id -> new ArrayList<>())
                .add(
                    new CrossedAccount.Crossing(
                        row.getLong("version"),
                        row.getString("actor"),
                        row.getLong("ledger_time"),
                        row.getLong("recorded_at"),
                        row.getLong("deposited"),
                        row.getLong("expired"),
                        row.getLong("spendable"),
                        row.getLong("period_number")));
          }
        });
    final Map<Id128, List<CrossedAccount.Allowance>> allowances = new HashMap<>();
    each(
        "SELECT account, version, units FROM deposit WHERE source = 1 ORDER BY account, version",
        row -> {
          final @Nullable AccountLedger account = before.get(id(row, "account"));
          if (account != null && row.getLong("version") > account.version()) {
            allowances
                .computeIfAbsent(account.id(), id -> new ArrayList<>())
                .add(new CrossedAccount.Allowance(row.getLong("version"), row.getLong("units")));
          }
        });
    final List<CrossedAccount> crossed = new ArrayList<>();
    each(
        "SELECT id, period_number, period_end FROM account",
        row -> {
          final @Nullable AccountLedger account = before.get(id(row, "id"));
          if (account != null) {
            crossed.add(
                new CrossedAccount(
                    account,
                    crossings.getOrDefault(account.id(), List.of()),
                    allowances.getOrDefault(account.id(), List.of()),
                    row.getLong("period_number"),
                    row.getLong("period_end")));
          }
        });
    return crossed;
  }

  /**
   * What became of the leases of these accounts.
   *
   * @param disturbed accounts whose owner was killed meanwhile
   */
  List<ReclaimedAccount> reclaimed(Collection<AccountLedger> founded, Predicate<Id128> disturbed)
      throws SQLException {
    final Map<Id128, AccountLedger> before = byId(founded);
    final Map<Id128, List<ReclaimedAccount.Reclaim>> reclaims = new HashMap<>();
    each(
        "SELECT account, version, recorded_at, outcome FROM journal ORDER BY account, version",
        row -> {
          final @Nullable AccountLedger account = before.get(id(row, "account"));
          if (account != null
              && row.getLong("version") > account.version()
              && LedgerCodec.decodeOutcome(row.getBytes("outcome"))
                  instanceof Outcome.Reclaimed reclaimed) {
            reclaims
                .computeIfAbsent(account.id(), id -> new ArrayList<>())
                .add(
                    new ReclaimedAccount.Reclaim(
                        row.getLong("recorded_at"), reclaimed.leases(), reclaimed.lossUnits()));
          }
        });
    final Map<Id128, Map<Id128, ReclaimedAccount.StoredLease>> leases = leases();
    final List<ReclaimedAccount> accounts = new ArrayList<>();
    each(
        "SELECT id, allowance + top_up AS balance, outstanding, billed,"
            + " loss_resident + loss_archived AS loss FROM account",
        row -> {
          final @Nullable AccountLedger account = before.get(id(row, "id"));
          if (account != null) {
            accounts.add(
                new ReclaimedAccount(
                    account,
                    reclaims.getOrDefault(account.id(), List.of()),
                    leases.getOrDefault(account.id(), Map.of()),
                    new ReclaimedAccount.Books(
                        row.getLong("balance"),
                        row.getLong("outstanding"),
                        row.getLong("billed"),
                        row.getLong("loss")),
                    disturbed.test(account.id())));
          }
        });
    return accounts;
  }

  /** Every lease there is, by its account and its id. */
  Map<Id128, Map<Id128, ReclaimedAccount.StoredLease>> leases() throws SQLException {
    final Map<Id128, Map<Id128, ReclaimedAccount.StoredLease>> leases = new HashMap<>();
    each(
        "SELECT account, id, state, returned_allowance + returned_top_up AS returned, billed, loss,"
            + " ended_at FROM lease",
        row ->
            leases
                .computeIfAbsent(id(row, "account"), account -> new HashMap<>())
                .put(
                    id(row, "id"),
                    new ReclaimedAccount.StoredLease(
                        STATES.get(row.getInt("state")),
                        row.getLong("returned"),
                        row.getLong("billed"),
                        row.getLong("loss"),
                        row.getLong("ended_at"))));
    return leases;
  }

  /** The one number a query answers. */
  long number(String query) throws SQLException {
    final List<Long> numbers = new ArrayList<>();
    each(query, row -> numbers.add(row.getLong(1)));
    return Objects.requireNonNull(numbers.get(0));
  }

  private static Map<Id128, AccountLedger> byId(Collection<AccountLedger> founded) {
    final Map<Id128, AccountLedger> byId = new HashMap<>();
    founded.forEach(account -> byId.put(account.id(), account));
    return byId;
  }

  private static Id128 id(ResultSet row, String column) throws SQLException {
    return Id128.of(row.getObject(column, UUID.class));
  }

  private interface RowReader {
    void read(ResultSet row) throws SQLException;
  }

  private void each(String query, RowReader reader) throws SQLException {
    try (Connection connection = control.getConnection();
        Statement statement = connection.createStatement()) {
      statement.setFetchSize(FETCH_ROWS);
      try (ResultSet rows = statement.executeQuery(query)) {
        while (rows.next()) {
          reader.read(rows);
        }
      }
      connection.commit();
    }
  }
}
