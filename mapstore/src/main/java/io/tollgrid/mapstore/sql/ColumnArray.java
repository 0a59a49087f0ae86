package io.tollgrid.mapstore.sql;

import io.tollgrid.ledger.Id128;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.postgresql.util.PGBinaryObject;
import org.postgresql.util.PGobject;

/**
 * One column of many rows as one array parameter in PostgreSQL's binary format.
 *
 * <p>The driver would send {@code uuid[]} as text and box every {@code bigint}; a batch has dozens
 * of such columns, so they are written here, into a buffer that is kept from batch to batch. Not
 * thread-safe.
 */
final class ColumnArray extends PGobject implements PGBinaryObject {
  private static final long serialVersionUID = 1L;
  private static final int HEADER_BYTES = 20;
  private static final int INITIAL_BYTES = 1_024;
  private static final int NULL_LENGTH = -1;

  private final ColumnType columnType;
  private byte[] bytes = new byte[INITIAL_BYTES];
  private int size = HEADER_BYTES;
  private int elements;
  private boolean hasNulls;

  ColumnArray(ColumnType columnType) {
    this.columnType = columnType;
    setType(columnType.arrayTypeName());
  }

  void clear() {
    size = HEADER_BYTES;
    elements = 0;
    hasNulls = false;
  }

  void addNull() {
    reserve(Integer.BYTES);
    putInt(NULL_LENGTH);
    hasNulls = true;
    elements++;
  }

  void add(Id128 value) {
    begin(ColumnType.UUID, 2 * Long.BYTES);
    putLong(value.high());
    putLong(value.low());
  }

  void add(long value) {
    begin(ColumnType.INT8, Long.BYTES);
    putLong(value);
  }

  void add(int value) {
    if (columnType == ColumnType.INT2) {
      begin(ColumnType.INT2, Short.BYTES);
      bytes[size++] = (byte) (value >>> 8);
      bytes[size++] = (byte) value;
    } else {
      begin(ColumnType.INT4, Integer.BYTES);
      putInt(value);
    }
  }

  void add(boolean value) {
    begin(ColumnType.BOOL, 1);
    bytes[size++] = (byte) (value ? 1 : 0);
  }

  void add(byte[] value) {
    begin(ColumnType.BYTEA, value.length);
    System.arraycopy(value, 0, bytes, size, value.length);
    size += value.length;
  }

  void add(String value) {
    final byte[] utf8 = value.getBytes(StandardCharsets.UTF_8);
    begin(ColumnType.TEXT, utf8.length);
    System.arraycopy(utf8, 0, bytes, size, utf8.length);
    size += utf8.length;
  }

  @Override
  public void setByteValue(byte[] value, int offset) {
    throw new UnsupportedOperationException("a column is only ever sent");
  }

  @Override
  public int lengthInBytes() {
    return size;
  }

  @Override
  public void toBytes(byte[] target, int offset) {
    final int end = size;
    size = 0;
    putInt(1);
    putInt(hasNulls ? 1 : 0);
    putInt(columnType.elementOid());
    putInt(elements);
    putInt(1);
    size = end;
    System.arraycopy(bytes, 0, target, offset, end);
  }

  /** Asked for only by a connection that cannot send the column as it is. */
  @Override
  public String getValue() {
    throw new IllegalStateException(
        "this connection does not send "
            + columnType.sqlName()
            + "[] in binary: open it with binaryTransferEnable="
            + ColumnType.binaryTransferEnable());
  }

  @Override
  public String toString() {
    return columnType.sqlName() + "[" + elements + "]";
  }

  @Override
  public boolean equals(Object other) {
    return this == other;
  }

  @Override
  public int hashCode() {
    return System.identityHashCode(this);
  }

  private void begin(ColumnType expected, int length) {
    if (expected != columnType) {
      throw new IllegalStateException("a " + expected + " in a column of " + columnType);
    }
    reserve(Integer.BYTES + length);
    putInt(length);
    elements++;
  }

  private void reserve(int more) {
    if (bytes.length - size < more) {
      bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, size + more));
    }
  }

  private void putInt(int value) {
    for (int shift = 24; shift >= 0; shift -= 8) {
      bytes[size++] = (byte) (value >>> shift);
    }
  }

  private void putLong(long value) {
    putInt((int) (value >>> 32));
    putInt((int) value);
  }
}
