package io.tollgrid.pipelines.testing;

import io.tollgrid.ledger.Id128;
import io.tollgrid.mapstore.verify.AccountRange;
import io.tollgrid.mapstore.verify.Finding;
import io.tollgrid.mapstore.verify.LedgerVerification;
import io.tollgrid.pipelines.maintenance.Reconciliation;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;

/** Accounts in memory whose books disagree with their rows as a test says. */
public final class ScriptedBooks implements Reconciliation.Books {
  /** Every range that was compared, or tried, so far. */
  public final List<AccountRange> ranges = new CopyOnWriteArrayList<>();

  private final NavigableSet<Id128> accounts = new TreeSet<>();
  private final Map<Id128, String> wrong = new HashMap<>();
  private final Set<Id128> endless = new HashSet<>();
  private boolean away;

  /** The account of a number, 1 or more. */
  public static Id128 account(int n) {
    return new Id128(0, n);
  }

  /** There are accounts 1 to {@code n}. */
  public void open(int n) {
    for (int i = 1; i <= n; i++) {
      accounts.add(account(i));
    }
  }

  /** An account's books disagree. */
  public synchronized void spoil(int n, String details) {
    wrong.put(account(n), details);
  }

  /** Comparing an account takes for ever. */
  public synchronized void holdUp(int n) {
    endless.add(account(n));
  }

  /** The database is away. */
  public synchronized void goAway() {
    away = true;
  }

  /** All is well. */
  public synchronized void heal() {
    wrong.clear();
    endless.clear();
    away = false;
  }

  @Override
  public synchronized AccountRange next(Id128 first, int count) {
    final List<Id128> behind = new ArrayList<>(accounts.tailSet(first, true));
    return behind.size() < count
        ? new AccountRange(first, AccountRange.ALL.last())
        : new AccountRange(first, behind.get(count - 1));
  }

  @Override
  public synchronized LedgerVerification.Report compare(AccountRange range) throws SQLException {
    ranges.add(range);
    if (away) {
      throw new SQLException("the database is away, as the test wants", "08006");
    }
    if (endless.stream().anyMatch(range::contains)) {
      throw new SQLException(
          "it takes too long, as the test wants", LedgerVerification.OUT_OF_TIME);
    }
    final List<Finding> findings = new ArrayList<>();
    wrong.forEach(
        (account, details) -> {
          if (range.contains(account)) {
            findings.add(new Finding(account, "leases", details));
          }
        });
    return new LedgerVerification.Report(
        accounts.stream().filter(range::contains).count(), 0, findings.size(), findings);
  }
}
