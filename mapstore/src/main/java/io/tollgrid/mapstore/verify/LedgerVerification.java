package io.tollgrid.mapstore.verify;

import io.tollgrid.ledger.AccountLedger;
import io.tollgrid.ledger.CorruptLedgerException;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.Lease;
import io.tollgrid.ledger.LedgerLimits;
import io.tollgrid.mapstore.journal.Journal;
import io.tollgrid.mapstore.journal.JournalEntry;
import io.tollgrid.mapstore.journal.JournalReplay;
import io.tollgrid.mapstore.load.LedgerLoader;
import io.tollgrid.mapstore.load.LoadOutcome;
import io.tollgrid.mapstore.rows.LeaseColumns;
import io.tollgrid.mapstore.sql.Statements;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Finds every account whose stored numbers contradict each other or the rows they stand for.
 *
 * <p>What is compared is read in one transaction at REPEATABLE READ, so a live system can be
 * verified: all of it was true at one moment. Everything can be compared at once, or one range of
 * accounts after the other, each by itself. Rows stream; memory is bounded by one account's leases
 * and by how many findings are kept. It repairs nothing. Thread-safe.
 */
public final class LedgerVerification {
  /** Findings kept with their details; more are only counted. */
  public static final int MAX_KEPT = 1_000;

  /** The SQL state of a check that took longer than it may. */
  public static final String OUT_OF_TIME = "57014";

  private static final String SNAPSHOT =
      "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY";
  private static final String NTH_ACCOUNT =
      "SELECT id FROM account WHERE id >= ? ORDER BY id OFFSET ? LIMIT 1";
  private static final String COUNT = "SELECT count(*) FROM account WHERE id BETWEEN ? AND ?";
  private static final int FETCH_ROWS = 500;

  private final DataSource control;

  /** Reads through {@code control}. */
  public LedgerVerification(DataSource control) {
    this.control = control;
  }

  /**
   * What was found.
   *
   * @param accounts accounts looked at
   * @param transitions journal entries replayed, 0 if none were to be
   * @param found how many disagreements there are
   * @param findings the first {@value #MAX_KEPT} of them
   */
  public record Report(long accounts, long transitions, long found, List<Finding> findings) {
    /** Copies the list. */
    public Report {
      findings = List.copyOf(findings);
    }

    /** Whether everything agrees with everything. */
    public boolean clean() {
      return found == 0;
    }
  }

  /** Compares books, leases, usage, deposits and journal of every account. */
  public Report run() throws SQLException {
    return run(null);
  }

  /**
   * As {@link #run()}, and also replays every account's journal from its first version and compares
   * what comes out with what is stored, policy, period and every lease included.
   *
   * @param limits the bounds the accounts were run under since their first version; null to leave
   *     the replay out
   */
  public Report run(@Nullable LedgerLimits limits) throws SQLException {
    return run(AccountRange.ALL, 0, limits);
  }

  /**
   * As {@link #run()}, of a range of accounts.
   *
   * @param atMost what one check may take, whole milliseconds
   * @throws SQLException of SQL state {@value #OUT_OF_TIME} if one takes longer
   */
  public Report run(AccountRange range, Duration atMost) throws SQLException {
    return run(range, Math.max(1, atMost.toMillis()), null);
  }

  private Report run(AccountRange range, long atMostMillis, @Nullable LedgerLimits limits)
      throws SQLException {
    try (Connection connection = control.getConnection()) {
      try (Statement statement = connection.createStatement()) {
        statement.execute(SNAPSHOT);
        statement.execute("SET LOCAL statement_timeout = " + atMostMillis);
      }
      final Report report = inspect(connection, range, limits);
      connection.rollback();
      return report;
    }
  }

  /**
   * The range of the next accounts.
   *
   * @param first where it begins
   * @param accounts how many accounts it has, 1 or more; the one with fewer has no end
   */
  public AccountRange next(Id128 first, int accounts) throws SQLException {
    try (Connection connection = control.getConnection();
        PreparedStatement statement = connection.prepareStatement(NTH_ACCOUNT)) {
      statement.setObject(1, first.toUuid());
      statement.setInt(2, accounts - 1);
      final AccountRange range;
      try (ResultSet row = statement.executeQuery()) {
        range =
            row.next()
                ? new AccountRange(first, Id128.of(row.getObject(1, UUID.class)))
                : AccountRange.from(first);
      }
      connection.commit();
      return range;
    }
  }

  /** Looks at what a transaction sees. */
  static Report inspect(Connection connection, AccountRange range, @Nullable LedgerLimits limits)
      throws SQLException {
    final Pass pass = new Pass(connection, range);
    for (final Checks.Check check : Checks.ALL) {
      pass.run(check);
    }
    if (limits != null) {
      pass.replay(limits);
    }
    return new Report(pass.countAccounts(), pass.transitions, pass.found, pass.findings);
  }

  /** One run over one snapshot. */
  private static final class Pass {
    private final Connection connection;
    private final AccountRange range;
    private final List<Finding> findings = new ArrayList<>();
    private long found;
    private long transitions;
    private @Nullable JournalReplay replay;

    Pass(Connection connection, AccountRange range) {
      this.connection = connection;
      this.range = range;
    }

    void run(Checks.Check check) throws SQLException {
      try (PreparedStatement statement = check.of(connection, range)) {
        statement.setFetchSize(FETCH_ROWS);
        try (ResultSet row = statement.executeQuery()) {
          while (row.next()) {
            add(Id128.of(row.getObject(1, UUID.class)), check.name(), row.getString(2));
          }
        }
      }
    }

    void replay(LedgerLimits limits) throws SQLException {
      try (Statements statements = new Statements(connection)) {
        Journal.read(
            connection,
            new Journal.Reader() {
              @Override
              public void entry(JournalEntry entry) throws SQLException {
                replayOf(entry.account(), limits, statements).run(entry);
                transitions++;
              }

              @Override
              public void unreadable(Id128 account, long version, RuntimeException why)
                  throws SQLException {
                replayOf(account, limits, statements).unreadable(version, why);
              }
            });
        finish(statements);
      }
    }

    private JournalReplay replayOf(Id128 account, LedgerLimits limits, Statements statements)
        throws SQLException {
      final JournalReplay current = replay;
      if (current != null && current.account().equals(account)) {
        return current;
      }
      finish(statements);
      final JournalReplay next = new JournalReplay(account, limits);
      replay = next;
      return next;
    }

    private void finish(Statements statements) throws SQLException {
      final JournalReplay complete = replay;
      replay = null;
      if (complete == null) {
        return;
      }
      final String difference = complete.difference();
      if (difference != null) {
        add(complete.account(), "replay", difference);
        return;
      }
      final AccountLedger replayed = complete.ledger();
      final LoadOutcome stored = LedgerLoader.read(statements, complete.account());
      if (!(stored instanceof LoadOutcome.Found found) || !found.ledger().equals(replayed)) {
        add(
            complete.account(),
            "replay",
            "its journal ends with " + replayed + ", stored is " + stored);
      }
      final Map<Id128, Lease> leases = leasesOf(complete.account());
      if (!leases.equals(complete.leases())) {
        add(complete.account(), "replay", "its leases are not those its journal made");
      }
    }

    private Map<Id128, Lease> leasesOf(Id128 account) throws SQLException {
      final Map<Id128, Lease> leases = new HashMap<>();
      try (PreparedStatement statement =
          connection.prepareStatement(
              "SELECT " + LeaseColumns.ALL.names() + " FROM lease WHERE account = ?")) {
        statement.setFetchSize(FETCH_ROWS);
        statement.setObject(1, account.toUuid());
        try (ResultSet row = statement.executeQuery()) {
          while (row.next()) {
            final Lease lease = LeaseColumns.read(row, 1);
            leases.put(lease.id(), lease);
          }
        }
      } catch (CorruptLedgerException e) {
        add(account, "replay", "one of its leases is impossible: " + e.getMessage());
      }
      return leases;
    }

    long countAccounts() throws SQLException {
      try (PreparedStatement statement = connection.prepareStatement(COUNT)) {
        statement.setObject(1, range.first().toUuid());
        statement.setObject(2, range.last().toUuid());
        try (ResultSet row = statement.executeQuery()) {
          row.next();
          return row.getLong(1);
        }
      }
    }

    private void add(Id128 account, String check, String details) {
      found++;
      if (findings.size() < MAX_KEPT) {
        findings.add(new Finding(account, check, details));
      }
    }
  }
}
