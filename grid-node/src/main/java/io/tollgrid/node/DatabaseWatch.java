package io.tollgrid.node;

import io.micrometer.core.instrument.MeterRegistry;
import io.tollgrid.ledger.port.LedgerClock;
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
 * is ahead of it (R57).
 *
 * <p>A clock that is too far ahead costs every write, so it is alarmed as soon as it is seen and
 * withdraws readiness; one that is behind costs lease time only.
 */
final class DatabaseWatch {
  private static final Logger LOG = LoggerFactory.getLogger(DatabaseWatch.class);
  private static final String CLOCK =
      "SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint";
  private static final long NANOS_PER_MICRO = 1_000;

  private final DataSource control;
  private final LedgerClock clock;
  private final Duration maxSkew;
  private final AtomicLong aheadNanos = new AtomicLong();
  private volatile boolean answers;
  private volatile boolean alarmed;

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
        // The earliest our clock can have read when PostgreSQL answered: no false alarm from a
        // slow answer.
        observe(before - row.getLong(1) * NANOS_PER_MICRO);
      }
      connection.commit();
      answered = true;
    } finally {
      answers = answered;
    }
  }

  private void observe(long ahead) {
    aheadNanos.set(ahead);
    final boolean tooFar = clockTooFarAhead();
    if (tooFar && !alarmed) {
      LOG.error(
          "this member's clock is {} ms ahead of PostgreSQL's, more than ledger.maxSkew allows:"
              + " nothing it decides can be written",
          Duration.ofNanos(ahead).toMillis());
    } else if (!tooFar && alarmed) {
      LOG.info("this member's clock agrees with PostgreSQL's again");
    }
    alarmed = tooFar;
  }

  /** Whether PostgreSQL answered the last question. */
  boolean answers() {
    return answers;
  }

  /** Whether writes would be refused for this member's clock. */
  boolean clockTooFarAhead() {
    return aheadNanos.get() > maxSkew.toNanos();
  }
}
