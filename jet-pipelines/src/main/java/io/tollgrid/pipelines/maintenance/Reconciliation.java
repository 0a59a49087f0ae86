package io.tollgrid.pipelines.maintenance;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.port.LedgerClock;
import io.tollgrid.mapstore.verify.AccountRange;
import io.tollgrid.mapstore.verify.Finding;
import io.tollgrid.mapstore.verify.LedgerVerification;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.function.ToDoubleFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares every account's books with the rows they stand for, again and again (R54). It reads and
 * raises alarms; it changes nothing.
 *
 * <p>One member does it, in pages of accounts, each compared in a snapshot of its own, so that work
 * in flight is no difference. It rests nine times as long as a page took, within a bound. A page
 * whose checks take too long is tried with fewer accounts, and a single account that takes too long
 * is passed over: the pass is then not whole. What was found stands until its account is compared
 * again. One thread makes the passes; what they found may be asked by any.
 */
public final class Reconciliation {
  /** Findings kept; those beyond are found again once some of these are gone. */
  static final int MAX_KEPT = 1_000;

  private static final Logger LOG = LoggerFactory.getLogger(Reconciliation.class);
  private static final double NANOS_PER_SECOND = 1e9;
  private static final int REST = 9;
  private static final int SHRINK = 4;

  /** One finding per account and check, whatever the numbers are at the moment. */
  private static final Comparator<Finding> BY_ACCOUNT_AND_CHECK =
      Comparator.comparing(Finding::account).thenComparing(Finding::check);

  /** What it asks of PostgreSQL. */
  public interface Books {
    /** The range of the next accounts. */
    AccountRange next(Id128 first, int accounts) throws SQLException;

    /** Compares a range, within a bounded time. */
    LedgerVerification.Report compare(AccountRange range) throws SQLException;
  }

  private final Books books;
  private final BooleanSupplier isOurs;
  private final LedgerClock clock;
  private final ReconciliationSettings settings;
  private final Counter compared;
  private final Counter tooLong;
  private final Counter failed;
  private final Counter accountsCompared;
  private final Counter accountsPassedOver;
  private final Counter whole;
  private final Counter partial;
  private final Counter found;

  // of the thread that makes the passes
  private final TreeSet<Finding> known = new TreeSet<>(BY_ACCOUNT_AND_CHECK);
  private Id128 first = Id128.ZERO;
  private int accounts;
  private boolean passedOver;
  private long notBeforeNanos;

  private volatile List<Finding> findings = List.of();
  private volatile boolean reading;
  private volatile long wholeAtNanos;

  /**
   * A reconciliation that has compared nothing yet.
   *
   * @param isOurs whether this member is the one to do it
   */
  public Reconciliation(
      Books books,
      BooleanSupplier isOurs,
      LedgerClock clock,
      ReconciliationSettings settings,
      MeterRegistry registry) {
    this.books = books;
    this.isOurs = isOurs;
    this.clock = clock;
    this.settings = settings;
    this.compared = registry.counter("tollgrid.reconciliation.pages", "result", "compared");
    this.tooLong = registry.counter("tollgrid.reconciliation.pages", "result", "too-long");
    this.failed = registry.counter("tollgrid.reconciliation.pages", "result", "failed");
    this.accountsCompared =
        registry.counter("tollgrid.reconciliation.accounts", "result", "compared");
    this.accountsPassedOver =
        registry.counter("tollgrid.reconciliation.accounts", "result", "passed-over");
    this.whole = registry.counter("tollgrid.reconciliation.passes", "result", "whole");
    this.partial = registry.counter("tollgrid.reconciliation.passes", "result", "partial");
    this.found = registry.counter("tollgrid.reconciliation.found");
    gauge(registry, "tollgrid.reconciliation.findings", here -> here.findings.size());
    gauge(
        registry,
        "tollgrid.reconciliation.whole.pass.seconds",
        here -> here.reading ? (double) here.wholeAtNanos / NANOS_PER_SECOND : Double.NaN);
  }

  private void gauge(MeterRegistry registry, String name, ToDoubleFunction<Reconciliation> value) {
    Gauge.builder(name, this, value).strongReference(true).register(registry);
  }

  /** The accounts of a database. */
  public static Books books(LedgerVerification verification, ReconciliationSettings settings) {
    final Duration atMost = Duration.ofNanos(settings.checkNanos());
    return new Books() {
      @Override
      public AccountRange next(Id128 first, int accounts) throws SQLException {
        return verification.next(first, accounts);
      }

      @Override
      public LedgerVerification.Report compare(AccountRange range) throws SQLException {
        return verification.run(range, atMost);
      }
    };
  }

  /** Compares one page, if it is time and this member's turn. */
  public void pass() throws SQLException {
    if (!isOurs.getAsBoolean()) {
      stop();
      return;
    }
    final long now = clock.nowNanos();
    if (!reading) {
      begin(now);
    }
    if (now >= notBeforeNanos) {
      page(now);
    }
  }

  private void begin(long now) {
    first = Id128.ZERO;
    accounts = settings.accounts();
    passedOver = false;
    notBeforeNanos = now;
    wholeAtNanos = now;
    reading = true;
  }

  /** Another member's turn: what this one knew is as old as its last pass. */
  private void stop() {
    reading = false;
    known.clear();
    findings = List.of();
  }

  private void page(long beganNanos) throws SQLException {
    try {
      final AccountRange range = books.next(first, accounts);
      final LedgerVerification.Report report;
      try {
        report = books.compare(range);
      } catch (SQLException e) {
        if (!LedgerVerification.OUT_OF_TIME.equals(e.getSQLState())) {
          throw e;
        }
        tookTooLong(range);
        return;
      }
      compared.increment();
      accountsCompared.increment((double) report.accounts());
      keep(range, report);
      accounts = (int) Math.min(settings.accounts(), 2L * accounts);
      goOn(range);
    } catch (SQLException | RuntimeException e) {
      failed.increment();
      throw e;
    } finally {
      final long now = clock.nowNanos();
      final long rest = Math.min(settings.longestRestNanos(), REST * (now - beganNanos));
      notBeforeNanos = Math.max(notBeforeNanos, now + Math.max(0, rest));
    }
  }

  private void tookTooLong(AccountRange range) {
    tooLong.increment();
    if (accounts > 1) {
      accounts = Math.max(1, accounts / SHRINK);
      return;
    }
    accountsPassedOver.increment();
    passedOver = true;
    LOG.warn("account {} takes too long to be compared and is passed over", range.last());
    goOn(range);
  }

  private void keep(AccountRange range, LedgerVerification.Report report) {
    final Set<Finding> before = new TreeSet<>(known);
    known.removeIf(finding -> range.contains(finding.account()));
    for (final Finding finding : report.findings()) {
      if (known.size() < MAX_KEPT && known.add(finding) && !before.contains(finding)) {
        found.increment();
        LOG.error("reconciliation: {}", finding);
      }
    }
    findings = List.copyOf(known);
  }

  private void goOn(AccountRange range) {
    if (!range.endsAll()) {
      first = range.next();
      return;
    }
    final long now = clock.nowNanos();
    if (passedOver) {
      partial.increment();
    } else {
      whole.increment();
      wholeAtNanos = now;
    }
    passedOver = false;
    first = Id128.ZERO;
    notBeforeNanos = now + settings.intervalNanos();
  }

  /**
   * What disagreed when it was last compared, at most one finding per account and check; none on a
   * member whose turn it is not.
   */
  public List<Finding> findings() {
    return findings;
  }

  /** For how long no pass over all accounts has ended, nanoseconds; 0 where it is not our turn. */
  public long unfinishedNanos() {
    return reading ? Math.max(0, clock.nowNanos() - wholeAtNanos) : 0;
  }

  /** Whether no pass over all accounts has ended for too long. */
  public boolean isLate() {
    return unfinishedNanos() > settings.lateNanos();
  }
}
