package io.tollgrid.verification.faults.sweep;

import io.tollgrid.ledger.AccountStatus;
import io.tollgrid.ledger.AccountTerms;
import io.tollgrid.ledger.BudgetSchedule;
import io.tollgrid.ledger.CapacityClass;
import io.tollgrid.ledger.GrantPolicy;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.LedgerCommand;
import io.tollgrid.ledger.LedgerLimits;
import io.tollgrid.ledger.Outcome;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/** Invents accounts and their past from a seed. Not thread-safe. */
final class Founding {
  private static final long DAY_SECONDS = Duration.ofDays(1).toSeconds();
  private static final long EASTERNMOST_SECONDS = ZoneOffset.MAX.getTotalSeconds();
  private static final Duration LONGEST_LEASE = Duration.ofMinutes(10);
  private static final Duration LEASE = Duration.ofSeconds(60);
  private static final int LONGEST_IDLE_DAYS = 30;

  /** Boundaries of the calendar that are easily got wrong, each with a day before it. */
  private static final List<Calendar> CALENDARS =
      List.of(
          // midnight does not exist
          new Calendar(BudgetSchedule.Kind.DAY, "America/Sao_Paulo", 1, "2018-11-03T12:00"),
          new Calendar(BudgetSchedule.Kind.DAY, "Asia/Beirut", 1, "2026-03-28T12:00"),
          // midnight comes twice
          new Calendar(BudgetSchedule.Kind.DAY, "America/Havana", 1, "2025-11-01T12:00"),
          // the clock goes back across midnight
          new Calendar(BudgetSchedule.Kind.DAY, "America/St_Johns", 1, "2010-11-06T12:00"),
          // months that end before their anchor
          new Calendar(BudgetSchedule.Kind.MONTH, "UTC", 31, "2026-02-01T00:00"),
          new Calendar(BudgetSchedule.Kind.MONTH, "Europe/Vienna", 30, "2024-02-10T00:00"),
          // a week that loses an hour
          new Calendar(BudgetSchedule.Kind.WEEK, "Europe/Vienna", 1, "2026-03-25T00:00"));

  private record Calendar(BudgetSchedule.Kind kind, String zone, int anchorDay, String founded) {
    long foundedNanos() {
      return TimeUnit.SECONDS.toNanos(
          LocalDateTime.parse(founded).atZone(ZoneId.of(zone)).toEpochSecond());
    }
  }

  private final SplittableRandom random;
  private final LedgerLimits limits;

  Founding(long seed, LedgerLimits limits) {
    this.random = new SplittableRandom(seed);
    this.limits = limits;
  }

  /** A zone in which this second is midnight. */
  static String zoneWithMidnightAt(long epochSecond) {
    final long back = Math.floorMod(epochSecond, DAY_SECONDS);
    final long offset = back <= EASTERNMOST_SECONDS ? -back : DAY_SECONDS - back;
    return ZoneOffset.ofTotalSeconds((int) offset).getId();
  }

  /** An account whose day, the first it was funded for, ends at this midnight. */
  SeededAccount dueAt(long midnightNanos) {
    return daily(midnightNanos, 0);
  }

  /** An account that nobody has touched for days: it has missed boundaries before this midnight. */
  SeededAccount idleBefore(long midnightNanos) {
    return daily(midnightNanos, 1 + random.nextInt(LONGEST_IDLE_DAYS));
  }

  private SeededAccount daily(long midnightNanos, int missedDays) {
    final long midnight = TimeUnit.NANOSECONDS.toSeconds(midnightNanos);
    final long foundedNanos =
        midnightNanos - TimeUnit.DAYS.toNanos(missedDays) - TimeUnit.HOURS.toNanos(20);
    return scheduled(
        new BudgetSchedule(
            BudgetSchedule.Kind.DAY, zoneWithMidnightAt(midnight), 1, 20 + random.nextInt(80)),
        foundedNanos);
  }

  /** How many kinds of difficult boundaries there are. */
  static int calendars() {
    return CALENDARS.size();
  }

  /** An account whose first period ended at a difficult boundary long ago. */
  SeededAccount idleSince(int calendar) {
    final Calendar which = CALENDARS.get(calendar);
    return scheduled(
        new BudgetSchedule(which.kind(), which.zone(), which.anchorDay(), 20 + random.nextInt(80)),
        which.foundedNanos());
  }

  private SeededAccount scheduled(BudgetSchedule schedule, long foundedNanos) {
    final SeededAccount account = created(foundedNanos);
    account.ask(
        new LedgerCommand.SetSchedule(id(), schedule, LedgerCommand.SetSchedule.Effective.BOUNDARY),
        foundedNanos);
    account.ask(new LedgerCommand.Deposit(id(), 1 + random.nextInt(100)), foundedNanos);
    return account;
  }

  /** Gives it a lease that outlives the boundary: what it had, in part. */
  Outcome.Granted leased(SeededAccount account, long atNanos) {
    return (Outcome.Granted)
        account.ask(
            new LedgerCommand.Acquire(
                id(), id(), GrantPolicy.of(10, 60), LONGEST_LEASE.toNanos(), 0),
            atNanos);
  }

  /**
   * An account whose leases have all expired: each has 2 to 9 units, and every fifth gave one back.
   *
   * @param firstNanos when its first lease was taken, which is when it was due, less the lease's
   *     time and grace
   * @param leases how many, a tenth of a second of life apart
   */
  SeededAccount expired(long firstNanos, int leases) {
    final SeededAccount account = created(firstNanos);
    account.ask(new LedgerCommand.Deposit(id(), 10L * leases + random.nextInt(1_000)), firstNanos);
    for (int i = 0; i < leases; i++) {
      final int units = 2 + random.nextInt(8);
      final Outcome.Granted lease =
          (Outcome.Granted)
              account.ask(
                  new LedgerCommand.Acquire(
                      id(),
                      id(),
                      GrantPolicy.of(units, units),
                      LEASE.plusMillis(100L * (i % 10)).toNanos(),
                      0),
                  firstNanos);
      if (i % 5 == 4) {
        account.ask(new LedgerCommand.Return(lease.leaseId(), lease.fence(), 1, 1), firstNanos);
      }
    }
    return account;
  }

  private SeededAccount created(long atNanos) {
    final SeededAccount account = new SeededAccount(id(), limits);
    account.ask(
        new LedgerCommand.Create(
            id(), AccountStatus.ACTIVE, CapacityClass.BEST_EFFORT, AccountTerms.STRICT),
        atNanos);
    return account;
  }

  private Id128 id() {
    return new Id128(random.nextLong(), random.nextLong());
  }
}
