package io.tollgrid.mapstore.denial;

import io.tollgrid.ledger.DenialMinute;
import io.tollgrid.ledger.DenialReport;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.LedgerCode;
import io.tollgrid.ledger.port.DenialRecords;
import io.tollgrid.ledger.port.LedgerClock;
import io.tollgrid.ledger.port.LedgerCodeException;
import io.tollgrid.mapstore.schema.Months;
import io.tollgrid.mapstore.sql.ColumnType;
import io.tollgrid.mapstore.sql.Commits;
import io.tollgrid.mapstore.sql.RowSet;
import io.tollgrid.mapstore.sql.Script;
import io.tollgrid.mapstore.sql.Shape;
import io.tollgrid.mapstore.sql.Statements;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Keeps denials in {@code denial_minute} (R50). Thread-safe. */
public final class PostgresDenials implements DenialRecords {
  private static final Shape MINUTES =
      Shape.empty()
          .with(ColumnType.INT4, "month")
          .with(ColumnType.UUID, "writer")
          .with(ColumnType.INT8, "report")
          .with(ColumnType.INT4, "position")
          .with(ColumnType.INT8, "minute")
          .with(ColumnType.UUID, "account", "principal")
          .with(ColumnType.TEXT, "reason")
          .with(ColumnType.INT8, "denials", "last_quote");
  private static final String INSERT =
      "INSERT INTO denial_minute ("
          + MINUTES.names()
          + ") SELECT "
          + MINUTES.names("i")
          + " FROM "
          + MINUTES.unnest("i")
          + " ON CONFLICT DO NOTHING RETURNING 1";

  private final DataSource control;
  private final LedgerClock clock;

  /** Writes through {@code control}. */
  public PostgresDenials(DataSource control, LedgerClock clock) {
    this.control = control;
    this.clock = clock;
  }

  /**
   * {@inheritDoc}
   *
   * <p>A report that is repeated in another month than it first came in is kept twice.
   */
  @Override
  public void keep(DenialReport report) {
    final RowSet rows = new RowSet(MINUTES);
    final int month = Months.of(clock.nowNanos());
    int position = 0;
    for (final DenialMinute minute : report.minutes()) {
      rows.integer(month)
          .uuid(report.writer())
          .int8(report.number())
          .integer(position++)
          .int8(minute.minute())
          .uuid(stated(minute.account()))
          .uuid(stated(minute.principal()))
          .text(minute.reason())
          .int8(minute.denials())
          .int8(minute.lastQuoteUnits());
    }
    try {
      Commits.transact(
          control,
          connection -> {
            try (Statements statements = new Statements(connection)) {
              new Script().query(INSERT, rows, row -> {}).run(statements);
            }
            return report;
          });
    } catch (SQLException e) {
      throw new LedgerCodeException(
          LedgerCode.UNAVAILABLE, "a report of denials may not be kept", e);
    }
  }

  private static @Nullable Id128 stated(Id128 id) {
    return id.equals(Id128.ZERO) ? null : id;
  }
}
