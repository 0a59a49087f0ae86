package io.tollgrid.verification.faults.fleet;

import io.tollgrid.ledger.Id128;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.BiConsumer;
import java.util.stream.Stream;

/**
 * The accounts of a fleet run and the principals that each of them pays for: two of a hot one, one
 * of any other. Immutable; the same seed names the same in every process.
 */
public final class FleetPopulation {
  /** Accounts that most requests are for. */
  static final int HOT = 40;

  private static final int HOT_PERCENT = 80;

  private final List<Id128> accounts = new ArrayList<>();
  private final List<Id128> principals = new ArrayList<>();

  /** So many accounts, drawn from a seed, and their principals. */
  public FleetPopulation(long seed, int size) {
    if (size <= HOT) {
      throw new IllegalArgumentException("a fleet has more than " + HOT + " accounts, not " + size);
    }
    accounts.addAll(drawn(seed, size));
    for (int i = 0; i < size; i++) {
      principals.addAll(principalsOf(accounts.get(i), i < HOT));
    }
  }

  /** So many accounts, drawn from a seed. */
  public static List<Id128> drawn(long seed, int size) {
    final SplittableRandom random = new SplittableRandom(seed);
    return Stream.generate(() -> new Id128(random.nextLong(), random.nextLong()))
        .limit(size)
        .toList();
  }

  /** The accounts. */
  public List<Id128> accounts() {
    return List.copyOf(accounts);
  }

  /** Shows every principal with the account that pays for it. */
  public void forEachPrincipal(BiConsumer<Id128, Id128> to) {
    for (int i = 0; i < accounts.size(); i++) {
      for (final Id128 principal : principalsOf(accounts.get(i), i < HOT)) {
        to.accept(principal, accounts.get(i));
      }
    }
  }

  private static List<Id128> principalsOf(Id128 account, boolean hot) {
    final Id128 first = firstPrincipalOf(account);
    return hot ? List.of(first, new Id128(account.high() ^ 2, account.low())) : List.of(first);
  }

  /** One that an account pays for. */
  static Id128 firstPrincipalOf(Id128 account) {
    return new Id128(account.high() ^ 1, account.low());
  }

  /** Somebody, mostly one whose account is hot. */
  Id128 pickPrincipal(SplittableRandom random) {
    return random.nextInt(100) < HOT_PERCENT
        ? principals.get(random.nextInt(2 * HOT))
        : principals.get(random.nextInt(principals.size()));
  }

  /** An account, every second time a hot one. */
  Id128 pickAccount(SplittableRandom random) {
    return accounts.get(random.nextInt(random.nextBoolean() ? HOT : accounts.size()));
  }
}
