package io.tollgrid.pipelines.sweep;

import io.tollgrid.client.Backoff;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.port.LedgerClock;
import io.tollgrid.mapstore.sweep.DueCursor;
import io.tollgrid.mapstore.sweep.DuePage;
import java.sql.SQLException;
import java.util.List;
import java.util.SplittableRandom;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads what is due, pass after pass (R19).
 *
 * <p>A pass freezes its cutoff when it begins and reads page after page, oldest due first, each
 * behind the one before, until one is not full: accounts that cannot be served are passed by like
 * all others, and what becomes due meanwhile is the next pass's. A read that fails is repeated
 * after a pause; the pass goes on where it was. Confined to one thread.
 */
final class SweepPasses {
  private static final Logger LOG = LoggerFactory.getLogger(SweepPasses.class);

  /**
   * A page's accounts.
   *
   * @param cutoffNanos the pass's cutoff, epoch nanoseconds
   * @param accounts whom to serve, in this order
   */
  record Batch(long cutoffNanos, List<Id128> accounts) {
    static final Batch NONE = new Batch(0, List.of());
  }

  private final Sweep sweep;
  private final DueReads reads;
  private final LedgerClock clock;
  private final SweepSettings settings;
  private final SweepReport report;
  private final SplittableRandom random = new SplittableRandom();
  private final Backoff backoff;

  private boolean inPass;
  private long cutoffNanos;
  private DueCursor cursor = DueCursor.START;
  private long notBeforeNanos = Long.MIN_VALUE;

  SweepPasses(
      Sweep sweep, DueReads reads, LedgerClock clock, SweepSettings settings, SweepReport report) {
    this.sweep = sweep;
    this.reads = reads;
    this.clock = clock;
    this.settings = settings;
    this.report = report;
    this.backoff =
        new Backoff(settings.firstBackoffNanos(), settings.longestBackoffNanos(), random);
  }

  /** The next page; empty while there is nothing to do, and after a read that failed. */
  Batch next() {
    final long now = clock.nowNanos();
    if (now < notBeforeNanos) {
      return Batch.NONE;
    }
    if (inPass && now - cutoffNanos > settings.passNanos()) {
      inPass = false;
      report.passCut();
    }
    if (!inPass) {
      inPass = true;
      cutoffNanos = now;
      cursor = DueCursor.START;
    }
    try {
      final DuePage page = reads.page(cutoffNanos, cursor, settings.pageSize());
      backoff.reset();
      report.pageRead(page);
      if (cursor.equals(DueCursor.START)) {
        report.passBegan(page);
      }
      page.next().ifPresentOrElse(place -> cursor = place, this::endPass);
      return new Batch(cutoffNanos, page.accounts());
    } catch (SQLException | RuntimeException e) {
      failed(e);
      return Batch.NONE;
    }
  }

  private void endPass() {
    inPass = false;
    final long now = clock.nowNanos();
    report.passCompleted(now);
    notBeforeNanos = now + Backoff.jittered(settings.intervalNanos(), random);
  }

  private void failed(Exception e) {
    report.readFailed();
    notBeforeNanos = clock.nowNanos() + backoff.nextNanos();
    if (backoff.isWorthAWarning()) {
      LOG.warn(
          "{} cannot read what is due, again and again; it goes on trying: {}",
          sweep.label(),
          e.toString());
    }
  }
}
