package io.tollgrid.mapstore.sql;

import java.util.Arrays;
import java.util.stream.Collectors;

/** The PostgreSQL types a column of a {@link RowSet} can have. */
public enum ColumnType {
  /** {@code uuid}. */
  UUID("uuid", 2950, 2951),
  /** {@code bigint}. */
  INT8("int8", 20, 1016),
  /** {@code integer}. */
  INT4("int4", 23, 1007),
  /** {@code smallint}. */
  INT2("int2", 21, 1005),
  /** {@code boolean}. */
  BOOL("bool", 16, 1000),
  /** {@code bytea}. */
  BYTEA("bytea", 17, 1001),
  /** {@code text}. */
  TEXT("text", 25, 1009);

  private final String sqlName;
  private final int elementOid;
  private final int arrayOid;

  ColumnType(String sqlName, int elementOid, int arrayOid) {
    this.sqlName = sqlName;
    this.elementOid = elementOid;
    this.arrayOid = arrayOid;
  }

  /**
   * The value of the driver's connection property {@code binaryTransferEnable} that a connection
   * needs to send every type here in binary.
   */
  public static String binaryTransferEnable() {
    return Arrays.stream(values())
        .map(type -> Integer.toString(type.arrayOid))
        .collect(Collectors.joining(","));
  }

  String sqlName() {
    return sqlName;
  }

  int elementOid() {
    return elementOid;
  }

  String arrayTypeName() {
    return "_" + sqlName;
  }
}
