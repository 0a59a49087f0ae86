package io.tollgrid.verification.faults.sweep;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tollgrid.mapstore.sweep.DueAccounts;
import io.tollgrid.mapstore.sweep.DueCursor;
import io.tollgrid.verification.faults.check.Violation;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import javax.sql.DataSource;

/**
 * What PostgreSQL reads for one page of a sweep: the product's own statement, planned generically
 * in a session of the product's own, explained while it runs. Thread-safe.
 */
final class PageReads {
  /** Buffers one row of a page may cost. */
  static final int BUFFERS_PER_ROW = 20;

  private static final Pattern PARAMETER = Pattern.compile("\\?");
  private static final Set<String> GROWING = Set.of("Seq Scan", "Sort", "Incremental Sort");

  /** Which sweep's page. */
  enum Page {
    /** Of leases to be written off. */
    LEASES(DueAccounts.LEASES, "bigint, bigint, uuid, uuid, int"),
    /** Of accounts whose boundary is due. */
    BOUNDARIES(DueAccounts.BOUNDARIES, "bigint, bigint, uuid, int");

    private final String sql;
    private final String types;

    Page(String sql, String types) {
      this.sql = sql;
      this.types = types;
    }

    private String arguments(long cutoffNanos, DueCursor after, int limit) {
      final String account = "'" + after.account().toUuid() + "'";
      final String lease = this == LEASES ? ", '" + after.lease().toUuid() + "'" : "";
      return cutoffNanos + ", " + after.dueNanos() + ", " + account + lease + ", " + limit;
    }
  }

  /**
   * What was read.
   *
   * @param rows rows the page returned
   * @param buffers shared buffers touched for it, in memory or not
   * @param nodes the kinds of its plan's nodes, from the outside in
   */
  record Cost(long rows, long buffers, List<String> nodes) {
    Cost {
      nodes = List.copyOf(nodes);
    }
  }

  private final DataSource sweeps;

  /** Explains on connections that sweeps read by. */
  PageReads(DataSource sweeps) {
    this.sweeps = sweeps;
  }

  /** Reads a page and tells what it cost. */
  Cost cost(Page page, long cutoffNanos, DueCursor after, int limit) throws SQLException {
    try (Connection connection = sweeps.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("SET LOCAL plan_cache_mode = force_generic_plan");
      statement.execute("PREPARE page (" + page.types + ") AS " + numbered(page.sql));
      final String explained;
      try (ResultSet row =
          statement.executeQuery(
              "EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) EXECUTE page ("
                  + page.arguments(cutoffNanos, after, limit)
                  + ")")) {
        row.next();
        explained = row.getString(1);
      }
      statement.execute("DEALLOCATE page");
      connection.commit();
      return cost(explained);
    }
  }

  private static Cost cost(String explained) {
    final JsonNode plan;
    try {
      plan = new ObjectMapper().readTree(explained).get(0).get("Plan");
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("PostgreSQL explains in JSON", e);
    }
    final List<String> nodes = new ArrayList<>();
    collect(plan, nodes);
    return new Cost(
        plan.get("Actual Rows").asLong(),
        plan.get("Shared Hit Blocks").asLong() + plan.get("Shared Read Blocks").asLong(),
        nodes);
  }

  private static String numbered(String sql) {
    final int[] number = {0};
    return PARAMETER.matcher(sql).replaceAll(any -> "\\$" + ++number[0]);
  }

  private static void collect(JsonNode plan, List<String> nodes) {
    nodes.add(plan.get("Node Type").asText());
    final JsonNode parts = plan.get("Plans");
    if (parts != null) {
      parts.forEach(part -> collect(part, nodes));
    }
  }

  /**
   * Judges a page that must be full.
   *
   * @param name which page, for a person
   */
  static List<Violation> check(String name, Cost cost, int limit) {
    final List<Violation> violations = new ArrayList<>();
    if (cost.rows() != limit) {
      violations.add(
          new Violation(
              Violation.Kind.READS_TOO_MUCH,
              null,
              name,
              "a full page of " + limit + " rows",
              Long.toString(cost.rows())));
    }
    if (cost.buffers() > BUFFERS_PER_ROW * cost.rows()) {
      violations.add(
          new Violation(
              Violation.Kind.READS_TOO_MUCH,
              null,
              name,
              "at most " + BUFFERS_PER_ROW + " buffers for each of " + cost.rows() + " rows",
              Long.toString(cost.buffers())));
    }
    if (cost.nodes().stream().anyMatch(GROWING::contains)) {
      violations.add(
          new Violation(
              Violation.Kind.READS_TOO_MUCH,
              null,
              name,
              "an index range in its own order",
              cost.nodes().toString()));
    }
    return violations;
  }
}
