package io.tollgrid.ledger;

import java.time.LocalDate;
import org.jspecify.annotations.Nullable;

/**
 * The budget period an account is in (R14).
 *
 * @param number 0 before the first schedule, one more at each crossing
 * @param endNanos the stored boundary, epoch nanoseconds; {@link #NEVER} when no schedule is set
 * @param schedule what renews the allowance, or null
 * @param change what the next boundary makes of the schedule, or null for "the same again"
 * @param funded the calendar periods that were funded last
 */
public record Period(
    long number,
    long endNanos,
    @Nullable BudgetSchedule schedule,
    @Nullable ScheduleChange change,
    FundedStarts funded) {
  /** The boundary that never comes. */
  public static final long NEVER = Long.MAX_VALUE;

  /** The period of an account that never had a schedule. */
  public static final Period UNSCHEDULED = new Period(0, NEVER, null, null, FundedStarts.NONE);

  /** Refuses an end without a schedule and a schedule without an end. */
  public Period {
    if (number < 0
        || (schedule == null) != (endNanos == NEVER)
        || (schedule == null && change != null)) {
      throw new CorruptLedgerException(
          "period "
              + number
              + " ends at "
              + endNanos
              + " under schedule "
              + schedule
              + ", changing to "
              + change);
    }
  }

  /**
   * What a boundary makes of the schedule.
   *
   * @param next the schedule from there on, or null if it is cleared
   */
  public record ScheduleChange(@Nullable BudgetSchedule next) {}

  /**
   * The latest calendar period funded of each kind, named by an epoch day, so that no sequence of
   * schedule changes funds one calendar period twice.
   *
   * <p>A month is named by its own first day, whatever its anchor: an anchor that moves on inside a
   * month that was funded meets the same month again.
   *
   * @param day latest funded day
   * @param week latest funded week's Monday
   * @param month first of the month in which the latest funded month began
   */
  public record FundedStarts(long day, long week, long month) {
    /** Nothing was funded yet. */
    public static final FundedStarts NONE =
        new FundedStarts(Long.MIN_VALUE, Long.MIN_VALUE, Long.MIN_VALUE);

    boolean covers(BudgetSchedule.Kind kind, long firstDay) {
      return named(kind, firstDay) <= latest(kind);
    }

    FundedStarts with(BudgetSchedule.Kind kind, long firstDay) {
      final long name = Math.max(named(kind, firstDay), latest(kind));
      return switch (kind) {
        case DAY -> new FundedStarts(name, week, month);
        case WEEK -> new FundedStarts(day, name, month);
        case MONTH -> new FundedStarts(day, week, name);
      };
    }

    private static long named(BudgetSchedule.Kind kind, long firstDay) {
      return kind == BudgetSchedule.Kind.MONTH
          ? LocalDate.ofEpochDay(firstDay).withDayOfMonth(1).toEpochDay()
          : firstDay;
    }

    private long latest(BudgetSchedule.Kind kind) {
      return switch (kind) {
        case DAY -> day;
        case WEEK -> week;
        case MONTH -> month;
      };
    }
  }
}
