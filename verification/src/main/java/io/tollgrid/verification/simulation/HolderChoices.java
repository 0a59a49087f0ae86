package io.tollgrid.verification.simulation;

import io.tollgrid.ledger.AccountLedger;
import io.tollgrid.ledger.GrantPolicy;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What instances may do next, and how often. */
final class HolderChoices {
  private static final int MAX_WORKS = 4;
  private static final int MAX_LEASES = 4;
  private static final int MAX_QUOTE = 12;

  private final Fleet fleet;
  private final SplittableRandom random;
  private final int favourite;

  HolderChoices(Fleet fleet, SplittableRandom random) {
    this.fleet = fleet;
    this.random = random;
    this.favourite = random.nextInt(Scale.ACCOUNTS);
  }

  Map<Supplier<@Nullable Event>, Integer> sources() {
    final Map<Supplier<@Nullable Event>, Integer> sources = new LinkedHashMap<>();
    sources.put(this::starts, 1100);
    sources.put(this::settles, 900);
    sources.put(
        () -> new HolderEvent.UsageShips(instance(), account(), 1 + random.nextInt(4)), 1100);
    sources.put(
        () -> new HolderEvent.UsageRedelivered(instance(), account(), random.nextInt(4)), 60);
    sources.put(this::acquires, 500);
    sources.put(this::consolidates, 400);
    sources.put(this::returns, 150);
    sources.put(this::honours, 300);
    sources.put(this::renews, 110);
    sources.put(this::releases, 250);
    sources.put(() -> new HolderEvent.ResumesParked(instance(), account()), 250);
    return sources;
  }

  private @Nullable Event starts() {
    final int instance = instance();
    final int account = account();
    final Holder holder = fleet.instance(instance).holder(account);
    final long free = holder.leases().currentFreeUnits();
    if (holder.worker().works() >= MAX_WORKS || (free == 0 && random.nextInt(20) != 0)) {
      return null;
    }
    final AccountLedger ledger = fleet.store().load(account);
    final boolean last = free > 0 && ledger != null && ledger.balances().balance() == 0;
    if (last && random.nextBoolean()) {
      return new HolderEvent.WorkStarts(instance, account, free);
    }
    final int most = random.nextInt(4) == 0 ? 3 * MAX_QUOTE : MAX_QUOTE;
    return new HolderEvent.WorkStarts(instance, account, 1 + random.nextInt(most));
  }

  private @Nullable Event settles() {
    final int instance = instance();
    final int account = account();
    final Holder holder = fleet.instance(instance).holder(account);
    if (holder.worker().works() == 0) {
      return null;
    }
    final int work = random.nextInt(holder.worker().works());
    final long units =
        random.nextInt(3) == 0 ? holder.worker().reservedAt(work) : random.nextInt(MAX_QUOTE + 4);
    return new HolderEvent.WorkSettles(instance, account, work, units);
  }

  private @Nullable Event acquires() {
    final int instance = instance();
    final int account = account();
    final Holder holder = fleet.instance(instance).holder(account);
    final boolean wanted = holder.leases().current() == null || random.nextInt(12) == 0;
    if (!wanted || holder.leases().size() >= MAX_LEASES) {
      return null;
    }
    final long minimum = random.nextLong(1, 7);
    return new HolderEvent.Acquires(
        instance,
        account,
        minimum,
        minimum + random.nextLong(60),
        1 + random.nextInt(2),
        random.nextInt(8) == 0 ? 3 : GrantPolicy.DEFAULT_MAX_GRANT_UNITS,
        Scale.TTL_NANOS / (1 + random.nextInt(3)));
  }

  /** Recalls are few and short-lived, so they are looked for. */
  private @Nullable Event honours() {
    final int from = random.nextInt(Scale.ACCOUNTS);
    for (int i = 0; i < Scale.ACCOUNTS; i++) {
      final int account = (from + i) % Scale.ACCOUNTS;
      if (fleet.recall(account) != null) {
        return new HolderEvent.HonoursRecall(instance(), account);
      }
    }
    return null;
  }

  private @Nullable Event consolidates() {
    final int instance = instance();
    final int account = random.nextInt(3) == 0 ? exhausted() : account();
    final Holder holder = fleet.instance(instance).holder(account);
    final boolean wanted =
        holder.leases().unmetUnits() > 0 || holder.leases().currentFreeUnits() == 0;
    if (holder.leases().current() == null || (!wanted && random.nextInt(5) != 0)) {
      return null;
    }
    final long minimum = random.nextLong(1, 7);
    return new HolderEvent.Consolidates(instance, account, minimum, minimum + random.nextLong(60));
  }

  /** An account of which every unit is spent and reported, if there is one: a rare moment. */
  private int exhausted() {
    for (int account = 0; account < Scale.ACCOUNTS; account++) {
      final AccountLedger ledger = fleet.store().load(account);
      if (ledger != null
          && ledger.balances().remaining() == 0
          && fleet.store().account(account).hasActiveLeases()) {
        return account;
      }
    }
    return account();
  }

  private Event returns() {
    final long units = random.nextInt(4) == 0 ? 0 : 1 + random.nextInt(20);
    return new HolderEvent.Returns(instance(), account(), random.nextInt(MAX_LEASES), units);
  }

  private Event renews() {
    return new HolderEvent.Renews(
        instance(),
        account(),
        random.nextInt(MAX_LEASES),
        Scale.TTL_NANOS / (1 + random.nextInt(4)));
  }

  private Event releases() {
    return new HolderEvent.Releases(instance(), account(), random.nextInt(MAX_LEASES));
  }

  private int instance() {
    return random.nextInt(Scale.INSTANCES);
  }

  /** Half of all activity is on one account, so that its holders meet. */
  private int account() {
    return random.nextBoolean() ? favourite : random.nextInt(Scale.ACCOUNTS);
  }
}
