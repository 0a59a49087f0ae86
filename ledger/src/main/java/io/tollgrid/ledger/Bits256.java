package io.tollgrid.ledger;

import java.nio.ByteBuffer;
import java.util.HexFormat;

/**
 * 256 bits that are carried and compared, never interpreted: a policy revision (R25) or a message
 * authentication code.
 *
 * @param a the first 64 bits
 * @param b the second 64 bits
 * @param c the third 64 bits
 * @param d the last 64 bits
 */
public record Bits256(long a, long b, long c, long d) {
  /** All bits zero: "unstated". */
  public static final Bits256 ZERO = new Bits256(0, 0, 0, 0);

  /** Bytes in one value. */
  public static final int BYTES = 32;

  /** The value with these {@value #BYTES} bytes, first byte first. */
  public static Bits256 of(byte[] bytes) {
    if (bytes.length != BYTES) {
      throw new IllegalArgumentException("256 bits are 32 bytes, not " + bytes.length);
    }
    final ByteBuffer buffer = ByteBuffer.wrap(bytes);
    return new Bits256(buffer.getLong(), buffer.getLong(), buffer.getLong(), buffer.getLong());
  }

  /** A fresh array of the {@value #BYTES} bytes, first byte first. */
  public byte[] toBytes() {
    return ByteBuffer.allocate(BYTES).putLong(a).putLong(b).putLong(c).putLong(d).array();
  }

  /** 64 lowercase hexadecimal digits (R43). */
  public String toHex() {
    return HexFormat.of().formatHex(toBytes());
  }

  @Override
  public String toString() {
    return toHex();
  }
}
