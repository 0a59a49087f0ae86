package io.tollgrid.ledger;

import java.util.UUID;

/**
 * A 128-bit identifier with exactly one spelling: 32 lowercase hexadecimal digits (R43).
 *
 * <p>Accounts, leases, holders, requests, commands, keys and principals are all named by one. Ids
 * order as unsigned 128-bit numbers, which is also how PostgreSQL orders a {@code uuid}, so "sorted
 * by account" means the same everywhere.
 *
 * @param high the leading 64 bits
 * @param low the trailing 64 bits
 */
public record Id128(long high, long low) implements Comparable<Id128> {
  /** Digits in the one spelling of an id. */
  public static final int HEX_DIGITS = 32;

  /** The all-zero id, which names nothing and stands for "unstated" where a field may be. */
  public static final Id128 ZERO = new Id128(0, 0);

  private static final long MAX_UNIX_MILLIS = (1L << 48) - 1;

  /**
   * Reads an id from its one spelling.
   *
   * @throws InvalidIdException if the text is anything but 32 lowercase hexadecimal digits
   */
  public static Id128 parse(String text) {
    if (text.length() != HEX_DIGITS) {
      throw new InvalidIdException(text);
    }
    return new Id128(parseHalf(text, 0), parseHalf(text, HEX_DIGITS / 2));
  }

  /** The id with the bits of {@code uuid}. */
  public static Id128 of(UUID uuid) {
    return new Id128(uuid.getMostSignificantBits(), uuid.getLeastSignificantBits());
  }

  /**
   * A time-ordered id in the layout of UUID version 7 (RFC 9562 §5.7).
   *
   * @param unixMillis when it was made, 0 to 2^48 − 1
   * @param randomHigh bits of which the lowest 12 are used
   * @param randomLow bits of which the lowest 62 are used
   */
  public static Id128 timeOrdered(long unixMillis, long randomHigh, long randomLow) {
    if (unixMillis < 0 || unixMillis > MAX_UNIX_MILLIS) {
      throw new IllegalArgumentException(
          "a time-ordered id cannot hold the time " + unixMillis + " ms");
    }
    return new Id128(
        unixMillis << 16 | 0x7000L | (randomHigh & 0xFFFL),
        0x8000000000000000L | (randomLow & 0x3FFFFFFFFFFFFFFFL));
  }

  /** Whether the id has the UUID version 7 layout, so that {@link #unixMillis} means something. */
  public boolean isTimeOrdered() {
    return (high & 0xF000L) == 0x7000L && (low & 0xC000000000000000L) == 0x8000000000000000L;
  }

  /**
   * Milliseconds since the epoch in the leading 48 bits; meaningful only if {@link #isTimeOrdered}.
   */
  public long unixMillis() {
    return high >>> 16;
  }

  /** The same bits as a {@link UUID}, for drivers that want one. */
  public UUID toUuid() {
    return new UUID(high, low);
  }

  /** The one spelling: 32 lowercase hexadecimal digits. */
  public String toHex() {
    final char[] digits = new char[HEX_DIGITS];
    for (int i = 0; i < HEX_DIGITS / 2; i++) {
      final int shift = 60 - 4 * i;
      digits[i] = Character.forDigit((int) (high >>> shift) & 0xF, 16);
      digits[i + HEX_DIGITS / 2] = Character.forDigit((int) (low >>> shift) & 0xF, 16);
    }
    return new String(digits);
  }

  @Override
  public int compareTo(Id128 other) {
    final int byHigh = Long.compareUnsigned(high, other.high);
    return byHigh != 0 ? byHigh : Long.compareUnsigned(low, other.low);
  }

  @Override
  public String toString() {
    return toHex();
  }

  private static long parseHalf(String text, int from) {
    long bits = 0;
    for (int i = from; i < from + HEX_DIGITS / 2; i++) {
      final char c = text.charAt(i);
      final int digit;
      if (c >= '0' && c <= '9') {
        digit = c - '0';
      } else if (c >= 'a' && c <= 'f') {
        digit = c - 'a' + 10;
      } else {
        throw new InvalidIdException(text);
      }
      bits = bits << 4 | digit;
    }
    return bits;
  }
}
