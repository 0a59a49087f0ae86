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
 * because its month can then not be attached until somebody moved it. Thread-safe; nodes may run it
 * at the same time.
 */
public final class MonthPartitions {
  /** Months that exist before their rows do. */
  public static final int MONTHS_AHEAD = 3;

  private static final Logger LOG = LoggerFactory.getLogger(MonthPartitions.class);
  private static final int LOCK = 0x4D4F4E54;
  private static final int MAX_MONTHS_BACK = 60;

  /** DEFAULT holds rows of the month; the name is taken. */
  private static final Set<String> BLOCKING = Set.of("23514", "42P07");

  private static final List<String> BY_MONTH = List.of("journal", "usage_event", "denial_minute");
  private static final String BY_ID = "usage_request";

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
   */
  public record Ensured(List<String> created, List<String> blocked) {
    /** Copies the lists. */
    public Ensured {
      created = List.copyOf(created);
      blocked = List.copyOf(blocked);
    }
  }

  /**
   * Creates what is missing from the present month (for request ids: from the oldest one accepted)
   * to {@value #MONTHS_AHEAD} months ahead, by PostgreSQL's clock.
   *
   * @param requestIdHorizon how old an accepted request id may be
   */
  public Ensured ensure(Duration requestIdHorizon) throws SQLException {
    final List<String> created = new ArrayList<>();
    final List<String> blocked = new ArrayList<>();
    try (Connection connection = control.getConnection()) {
      final YearMonth now = Months.monthOf(clockNanos(connection));
      final YearMonth last = now.plusMonths(MONTHS_AHEAD);
      final YearMonth oldest =
          now.minusMonths(Math.min(MAX_MONTHS_BACK, requestIdHorizon.toDays() / 28 + 1));
      for (final String table : BY_MONTH) {
        for (YearMonth month = now; !month.isAfter(last); month = month.plusMonths(1)) {
          attach(connection, table, month, rangeByMonth(month), created, blocked);
        }
      }
      for (YearMonth month = oldest; !month.isAfter(last); month = month.plusMonths(1)) {
        attach(connection, BY_ID, month, rangeById(month), created, blocked);
      }
    }
    return new Ensured(created, blocked);
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
