package io.tollgrid.mapstore.usage;

import io.tollgrid.ledger.Effects;
import io.tollgrid.ledger.UsageDelivery;
import io.tollgrid.ledger.UsageVerdict;
import io.tollgrid.mapstore.commit.UsageColumns;
import io.tollgrid.mapstore.schema.Months;
import io.tollgrid.mapstore.sql.ColumnType;
import io.tollgrid.mapstore.sql.RowSet;
import io.tollgrid.mapstore.sql.Script;
import io.tollgrid.mapstore.sql.Shape;
import io.tollgrid.mapstore.sql.Statements;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import javax.sql.DataSource;

/**
 * Compares usage with what is recorded of the same parts (R20).
 *
 * <p>A duplicate is recognised by its ids alone, so it may say something else than what was
 * recorded. Payload is everything that {@code usage_event} keeps of an event but its delivery; a
 * breakdown is the same whatever the order of its meters. Thread-safe.
 */
public final class RecordedUsage {
  /** Events one comparison may have. */
  public static final int MAX_EVENTS = 32_768;

  /** More than any two clocks here differ by. */
  private static final long CLOCKS_DIFFER_NANOS = Duration.ofDays(1).toNanos();

  private static final long NANOS_PER_MILLI = 1_000_000L;

  private static final Shape DELIVERED =
      Shape.empty()
          .with(ColumnType.INT4, "position")
          .with(ColumnType.INT4, "first_month")
          .and(UsageColumns.EVENT);

  /**
   * Reads the usage of the accounts concerned once, and only in the months in which it can have
   * been recorded, however many events are compared.
   */
  static final String DIFFERING =
      "WITH d AS MATERIALIZED (SELECT * FROM "
          + DELIVERED.unnest("i")
          + """
          )
          SELECT d.position FROM d LEFT JOIN usage_event e
            ON e.kind = 0 AND e.account = ANY (ARRAY(SELECT DISTINCT account FROM d))
              AND e.month >= (SELECT min(first_month) FROM d)
              AND e.account = d.account AND e.request_id = d.request_id AND e.part = d.part
          WHERE (e.units, e.role, e.funding, e.lease_id, e.lease_fence, e.requests, e.key_id, e.policy_revision,
              e.occurred_at)
            IS DISTINCT FROM (d.units, d.role, d.funding, d.lease_id, d.lease_fence, d.requests, d.key_id,
              d.policy_revision, d.occurred_at)
            OR (e.meters IS DISTINCT FROM d.meters::jsonb AND
          """
          + shares("e.meters")
          + " IS DISTINCT FROM "
          + shares("d.meters::jsonb")
          + ")";

  /** The planner knows neither how many events these are nor how much a young account has. */
  static final String ONE_PASS = "SET LOCAL enable_nestloop = off";

  private final DataSource connections;
  private final long earlierNanos;

  /**
   * Reads through {@code connections}.
   *
   * @param requestIdAhead how far in the future a request id may lie when its event is recorded
   */
  public RecordedUsage(DataSource connections, Duration requestIdAhead) {
    this.connections = connections;
    this.earlierNanos = Math.addExact(requestIdAhead.toNanos(), CLOCKS_DIFFER_NANOS);
  }

  /**
   * Which of these events are not recorded with the payload they have here, by their positions; one
   * that is not recorded at all is among them.
   *
   * @param events at most {@value #MAX_EVENTS}, with time-ordered request ids
   */
  public BitSet differing(List<UsageDelivery> events) throws SQLException {
    if (events.size() > MAX_EVENTS) {
      throw new IllegalArgumentException(
          "no more than " + MAX_EVENTS + " events are compared at once, not " + events.size());
    }
    final BitSet positions = new BitSet();
    final RowSet rows = rows(events);
    try (Connection connection = connections.getConnection();
        Statement planning = connection.createStatement();
        Statements statements = new Statements(connection)) {
      planning.execute(ONE_PASS);
      new Script()
          .queryUnlessEmpty(DIFFERING, rows, row -> positions.set(row.getInt(1)))
          .run(statements);
      connection.commit();
    }
    return positions;
  }

  private RowSet rows(List<UsageDelivery> events) {
    final RowSet rows = new RowSet(DELIVERED);
    for (int i = 0; i < events.size(); i++) {
      final UsageDelivery delivery = events.get(i);
      final long madeNanos =
          Math.multiplyExact(delivery.event().requestId().unixMillis(), NANOS_PER_MILLI);
      rows.integer(i).integer(Months.of(Math.subtractExact(madeNanos, earlierNanos)));
      // Version, verdict, period and delivery are no payload: they are written and not compared.
      UsageColumns.write(
          rows,
          delivery.account(),
          0,
          new Effects.UsageEntry(delivery.event(), UsageVerdict.DUPLICATE, 0));
    }
    return rows;
  }

  /** A breakdown as units by meter. */
  private static String shares(String meters) {
    return "(SELECT jsonb_object_agg(meter, units) FROM (SELECT share ->> 'meter' AS meter,"
        + " sum((share ->> 'units')::numeric) AS units FROM jsonb_array_elements("
        + meters
        + ") AS share GROUP BY 1) AS by_meter)";
  }
}
