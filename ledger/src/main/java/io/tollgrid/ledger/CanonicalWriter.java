package io.tollgrid.ledger;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Writes values in the one canonical form: big-endian, fixed width, strings and lists with their
 * length first.
 */
public final class CanonicalWriter {
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
  private static final int INITIAL_BYTES = 192;

  private byte[] bytes;
  private int size;

  public CanonicalWriter() {
    this(INITIAL_BYTES);
  }

  /** With room for what is expected; more is taken as it comes. */
  public CanonicalWriter(int expectedBytes) {
    bytes = new byte[expectedBytes];
  }

  public CanonicalWriter u8(int value) {
    reserve(1);
    bytes[size++] = (byte) value;
    return this;
  }

  public CanonicalWriter i32(int value) {
    reserve(Integer.BYTES);
    INT.set(bytes, size, value);
    size += Integer.BYTES;
    return this;
  }

  public CanonicalWriter i64(long value) {
    reserve(Long.BYTES);
    LONG.set(bytes, size, value);
    size += Long.BYTES;
    return this;
  }

  public CanonicalWriter flag(boolean value) {
    return u8(value ? 1 : 0);
  }

  /**
   * A constant by its position: every enum written here says that its order is stored and may only
   * grow.
   */
  @SuppressWarnings("EnumOrdinal")
  public CanonicalWriter ordinal(Enum<?> value) {
    return u8(value.ordinal());
  }

  public CanonicalWriter id(Id128 value) {
    return i64(value.high()).i64(value.low());
  }

  public CanonicalWriter bits(Bits256 value) {
    return i64(value.a()).i64(value.b()).i64(value.c()).i64(value.d());
  }

  public CanonicalWriter text(String value) {
    final byte[] utf8 = value.getBytes(StandardCharsets.UTF_8);
    i32(utf8.length);
    reserve(utf8.length);
    System.arraycopy(utf8, 0, bytes, size, utf8.length);
    size += utf8.length;
    return this;
  }

  public <T> CanonicalWriter optional(@Nullable T value, BiConsumer<CanonicalWriter, T> write) {
    flag(value != null);
    if (value != null) {
      write.accept(this, value);
    }
    return this;
  }

  public <T> CanonicalWriter list(Collection<T> values, BiConsumer<CanonicalWriter, T> write) {
    i32(values.size());
    for (final T value : values) {
      write.accept(this, value);
    }
    return this;
  }

  public byte[] toBytes() {
    return Arrays.copyOf(bytes, size);
  }

  private void reserve(int more) {
    if (bytes.length - size < more) {
      bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, size + more));
    }
  }
}
