package io.tollgrid.admission.request;

import io.tollgrid.ledger.Id128;

/**
 * Makes time-ordered request ids (UUID version 7 layout) as two longs, without allocating.
 *
 * <p>The 74 bits that are not time come from xoroshiro128+ (Blackman and Vigna, 2018), seeded with
 * 128 random bits, so two generators agree on an id about as often as two random ids of the same
 * millisecond. Confined to one request object.
 */
final class RequestIds {
  private static final long NANOS_PER_MILLI = 1_000_000L;
  private static final long VERSION = 0x7000L;
  private static final long VARIANT = 0x8000000000000000L;

  private long s0;
  private long s1;
  private long high;
  private long low;

  RequestIds(final Id128 seed) {
    this.s0 = seed.high();
    // The one state the generator cannot leave is all zero.
    this.s1 = seed.high() == 0 && seed.low() == 0 ? 1 : seed.low();
  }

  /** Makes the next id, to be read with {@link #high} and {@link #low}. */
  void next(final long nowNanos) {
    // Milliseconds of any time that a long of nanoseconds holds fit the 48 bits there are for them.
    final long millis = nowNanos / NANOS_PER_MILLI;
    if (nowNanos < 0) {
      throw new IllegalArgumentException(
          "a request id cannot hold the time " + nowNanos + " ns since the epoch");
    }
    // The generator's high bits are its good ones.
    high = millis << 16 | VERSION | random() >>> 52;
    low = VARIANT | random() >>> 2;
  }

  long high() {
    return high;
  }

  long low() {
    return low;
  }

  private long random() {
    final long first = s0;
    final long result = first + s1;
    final long mixed = s1 ^ first;
    s0 = Long.rotateLeft(first, 24) ^ mixed ^ mixed << 16;
    s1 = Long.rotateLeft(mixed, 37);
    return result;
  }
}
