package io.tollgrid.mapstore.sql;

import io.tollgrid.ledger.Id128;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Rows on their way to PostgreSQL, written value by value in the order of their {@link Shape}.
 *
 * <p>Reused from batch to batch, so that nothing but the driver's own copy is allocated. Not
 * thread-safe.
 */
public final class RowSet {
  private final List<ColumnArray> columns;
  private int next;
  private int rows;

  /** No rows of this shape. */
  public RowSet(Shape shape) {
    final List<ColumnArray> arrays = new ArrayList<>();
    for (final ColumnType type : shape.types()) {
      arrays.add(new ColumnArray(type));
    }
    this.columns = List.copyOf(arrays);
  }

  /** Forgets all rows. */
  public void clear() {
    columns.forEach(ColumnArray::clear);
    next = 0;
    rows = 0;
  }

  /** Rows written. */
  public int size() {
    return rows;
  }

  /** Whether no row was written. */
  public boolean isEmpty() {
    return rows == 0;
  }

  /** The next value, a {@code uuid}; null is allowed. */
  public RowSet uuid(@Nullable Id128 value) {
    final ColumnArray column = column();
    if (value == null) {
      column.addNull();
    } else {
      column.add(value);
    }
    return this;
  }

  /** The next value, a {@code bigint}. */
  public RowSet int8(long value) {
    column().add(value);
    return this;
  }

  /** The next value, an {@code integer} or {@code smallint}. */
  public RowSet integer(int value) {
    column().add(value);
    return this;
  }

  /**
   * The next value, an enum constant by its position: every enum stored here says that its order
   * may only grow.
   */
  @SuppressWarnings("EnumOrdinal")
  public RowSet ordinal(Enum<?> value) {
    return integer(value.ordinal());
  }

  /** The next value, a {@code boolean}. */
  public RowSet bool(boolean value) {
    column().add(value);
    return this;
  }

  /** The next value, a {@code bytea}; null is allowed. */
  public RowSet bytes(byte @Nullable [] value) {
    final ColumnArray column = column();
    if (value == null) {
      column.addNull();
    } else {
      column.add(value);
    }
    return this;
  }

  /** The next value, a {@code text}; null is allowed. */
  public RowSet text(@Nullable String value) {
    final ColumnArray column = column();
    if (value == null) {
      column.addNull();
    } else {
      column.add(value);
    }
    return this;
  }

  /** The next values, this many nulls. */
  public RowSet nulls(int count) {
    for (int i = 0; i < count; i++) {
      column().addNull();
    }
    return this;
  }

  /**
   * Binds one parameter per column.
   *
   * @return the index of the parameter after them
   */
  int bind(PreparedStatement statement, int first) throws SQLException {
    if (next != 0) {
      throw new IllegalStateException("a row ends after " + next + " of its columns");
    }
    int index = first;
    for (final ColumnArray column : columns) {
      statement.setObject(index++, column);
    }
    return index;
  }

  private ColumnArray column() {
    final ColumnArray column = columns.get(next++);
    if (next == columns.size()) {
      next = 0;
      rows++;
    }
    return column;
  }
}
