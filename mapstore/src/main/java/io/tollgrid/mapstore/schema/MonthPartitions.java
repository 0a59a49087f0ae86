package io.tollgrid.mapstore.schema;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.YearMonth;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The month partitions of {@code journal}, {@code usage_event}, {@code usage_request} and {@code
 * denial_minute} (R23).
 *
 * <p>A row that finds no partition of its month is kept by the table's DEFAULT; that is an alarm,
 * because its month can then not be attached until somebody moved it.
 *
 * <p>Journal and usage are kept for ever. Request ids are kept until they are beyond the horizon by
 * a month or more: what is older is rejected without a look at them (R20), so their partitions are
 * dropped. A partition that takes no row stands for all of them, so that nobody with a longer
 * horizon can bill one again, and {@code ledger_settings} says from which id on all are known.
 * Thread-safe; nodes may run it at the same time.
 */
public final class MonthPartitions {
  /** Months that exist before their rows do. */
  public static final int MONTHS_AHEAD = 3;

  private static final Logger LOG = LoggerFactory.getLogger(MonthPartitions.class);
  private static final int LOCK = 0x4D4F4E54;
  private static final int MAX_MONTHS_BACK = 60;

  /** The setting that names the first id from which on all are known. */
  public static final String FIRST_REQUEST_ID = "first_request_id";

  /** Whoever waits for a table's lock has everybody behind him wait too. */
  private static final String IN_PASSING = "SET LOCAL lock_timeout = '200ms'";

  private static final String LOCKED = "55P03";

  /** DEFAULT holds rows of the month; the name is taken. */
  private static final Set<String> BLOCKING = Set.of("23514", "42P07");

  private static final List<String> BY_MONTH = List.of("journal", "usage_event", "denial_minute");
  private static final String BY_ID = "usage_request";
  private static final String FORGOTTEN = BY_ID + "_forgotten";

  private final DataSource control;

  /** Works through {@code control}. */
  public MonthPartitions(DataSource control) {
    this.control = control;
  }

  /**
   * What one run did.
   *
   * @param created partitions that are new
   * @param blocked partitions that could not be attached, because DEFAULT holds rows of theirs or
   *     something else has their name
   * @param forgotten partitions that were dropped with all their ids
   */
  public record Ensured(List<String> created, List<String> blocked, List<String> forgotten) {
    /** Copies the lists. */
    public Ensured {
      created = List.copyOf(created);
      blocked = List.copyOf(blocked);
      forgotten = List.copyOf(forgotten);
    }
  }

  /**
   * Creates what is missing from the present month (for request ids: from the oldest one accepted)
   * to {@value #MONTHS_AHEAD} months ahead, and drops older months of request ids, by PostgreSQL's
   * clock. A month whose table is in use is dropped another time.
   *
   * @param requestIdHorizon how old an accepted request id may be
   */
  public Ensured ensure(Duration requestIdHorizon) throws SQLException {
    final List<String> created = new ArrayList<>();
    final List<String> blocked = new ArrayList<>();
    final List<String> forgotten = new ArrayList<>();
    try (Connection connection = control.getConnection()) {
      final YearMonth now = Months.monthOf(clockNanos(connection));
      final YearMonth last = now.plusMonths(MONTHS_AHEAD);
      final long monthsBack = requestIdHorizon.toDays() / 28 + 1;
      final YearMonth oldest = now.minusMonths(Math.min(MAX_MONTHS_BACK, monthsBack));
      for (final String table : BY_MONTH) {
        for (YearMonth month = now; !month.isAfter(last); month = month.plusMonths(1)) {
          attach(connection, table, month, rangeByMonth(month), created, blocked);
        }
      }
      for (YearMonth month = oldest; !month.isAfter(last); month = month.plusMonths(1)) {
        attach(connection, BY_ID, month, rangeById(month), created, blocked);
      }
      if (monthsBack <= MAX_MONTHS_BACK) {
        for (final YearMonth month : monthsBefore(connection, oldest)) {
          forget(connection, month, forgotten, blocked);
        }
      }
    }
    return new Ensured(created, blocked, forgotten);
  }

  /**
   * Rows that found no partition, by table; empty when all is well. Reads at most one row of each.
   *
   * @return names of the DEFAULT partitions that hold a row
   */
  public List<String> defaultsInUse() throws SQLException {
    final List<String> used = new ArrayList<>();
    try (Connection connection = control.getConnection();
        Statement statement = connection.createStatement()) {
      final List<String> tables = new ArrayList<>(BY_MONTH);
      tables.add(BY_ID);
      for (final String table : tables) {
        final String partition = table + "_default";
        try (ResultSet row =
            statement.executeQuery("SELECT EXISTS (SELECT FROM " + partition + ")")) {
          row.next();
          if (row.getBoolean(1)) {
            used.add(partition);
          }
        }
      }
      connection.commit();
    }
    return used;
  }

  private static void attach(
      Connection connection,
      String table,
      YearMonth month,
      String range,
      List<String> created,
      List<String> blocked)
      throws SQLException {
    final String partition = table + "_" + Months.number(month);
    try (Statement statement = connection.createStatement()) {
      statement.execute("SELECT pg_advisory_xact_lock(" + LOCK + ", 0)");
      if (isAttached(connection, table, partition)) {
        connection.commit();
        return;
      }
      statement.execute("CREATE TABLE " + partition + " (LIKE " + table + " INCLUDING ALL)");
      statement.execute("ALTER TABLE " + table + " ATTACH PARTITION " + partition + " " + range);
      connection.commit();
      created.add(partition);
    } catch (SQLException e) {
      connection.rollback();
      if (!BLOCKING.contains(e.getSQLState())) {
        throw e;
      }
      LOG.error("{} cannot be made a partition of {}", partition, table, e);
      blocked.add(partition);
    }
  }

  /** Months before one whose request ids are still kept, oldest first. */
  private static List<YearMonth> monthsBefore(Connection connection, YearMonth first)
      throws SQLException {
    final List<YearMonth> months = new ArrayList<>();
    try (PreparedStatement statement =
        connection.prepareStatement(
            "SELECT substring(c.relname FROM '^usage_request_([0-9]{6})$')::int AS month"
                + " FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid"
                + " WHERE i.inhparent = to_regclass(?) ORDER BY 1")) {
      statement.setString(1, BY_ID);
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          final int month = rows.getInt(1);
          if (!rows.wasNull() && month < Months.number(first)) {
            months.add(Months.month(month));
          }
        }
      }
    }
    connection.commit();
    return months;
  }

  /** Each moves the end of what is forgotten by a month, or leaves everything as it was. */
  private static void forget(
      Connection connection, YearMonth month, List<String> forgotten, List<String> blocked)
      throws SQLException {
    final String partition = BY_ID + "_" + Months.number(month);
    final String firstKnown = Months.firstId(month.plusMonths(1)).toHex();
    try (Statement statement = connection.createStatement();
        PreparedStatement setting =
            connection.prepareStatement(
                "INSERT INTO ledger_settings (name, value) VALUES (?, ?) ON CONFLICT (name)"
                    + " DO UPDATE SET value = excluded.value")) {
      statement.execute("SELECT pg_advisory_xact_lock(" + LOCK + ", 0)");
      if (!isAttached(connection, BY_ID, partition)) {
        connection.commit();
        return;
      }
      statement.execute(IN_PASSING);
      statement.execute("ALTER TABLE " + BY_ID + " DETACH PARTITION " + partition);
      statement.execute("DROP TABLE " + partition);
      statement.execute("DROP TABLE IF EXISTS " + FORGOTTEN);
      statement.execute(
          "CREATE TABLE "
              + FORGOTTEN
              + " PARTITION OF "
              + BY_ID
              + " (CONSTRAINT usage_request_not_forgotten CHECK (false))"
              + " FOR VALUES FROM (MINVALUE) TO ('"
              + firstKnown
              + "')");
      setting.setString(1, FIRST_REQUEST_ID);
      setting.setString(2, firstKnown);
      setting.executeUpdate();
      connection.commit();
      forgotten.add(partition);
      LOG.info("{} was dropped; request ids that old are rejected", partition);
    } catch (SQLException e) {
      connection.rollback();
      if (LOCKED.equals(e.getSQLState())) {
        LOG.info("{} is in use and will be dropped another time", partition);
      } else if (BLOCKING.contains(e.getSQLState())) {
        LOG.error("{} cannot be forgotten", partition, e);
        blocked.add(partition);
      } else {
        throw e;
      }
    }
  }

  private static boolean isAttached(Connection connection, String table, String partition)
      throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            "SELECT EXISTS (SELECT FROM pg_inherits"
                + " WHERE inhparent = to_regclass(?) AND inhrelid = to_regclass(?))")) {
      statement.setString(1, table);
      statement.setString(2, partition);
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return row.getBoolean(1);
      }
    }
  }

  private static long clockNanos(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::int8")) {
      row.next();
      return Math.multiplyExact(row.getLong(1), 1_000L);
    }
  }

  private static String rangeByMonth(YearMonth month) {
    return "FOR VALUES FROM ("
        + Months.number(month)
        + ") TO ("
        + Months.number(month.plusMonths(1))
        + ")";
  }

  private static String rangeById(YearMonth month) {
    return "FOR VALUES FROM ('"
        + Months.firstId(month)
        + "') TO ('"
        + Months.firstId(month.plusMonths(1))
        + "')";
  }
}
