package io.tollgrid.verification.faults.load;

import io.tollgrid.ledger.Id128;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * The accounts of a run, some of them hot and some of them poor. Immutable; the same seed names the
 * same accounts in every process.
 */
public final class Population {
  private static final int HOT = 10;
  private static final int HOT_PERCENT = 50;

  private static final int ONE_POOR_IN = 4;

  private final List<Id128> accounts;
  private final Set<Id128> poor = new HashSet<>();

  /** So many accounts, named by the seed. */
  public Population(long seed, int accounts) {
    if (accounts <= HOT) {
      throw new IllegalArgumentException("a population has more than " + HOT + " accounts");
    }
    final SplittableRandom random = new SplittableRandom(seed);
    final List<Id128> ids = new ArrayList<>(accounts);
    for (int i = 0; i < accounts; i++) {
      final Id128 id = new Id128(random.nextLong(), random.nextLong());
      ids.add(id);
      if (i % ONE_POOR_IN == ONE_POOR_IN - 1) {
        poor.add(id);
      }
    }
    this.accounts = List.copyOf(ids);
  }

  /** All of them. */
  public List<Id128> accounts() {
    return accounts;
  }

  /** Whether an account gets so few units that most of what it is asked for is refused. */
  boolean isPoor(Id128 account) {
    return poor.contains(account);
  }

  /** One of them: half the time one of the ten hot ones. */
  Id128 pick(SplittableRandom random) {
    return random.nextInt(100) < HOT_PERCENT
        ? accounts.get(random.nextInt(HOT))
        : accounts.get(HOT + random.nextInt(accounts.size() - HOT));
  }
}
