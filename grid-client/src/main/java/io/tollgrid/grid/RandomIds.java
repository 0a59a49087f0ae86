package io.tollgrid.grid;

import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.port.IdSource;
import java.security.SecureRandom;

/**
 * Ids from the platform's strong random source: no two processes ever make the same. Safe for use
 * from any thread.
 */
public final class RandomIds implements IdSource {
  private static final long NANOS_PER_MILLI = 1_000_000L;

  private final SecureRandom random = new SecureRandom();

  @Override
  public Id128 randomId() {
    return new Id128(random.nextLong(), random.nextLong());
  }

  @Override
  public Id128 timeOrderedId(long nowNanos) {
    return Id128.timeOrdered(
        Math.floorDiv(nowNanos, NANOS_PER_MILLI), random.nextLong(), random.nextLong());
  }
}
