package io.tollgrid.verification.faults.sweep;

import io.tollgrid.mapstore.database.LedgerDataSources;
import io.tollgrid.mapstore.sweep.DueAccounts;
import io.tollgrid.mapstore.sweep.DueCursor;
import io.tollgrid.mapstore.sweep.DuePage;
import io.tollgrid.verification.faults.check.Violation;
import io.tollgrid.verification.faults.run.Progress;
import io.tollgrid.verification.faults.run.RunResult;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What a page reads where a million accounts, and as many leases, are not due: first of a few
 * thousand that are, page by page, then of all of them.
 */
final class PlanLane {
  static final String NAME = "pages";

  private static final int PAGE = 500;
  private static final int DUE = 5_000;

  /** What is due is so by now. The rest is due much later, a nanosecond apart. */
  private static final long CUTOFF_NANOS = 1_000_000_000L;

  private static final long LATER_NANOS = 2_000_000_000L;
  private static final Duration LIMIT = Duration.ofMinutes(20);

  private final int accounts;
  private final long seed;
  private final Progress progress;
  private final List<Violation> violations = new ArrayList<>();

  PlanLane(int accounts, long seed, Progress progress) {
    this.accounts = accounts;
    this.seed = seed;
    this.progress = progress;
  }

  RunResult run(Path directory) throws SQLException {
    try (SweepRig sweeps = SweepRig.prepare(NAME, seed, directory, LIMIT, progress)) {
      try (Connection connection = sweeps.connect()) {
        found(connection, DUE, accounts);
      }
      sweeps.analyze();
      sweeps.facts().put("accounts_not_due", (long) accounts);
      sweeps.facts().put("accounts_due", (long) DUE);
      sweeps.lane().say(accounts + " accounts and leases are not due, " + DUE + " are");
      explain(sweeps.sources(), sweeps.facts());
      return sweeps.lane().result(sweeps.facts(), violations);
    }
  }

  /** Accounts that hold one lease each, of all they had. */
  static void found(Connection connection, int due, int notDue) throws SQLException {
    final String all = " FROM generate_series(1, " + (due + notDue) + ") n";
    final String id = "lpad(to_hex(n), 32, '0')::uuid";
    // Ids are in no order that the times are in.
    final String at =
        String.format(
            "CASE WHEN n <= %1$d THEN 1000 + n::bigint * 7919 %% %1$d"
                + " ELSE %2$d + n::bigint * 7919 %% %3$d END",
            due, LATER_NANOS, notDue);
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          "INSERT INTO account (id, version, as_of, deposited, outstanding, next_fence,"
              + " policy_generation, status, capacity_class, mode, overage_cap,"
              + " requests_per_second, burst_requests, units_per_second, burst_units,"
              + " concurrency_ceiling, ever_elastic, period_number, period_end, schedule_kind,"
              + " schedule_zone, schedule_anchor_day, schedule_amount, change_pending, funded_day,"
              + " funded_week, funded_month) SELECT "
              + id
              + ", 1, 1, 5, 5, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, false, 1, "
              + at
              + ", 0, 'UTC', 1, 1, false, 0, 0, 0"
              + all);
      statement.execute(
          "INSERT INTO lease (account, id, holder, fence, body_hash, period_number,"
              + " granted_allowance, granted_top_up, first_expires_at, expires_at, grace) SELECT "
              + String.join(", ", id, id, id, "1", id, "1", "0", "5", at, at, "0")
              + all);
      connection.commit();
    }
  }

  private void explain(LedgerDataSources sources, Map<String, Long> facts) throws SQLException {
    final PageReads reads = new PageReads(sources.sweeps());
    final DueAccounts due = new DueAccounts(sources.sweeps());
    for (final PageReads.Page page : PageReads.Page.values()) {
      explain("first", page, CUTOFF_NANOS, DueCursor.START, reads, facts);
      explain(
          "later",
          page,
          CUTOFF_NANOS,
          behind(due, page, CUTOFF_NANOS, DueCursor.START, 6),
          reads,
          facts);
      // A backlog of all of them, from its middle on.
      final DueCursor middle =
          behind(
              due,
              page,
              Long.MAX_VALUE,
              new DueCursor(
                  LATER_NANOS + accounts / 2, DueCursor.START.account(), DueCursor.START.lease()),
              1);
      explain("backlog", page, Long.MAX_VALUE, middle, reads, facts);
      facts.put(name("none_due", page), reads.cost(page, 0, DueCursor.START, PAGE).buffers());
    }
  }

  private void explain(
      String which,
      PageReads.Page page,
      long cutoffNanos,
      DueCursor after,
      PageReads reads,
      Map<String, Long> facts)
      throws SQLException {
    final PageReads.Cost cost = reads.cost(page, cutoffNanos, after, PAGE);
    facts.put(name(which, page), cost.buffers());
    progress.say(NAME + ": " + name(which, page) + " " + cost);
    violations.addAll(PageReads.check(name(which, page), cost, PAGE));
  }

  private static String name(String which, PageReads.Page page) {
    return "buffers_" + which + "_page_of_" + page.name().toLowerCase(Locale.ROOT);
  }

  /** Where the page after so many pages begins. */
  private static DueCursor behind(
      DueAccounts due, PageReads.Page page, long cutoffNanos, DueCursor from, int pages)
      throws SQLException {
    DueCursor cursor = from;
    for (int i = 0; i < pages; i++) {
      final DuePage read =
          page == PageReads.Page.LEASES
              ? due.withDueLeases(cutoffNanos, cursor, PAGE)
              : due.withDueBoundaries(cutoffNanos, cursor, PAGE);
      cursor = read.next().orElseThrow(() -> new SQLException("fewer are due than were founded"));
    }
    return cursor;
  }
}
