package io.tollgrid.ledger;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads what {@link CanonicalWriter} wrote. Total: any bytes either read as a value or throw {@link
 * MalformedBytesException}, and no length in them makes it allocate more than they hold.
 */
public final class CanonicalReader {
  private final ByteBuffer in;

  private CanonicalReader(byte[] bytes) {
    in = ByteBuffer.wrap(bytes);
  }

  /** Reads one value that is all of {@code bytes}. */
  public static <T> T read(byte[] bytes, Function<CanonicalReader, T> read) {
    final CanonicalReader reader = new CanonicalReader(bytes);
    final T value;
    try {
      value = read.apply(reader);
    } catch (BufferUnderflowException e) {
      throw new MalformedBytesException("the bytes end too early", e);
    } catch (MalformedBytesException | CorruptLedgerException e) {
      throw e;
    } catch (IllegalArgumentException e) {
      throw new MalformedBytesException("the bytes hold an impossible value: " + e.getMessage(), e);
    }
    if (reader.in.hasRemaining()) {
      throw new MalformedBytesException(reader.in.remaining() + " bytes follow the value");
    }
    return value;
  }

  public int u8() {
    return in.get() & 0xFF;
  }

  public int i32() {
    return in.getInt();
  }

  public long i64() {
    return in.getLong();
  }

  public boolean flag() {
    final int value = u8();
    if (value > 1) {
      throw new MalformedBytesException("a flag is 0 or 1, not " + value);
    }
    return value == 1;
  }

  public <E extends Enum<E>> E ordinal(E[] constants) {
    final int ordinal = u8();
    if (ordinal >= constants.length) {
      throw new MalformedBytesException(
          "no constant number " + ordinal + " among " + constants.length);
    }
    return constants[ordinal];
  }

  public Id128 id() {
    return new Id128(i64(), i64());
  }

  public Bits256 bits() {
    return new Bits256(i64(), i64(), i64(), i64());
  }

  public String text() {
    final int length = length(1);
    final ByteBuffer utf8 = in.slice().limit(length);
    in.position(in.position() + length);
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(utf8).toString();
    } catch (CharacterCodingException e) {
      throw new MalformedBytesException("text that is not UTF-8", e);
    }
  }

  public <T> @Nullable T optional(Function<CanonicalReader, T> read) {
    return flag() ? read.apply(this) : null;
  }

  public <T> List<T> list(Function<CanonicalReader, T> read) {
    final int length = length(1);
    final List<T> values = new ArrayList<>(length);
    for (int i = 0; i < length; i++) {
      values.add(read.apply(this));
    }
    return values;
  }

  private int length(int bytesEach) {
    final int length = i32();
    if (length < 0 || length > in.remaining() / bytesEach) {
      throw new MalformedBytesException(
          "a length of " + length + " with " + in.remaining() + " bytes left");
    }
    return length;
  }
}
