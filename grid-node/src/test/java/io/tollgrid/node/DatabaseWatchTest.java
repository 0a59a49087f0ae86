package io.tollgrid.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.tollgrid.grid.SystemClock;
import io.tollgrid.mapstore.database.LedgerDataSources;
import io.tollgrid.mapstore.testing.TestPostgres;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Witnesses R57: a clock further from PostgreSQL's than the skew allows is seen, either way. */
class DatabaseWatchTest {
  private static final Duration MAX_SKEW = Duration.ofHours(1);

  private final AtomicLong offNanos = new AtomicLong();

  @Test
  void aClockIsComparedWithPostgresqls() throws SQLException {
    try (TestPostgres database = TestPostgres.empty();
        LedgerDataSources sources = database.dataSources()) {
      final SystemClock right = new SystemClock();
      final DatabaseWatch watch =
          new DatabaseWatch(
              sources.control(),
              () -> right.nowNanos() + offNanos.get(),
              MAX_SKEW,
              new SimpleMeterRegistry());

      assertThat(beyondSkew(watch, Duration.ZERO)).isZero();
      assertThat(watch.answers()).isTrue();
      assertThat(beyondSkew(watch, Duration.ofMinutes(-30))).isZero();

      assertThat(beyondSkew(watch, Duration.ofHours(2))).isGreaterThan(MAX_SKEW);
      assertThat(watch.clockTooFarAhead()).isTrue();

      assertThat(beyondSkew(watch, Duration.ofHours(-2))).isLessThan(MAX_SKEW.negated());
      assertThat(watch.clockTooFarAhead()).as("it costs lease time only").isFalse();

      assertThat(beyondSkew(watch, Duration.ZERO)).isZero();
    }
  }

  private Duration beyondSkew(DatabaseWatch watch, Duration off) throws SQLException {
    offNanos.set(off.toNanos());
    watch.pass();
    return watch.beyondSkew();
  }
}
