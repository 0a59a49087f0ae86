package io.tollgrid.verification.faults.load;

import io.tollgrid.ledger.AccountStatus;
import io.tollgrid.ledger.AccountTerms;
import io.tollgrid.ledger.BudgetSchedule;
import io.tollgrid.ledger.CapacityClass;
import io.tollgrid.ledger.GrantPolicy;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.LedgerCommand;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Commands that every load process submits, in the same order and with the same ids: what happens
 * when an operator's tool is run twice, or a request is sent again by another replica.
 *
 * <p>A pure function of the seed and the number of the command. The first ones create and fund
 * every account.
 */
public final class SharedCommands {
  private static final long MIX = 0x9E3779B97F4A7C15L;
  private static final long FIRST_DEPOSIT_UNITS = 15_000;
  private static final int LATER_DEPOSIT_UNITS = 2_000;
  private static final int PERIOD_UNITS = 3_000;

  /** What a poor account gets is less by this factor: about one grant's worth now and then. */
  private static final int POOR_DIVISOR = 50;

  private static final Duration LEASE = Duration.ofSeconds(8);

  /** What each ten commands in a row are. */
  private enum Kind {
    DEPOSIT,
    ACQUIRE,
    SUSPEND,
    ACTIVATE,
    TERMS,
    DEPOSIT_AGAIN,
    ACQUIRE_AGAIN,
    SCHEDULE,
    CAPACITY_CLASS,
    DEPOSIT_ONCE_MORE
  }

  private static final List<Kind> KINDS = List.of(Kind.values());
  private static final List<BudgetSchedule.Kind> PERIODS = List.of(BudgetSchedule.Kind.values());

  private final long seed;
  private final Population population;

  /** The commands for these accounts. */
  public SharedCommands(long seed, Population population) {
    this.seed = seed;
    this.population = population;
  }

  /**
   * One command.
   *
   * @param account whom it is for
   * @param command what it is
   */
  public record Addressed(Id128 account, LedgerCommand command) {}

  /** How many of the first commands found the accounts. */
  public int founding() {
    return 2 * population.accounts().size();
  }

  /** The command with this number, from 0. */
  public Addressed get(long number) {
    final SplittableRandom random = new SplittableRandom(seed + number * MIX);
    final Id128 id = new Id128(random.nextLong(), random.nextLong());
    if (number < population.accounts().size()) {
      final Id128 account = population.accounts().get((int) number);
      return new Addressed(
          account,
          new LedgerCommand.Create(
              id, AccountStatus.ACTIVE, CapacityClass.BEST_EFFORT, terms((number & 1) == 0)));
    }
    if (number < founding()) {
      final Id128 account =
          population.accounts().get((int) (number - population.accounts().size()));
      return new Addressed(
          account, new LedgerCommand.Deposit(id, FIRST_DEPOSIT_UNITS / divisor(account)));
    }
    return later(number - founding(), random, id);
  }

  private Addressed later(long number, SplittableRandom random, Id128 id) {
    final Kind kind = KINDS.get((int) (number % KINDS.size()));
    final Id128 account = population.pick(random);
    return switch (kind) {
      case DEPOSIT, DEPOSIT_AGAIN, DEPOSIT_ONCE_MORE ->
          new Addressed(
              account,
              new LedgerCommand.Deposit(
                  id, 1 + random.nextInt(LATER_DEPOSIT_UNITS / divisor(account))));
      case ACQUIRE, ACQUIRE_AGAIN ->
          new Addressed(
              account,
              new LedgerCommand.Acquire(
                  id,
                  id,
                  GrantPolicy.of(20, 20 + random.nextInt(200)),
                  LEASE.toNanos(),
                  random.nextInt(300)));
      // Another number's account, so that what was suspended is activated again soon after.
      case SUSPEND ->
          new Addressed(
              statusAccount(number), new LedgerCommand.SetStatus(id, AccountStatus.SUSPENDED));
      case ACTIVATE ->
          new Addressed(
              statusAccount(number - 1), new LedgerCommand.SetStatus(id, AccountStatus.ACTIVE));
      case TERMS ->
          new Addressed(account, new LedgerCommand.SetTerms(id, terms(random.nextBoolean())));
      case SCHEDULE -> new Addressed(account, schedule(account, random, id));
      case CAPACITY_CLASS ->
          new Addressed(
              account,
              new LedgerCommand.SetCapacityClass(
                  id, random.nextBoolean() ? CapacityClass.ASSURED : CapacityClass.BEST_EFFORT));
    };
  }

  private Id128 statusAccount(long number) {
    return population.pick(new SplittableRandom(seed ^ number * MIX));
  }

  private static AccountTerms terms(boolean elastic) {
    return elastic ? AccountTerms.elastic(5_000) : AccountTerms.STRICT;
  }

  private int divisor(Id128 account) {
    return population.isPoor(account) ? POOR_DIVISOR : 1;
  }

  private LedgerCommand schedule(Id128 account, SplittableRandom random, Id128 id) {
    if (random.nextInt(5) == 0) {
      return new LedgerCommand.SetSchedule(id, null, LedgerCommand.SetSchedule.Effective.BOUNDARY);
    }
    return new LedgerCommand.SetSchedule(
        id,
        new BudgetSchedule(
            PERIODS.get(random.nextInt(PERIODS.size())),
            "UTC",
            1,
            random.nextInt(PERIOD_UNITS / divisor(account))),
        random.nextInt(3) == 0
            ? LedgerCommand.SetSchedule.Effective.NOW
            : LedgerCommand.SetSchedule.Effective.BOUNDARY);
  }
}
