package io.tollgrid.mapstore.fence;

import io.tollgrid.mapstore.sql.ColumnType;
import io.tollgrid.mapstore.sql.Commits;
import io.tollgrid.mapstore.sql.RowSet;
import io.tollgrid.mapstore.sql.Script;
import io.tollgrid.mapstore.sql.Shape;
import io.tollgrid.mapstore.sql.Statements;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import javax.sql.DataSource;

/**
 * The fence in force of every ledger partition, kept by PostgreSQL.
 *
 * <p>A raise takes the partition's exclusive advisory lock first. It therefore waits for every
 * transaction that still writes under the old fence, and every later one sees the new fence before
 * it may write. Thread-safe; every method blocks on PostgreSQL and is bounded by the settings of
 * the sessions it is given.
 */
public final class FencesAtRest {
  private static final Shape PARTITIONS = Shape.empty().with(ColumnType.INT4, "id");
  private static final Shape FENCES = PARTITIONS.with(ColumnType.INT8, "fence");

  private static final String READ =
      "SELECT id, fence FROM ledger_partition WHERE id = ANY(?::int4[])";
  private static final String RAISE =
      "UPDATE ledger_partition p SET fence = i.fence FROM "
          + FENCES.unnest("i")
          + " WHERE p.id = i.id AND p.fence < i.fence RETURNING p.id, p.fence";
  private static final String ISSUE =
      "UPDATE ledger_partition p SET fence = p.fence + 1 FROM "
          + PARTITIONS.unnest("i")
          + " WHERE p.id = i.id RETURNING p.id, p.fence";

  private final DataSource raises;

  /** Works through {@code raises}. */
  public FencesAtRest(DataSource raises) {
    this.raises = raises;
  }

  /**
   * The fence at rest of one partition: whatever is drawn next must be above it.
   *
   * @throws SQLException if PostgreSQL does not answer or does not know the partition
   */
  public long floor(int partition) throws SQLException {
    final Long fence = floors(Set.of(partition)).get(partition);
    if (fence == null) {
      throw new SQLException("there is no ledger partition " + partition);
    }
    return fence;
  }

  /** The fences at rest of several partitions; those that do not exist are left out. */
  public Map<Integer, Long> floors(Set<Integer> partitions) throws SQLException {
    final Map<Integer, Long> found = new HashMap<>();
    if (!partitions.isEmpty()) {
      run(new Script().query(READ, sorted(partitions), row -> put(found, row)));
    }
    return found;
  }

  /**
   * Puts fences in force, all in one transaction.
   *
   * @return those that now are; a partition is missing if its fence at rest was as high already,
   *     and a higher one must be drawn
   */
  public Map<Integer, Long> raise(Map<Integer, Long> fenceByPartition) throws SQLException {
    final Map<Integer, Long> raised = new HashMap<>();
    if (fenceByPartition.isEmpty()) {
      return raised;
    }
    final RowSet fences = new RowSet(FENCES);
    new TreeMap<>(fenceByPartition).forEach((id, fence) -> fences.integer(id).int8(fence));
    run(
        new Script()
            .query(PartitionLocks.LOCK_EXCLUSIVE, sorted(fenceByPartition.keySet()), row -> {})
            .query(RAISE, fences, row -> put(raised, row)));
    return raised;
  }

  /**
   * Lets PostgreSQL itself issue the next fence of each partition, for when nothing else can, all
   * in one transaction.
   *
   * @return the fences now in force
   */
  public Map<Integer, Long> issue(Set<Integer> partitions) throws SQLException {
    final Map<Integer, Long> issued = new HashMap<>();
    if (!partitions.isEmpty()) {
      run(
          new Script()
              .query(PartitionLocks.LOCK_EXCLUSIVE, sorted(partitions), row -> {})
              .query(ISSUE, sorted(partitions), row -> put(issued, row)));
    }
    return issued;
  }

  private void run(Script script) throws SQLException {
    try (Connection connection = raises.getConnection();
        Statements statements = new Statements(connection)) {
      script.run(statements);
      Commits.commit(connection);
    }
  }

  private static RowSet sorted(Set<Integer> partitions) {
    final RowSet rows = new RowSet(PARTITIONS);
    new TreeSet<>(partitions).forEach(rows::integer);
    return rows;
  }

  private static void put(Map<Integer, Long> fences, ResultSet row) throws SQLException {
    fences.put(row.getInt(1), row.getLong(2));
  }
}
