package io.tollgrid.verification.faults.load;

import io.tollgrid.ledger.Id128;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * The accounts of a run, some of them hot. Immutable; the same seed names the same accounts in
 * every process.
 */
public final class Population {
  private static final int HOT = 10;
  private static final int HOT_PERCENT = 50;

  private final List<Id128> accounts;

  /** So many accounts, named by the seed. */
  public Population(long seed, int accounts) {
    if (accounts <= HOT) {
      throw new IllegalArgumentException("a population has more than " + HOT + " accounts");
    }
    final SplittableRandom random = new SplittableRandom(seed);
    final List<Id128> ids = new ArrayList<>(accounts);
    for (int i = 0; i < accounts; i++) {
      ids.add(new Id128(random.nextLong(), random.nextLong()));
    }
    this.accounts = List.copyOf(ids);
  }

  /** All of them. */
  public List<Id128> accounts() {
    return accounts;
  }

  /** One of them: half the time one of the ten hot ones. */
  Id128 pick(SplittableRandom random) {
    return random.nextInt(100) < HOT_PERCENT
        ? accounts.get(random.nextInt(HOT))
        : accounts.get(HOT + random.nextInt(accounts.size() - HOT));
  }
}
