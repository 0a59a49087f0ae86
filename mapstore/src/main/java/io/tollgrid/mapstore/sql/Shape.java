package io.tollgrid.mapstore.sql;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The columns of a {@link RowSet}, from which the SQL that takes them apart is written. */
public final class Shape {
  private final List<String> names;
  private final List<ColumnType> types;

  private Shape(List<String> names, List<ColumnType> types) {
    this.names = List.copyOf(names);
    this.types = List.copyOf(types);
  }

  /** No columns yet. */
  public static Shape empty() {
    return new Shape(List.of(), List.of());
  }

  /** This shape with columns of one type after its own. */
  public Shape with(ColumnType type, String... columns) {
    final List<String> moreNames = new ArrayList<>(names);
    final List<ColumnType> moreTypes = new ArrayList<>(types);
    for (final String column : columns) {
      moreNames.add(column);
      moreTypes.add(type);
    }
    return new Shape(moreNames, moreTypes);
  }

  /** This shape with the columns of another after its own. */
  public Shape and(Shape other) {
    final List<String> moreNames = new ArrayList<>(names);
    final List<ColumnType> moreTypes = new ArrayList<>(types);
    moreNames.addAll(other.names);
    moreTypes.addAll(other.types);
    return new Shape(moreNames, moreTypes);
  }

  /**
   * {@code (SELECT unnest(?::uuid[]) AS name, …) alias}: the rows as a table. The arrays run in
   * step; one {@code unnest} of them all would first write each column to a store of its own.
   */
  public String unnest(String alias) {
    return IntStream.range(0, names.size())
        .mapToObj(i -> "unnest(?::" + types.get(i).sqlName() + "[]) AS " + names.get(i))
        .collect(Collectors.joining(", ", "(SELECT ", ") " + alias));
  }

  /** {@code name, name, …}. */
  public String names() {
    return String.join(", ", names);
  }

  /** {@code alias.name, alias.name, …}. */
  public String names(String alias) {
    return names.stream().map(name -> alias + "." + name).collect(Collectors.joining(", "));
  }

  /** {@code name = alias.name, …}. */
  public String assignments(String alias) {
    return names.stream()
        .map(name -> name + " = " + alias + "." + name)
        .collect(Collectors.joining(", "));
  }

  List<ColumnType> types() {
    return types;
  }
}
