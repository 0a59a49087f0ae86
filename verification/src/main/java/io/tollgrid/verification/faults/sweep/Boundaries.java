package io.tollgrid.verification.faults.sweep;

import io.tollgrid.ledger.BudgetSchedule;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.temporal.TemporalAdjusters;
import java.util.HashMap;
import java.util.Map;

/**
 * When a schedule's next period begins, found by looking at a local calendar second by second:
 * slower than the product's own arithmetic and without any of it. Not thread-safe.
 */
final class Boundaries {
  private static final long NANOS_PER_SECOND = 1_000_000_000L;
  private static final long STEP_SECONDS = 900;

  /** A period that was found: its boundary is the answer for all times from then on. */
  private record Found(long fromSecond, long boundarySecond) {}

  private final Map<BudgetSchedule, Found> found = new HashMap<>();

  /** The first instant after {@code nanos} whose local day belongs to a later period. */
  long after(BudgetSchedule schedule, long nanos) {
    final BudgetSchedule calendar =
        new BudgetSchedule(schedule.kind(), schedule.zone(), schedule.anchorDay(), 0);
    final long second = Math.floorDiv(nanos, NANOS_PER_SECOND);
    final Found before = found.get(calendar);
    if (before != null && before.fromSecond() <= second && second < before.boundarySecond()) {
      return before.boundarySecond() * NANOS_PER_SECOND;
    }
    final LocalDate period = periodAt(calendar, second);
    long at = second;
    while (!periodAt(calendar, at + STEP_SECONDS).isAfter(period)) {
      at += STEP_SECONDS;
    }
    while (!periodAt(calendar, at).isAfter(period)) {
      at++;
    }
    found.put(calendar, new Found(second, at));
    return at * NANOS_PER_SECOND;
  }

  /** The first day of the period that a clock on the wall shows. */
  private static LocalDate periodAt(BudgetSchedule schedule, long second) {
    final LocalDate day =
        Instant.ofEpochSecond(second).atZone(ZoneId.of(schedule.zone())).toLocalDate();
    return switch (schedule.kind()) {
      case DAY -> day;
      case WEEK -> day.with(TemporalAdjusters.previousOrSame(DayOfWeek.MONDAY));
      case MONTH -> {
        final LocalDate first = anchor(YearMonth.from(day), schedule.anchorDay());
        yield first.isAfter(day)
            ? anchor(YearMonth.from(day).minusMonths(1), schedule.anchorDay())
            : first;
      }
    };
  }

  private static LocalDate anchor(YearMonth month, int day) {
    return month.atDay(Math.min(day, month.lengthOfMonth()));
  }
}
