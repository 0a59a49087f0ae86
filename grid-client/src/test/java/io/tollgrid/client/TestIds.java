package io.tollgrid.client;

import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.port.IdSource;
import java.util.SplittableRandom;

/** Ids from a seed, so that a failing run can be repeated. */
final class TestIds implements IdSource {
  private final SplittableRandom random;

  TestIds(long seed) {
    this.random = new SplittableRandom(seed);
  }

  @Override
  public synchronized Id128 randomId() {
    return new Id128(random.nextLong(), random.nextLong());
  }

  @Override
  public synchronized Id128 timeOrderedId(long nowNanos) {
    return Id128.timeOrdered(nowNanos / 1_000_000, random.nextLong(), random.nextLong());
  }
}
