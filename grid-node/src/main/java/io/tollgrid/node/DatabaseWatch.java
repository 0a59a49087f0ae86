package io.tollgrid.node;

import io.micrometer.core.instrument.MeterRegistry;
import io.tollgrid.ledger.port.LedgerClock;
import io.tollgrid.pipelines.maintenance.ClockWatch;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks PostgreSQL for the time, over and over: whether it answers, and how far this member's clock
 * is from it (R57).
 *
 * <p>A clock that is too far ahead costs every write, so it also withdraws readiness; one that is
 * behind costs lease time only.
 */
final class DatabaseWatch implements ClockWatch {
  private static final Logger LOG = LoggerFactory.getLogger(DatabaseWatch.class);
  private static final String CLOCK =
      "SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint";
  private static final long NANOS_PER_MICRO = 1_000;

  private final DataSource control;
  private final LedgerClock clock;
  private final Duration maxSkew;
  private final AtomicLong aheadNanos = new AtomicLong();
  private volatile boolean answers;
  private volatile Duration beyondSkew = Duration.ZERO;

  DatabaseWatch(DataSource control, LedgerClock clock, Duration maxSkew, MeterRegistry registry) {
    this.control = control;
    this.clock = clock;
    this.maxSkew = maxSkew;
    registry.gauge("tollgrid.database.reachable", this, watch -> watch.answers ? 1 : 0);
    registry.gauge("tollgrid.clock.ahead.seconds", aheadNanos, nanos -> nanos.get() / 1e9);
  }

  /** One question. */
  void pass() throws SQLException {
    boolean answered = false;
    try (Connection connection = control.getConnection();
        Statement statement = connection.createStatement()) {
      final long before = clock.nowNanos();
      try (ResultSet row = statement.executeQuery(CLOCK)) {
        row.next();
        final long theirs = row.getLong(1) * NANOS_PER_MICRO;
        // Our clock was read before and after PostgreSQL's: a slow answer is no skew.
        observe(before - theirs, theirs - clock.nowNanos());
      }
      connection.commit();
      answered = true;
    } finally {
      answers = answered;
    }
  }

  private void observe(long ahead, long behind) {
    aheadNanos.set(ahead);
    final boolean before = beyondSkew.isZero();
    if (ahead > maxSkew.toNanos()) {
      beyondSkew = Duration.ofNanos(ahead);
    } else if (behind > maxSkew.toNanos()) {
      beyondSkew = Duration.ofNanos(behind).negated();
    } else {
      beyondSkew = Duration.ZERO;
    }
    if (before && !beyondSkew.isZero()) {
      LOG.error(
          "this member's clock is {} ms {} PostgreSQL's, more than ledger.maxSkew allows: {}",
          beyondSkew.abs().toMillis(),
          beyondSkew.isNegative() ? "behind" : "ahead of",
          beyondSkew.isNegative()
              ? "leases end early for whoever holds them"
              : "nothing it decides can be written");
    } else if (!before && beyondSkew.isZero()) {
      LOG.info("this member's clock agrees with PostgreSQL's again");
    }
  }

  /** Whether PostgreSQL answered the last question. */
  boolean answers() {
    return answers;
  }

  /** Whether writes would be refused for this member's clock. */
  boolean clockTooFarAhead() {
    return beyondSkew.compareTo(Duration.ZERO) > 0;
  }

  @Override
  public Duration beyondSkew() {
    return beyondSkew;
  }
}
