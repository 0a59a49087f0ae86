package io.tollgrid.pipelines.maintenance;

import io.tollgrid.ledger.port.LedgerClock;
import io.tollgrid.mapstore.schema.MonthPartitions;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/**
 * Keeps month partitions ahead of their rows, and knows which rows found none (R23).
 *
 * <p>One thread makes the passes; what it knows may be asked by any.
 */
public final class MonthWatch {
  /** Partitions are three months ahead, so nothing is late yet when this has passed. */
  private static final long PATIENCE_NANOS = Duration.ofHours(24).toNanos();

  /** What it asks of PostgreSQL. */
  public interface Months {
    /** Creates the partitions that are missing. */
    MonthPartitions.Ensured ensure() throws SQLException;

    /** DEFAULT partitions that hold a row. */
    List<String> defaultsInUse() throws SQLException;
  }

  private final Months months;
  private final LedgerClock clock;
  private volatile List<String> blocked = List.of();
  private volatile List<String> defaultsInUse = List.of();
  private volatile long aheadAtNanos;

  /** A watch that has just been told that the partitions are there, as they are after a start. */
  public MonthWatch(Months months, LedgerClock clock) {
    this.months = months;
    this.clock = clock;
    this.aheadAtNanos = clock.nowNanos();
  }

  /** The partitions of a database. */
  public static MonthWatch of(
      MonthPartitions partitions, Duration requestIdHorizon, LedgerClock clock) {
    return new MonthWatch(
        new Months() {
          @Override
          public MonthPartitions.Ensured ensure() throws SQLException {
            return partitions.ensure(requestIdHorizon);
          }

          @Override
          public List<String> defaultsInUse() throws SQLException {
            return partitions.defaultsInUse();
          }
        },
        clock);
  }

  /** Looks for rows without a partition, then creates what is missing. */
  public void pass() throws SQLException {
    defaultsInUse = List.copyOf(months.defaultsInUse());
    final MonthPartitions.Ensured ensured = months.ensure();
    blocked = ensured.blocked();
    if (blocked.isEmpty()) {
      aheadAtNanos = clock.nowNanos();
    }
  }

  /** DEFAULT partitions that held a row when it last looked. */
  public List<String> defaultsInUse() {
    return defaultsInUse;
  }

  /** Partitions that could not be created when it last tried. */
  public List<String> blocked() {
    return blocked;
  }

  /** Whether the partitions have not been known to be there for longer than a repair may take. */
  public boolean isLate() {
    return clock.nowNanos() - aheadAtNanos > PATIENCE_NANOS;
  }
}
