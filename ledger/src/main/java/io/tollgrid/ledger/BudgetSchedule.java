package io.tollgrid.ledger;

import java.time.DateTimeException;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.temporal.TemporalAdjusters;
import java.time.zone.ZoneRulesException;

/**
 * When an account's allowance is renewed and by how much (R14).
 *
 * <p>A period begins at the start of a local day in the schedule's zone: each day, each ISO week's
 * Monday, or the anchor day of each month clamped to the month's length (31 means the last day). A
 * day whose midnight does not exist begins when the clock resumes; one with two midnights begins at
 * the first.
 *
 * @param kind day, ISO week or month
 * @param zone a time-zone id known to the JDK, for example {@code UTC} or {@code Europe/Vienna}
 * @param anchorDay day of month 1 to 31 for a month, 1 otherwise
 * @param amountUnits the allowance of one period, 0 or more
 */
public record BudgetSchedule(Kind kind, String zone, int anchorDay, long amountUnits) {
  /** The lengths a period can have. */
  public enum Kind {
    /** From local midnight to local midnight. */
    DAY,
    /** From Monday to Monday. */
    WEEK,
    /** From anchor day to anchor day. */
    MONTH
  }

  private static final int LAST_ANCHOR_DAY = 31;

  /** Refuses an unknown zone, an anchor outside its range, and a negative amount. */
  public BudgetSchedule {
    if (amountUnits < 0) {
      throw new IllegalArgumentException("an allowance of " + amountUnits + " units is negative");
    }
    if (anchorDay < 1 || anchorDay > LAST_ANCHOR_DAY || (kind != Kind.MONTH && anchorDay != 1)) {
      throw new IllegalArgumentException(
          "an anchor day is 1 to 31 for a month and 1 for a " + kind + ", not " + anchorDay);
    }
    try {
      ZoneId.of(zone);
    } catch (ZoneRulesException e) {
      throw new IllegalArgumentException("the time zone \"" + zone + "\" is not known here", e);
    } catch (DateTimeException e) {
      throw new IllegalArgumentException("\"" + zone + "\" is not the name of a time zone", e);
    }
  }

  /** A month from its first day, in UTC. */
  public static BudgetSchedule monthlyUtc(long amountUnits) {
    return new BudgetSchedule(Kind.MONTH, "UTC", 1, amountUnits);
  }

  /**
   * The first local day of the period that holds {@code nanos}, as an epoch day: the period's name
   * on the calendar.
   */
  public long firstDayOf(long nanos) {
    return firstDay(nanos).toEpochDay();
  }

  /**
   * The end of the period that holds {@code nanos}: the earliest boundary after it, in epoch
   * nanoseconds.
   *
   * @throws ArithmeticException if the boundary does not fit 63 bits of nanoseconds
   */
  public long endOf(long nanos) {
    return startOfDay(following(firstDay(nanos)));
  }

  private LocalDate firstDay(long nanos) {
    LocalDate first =
        firstDayByCalendar(Instant.ofEpochSecond(0, nanos).atZone(ZoneId.of(zone)).toLocalDate());
    while (startOfDay(following(first)) <= nanos) {
      // The clock went back across a boundary (St. John's, 00:01 to 23:01): the next period has
      // begun all the same.
      first = following(first);
    }
    return first;
  }

  private LocalDate firstDayByCalendar(LocalDate today) {
    return switch (kind) {
      case DAY -> today;
      case WEEK -> today.with(TemporalAdjusters.previousOrSame(DayOfWeek.MONDAY));
      case MONTH -> {
        final LocalDate thisMonth = anchored(today.withDayOfMonth(1));
        yield thisMonth.isAfter(today)
            ? anchored(today.withDayOfMonth(1).minusMonths(1))
            : thisMonth;
      }
    };
  }

  private LocalDate following(LocalDate firstDay) {
    return switch (kind) {
      case DAY -> firstDay.plusDays(1);
      case WEEK -> firstDay.plusWeeks(1);
      case MONTH -> anchored(firstDay.withDayOfMonth(1).plusMonths(1));
    };
  }

  private LocalDate anchored(LocalDate firstOfMonth) {
    return firstOfMonth.withDayOfMonth(Math.min(anchorDay, firstOfMonth.lengthOfMonth()));
  }

  private long startOfDay(LocalDate day) {
    final Instant start = day.atStartOfDay(ZoneId.of(zone)).toInstant();
    return Math.addExact(
        Math.multiplyExact(start.getEpochSecond(), 1_000_000_000L), start.getNano());
  }
}
