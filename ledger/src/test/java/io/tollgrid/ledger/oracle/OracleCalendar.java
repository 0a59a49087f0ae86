package io.tollgrid.ledger.oracle;

import io.tollgrid.ledger.BudgetSchedule;
import java.math.BigInteger;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Comparator;
import java.util.stream.Stream;

/** Which period an instant lies in, found by trying one day after another (R14). */
public final class OracleCalendar {
  private static final BigInteger NANOS_PER_SECOND = BigInteger.valueOf(1_000_000_000);

  private OracleCalendar() {}

  /** The latest day on which a period of the schedule began by {@code nanos}. */
  public static LocalDate firstDay(BudgetSchedule schedule, long nanos) {
    final ZoneId zone = ZoneId.of(schedule.zone());
    LocalDate day = LocalDate.ofInstant(instant(nanos), zone).plusDays(3);
    while (!isFirstDay(schedule, day) || beginning(day, zone).compareTo(big(nanos)) > 0) {
      day = day.minusDays(1);
    }
    return day;
  }

  /** The earliest beginning of a period of the schedule after {@code nanos}, epoch nanoseconds. */
  public static BigInteger end(BudgetSchedule schedule, long nanos) {
    final ZoneId zone = ZoneId.of(schedule.zone());
    LocalDate day = LocalDate.ofInstant(instant(nanos), zone).minusDays(3);
    while (!isFirstDay(schedule, day) || beginning(day, zone).compareTo(big(nanos)) <= 0) {
      day = day.plusDays(1);
    }
    return beginning(day, zone);
  }

  /** Whether a period of the schedule begins on this day. */
  public static boolean isFirstDay(BudgetSchedule schedule, LocalDate day) {
    return switch (schedule.kind()) {
      case DAY -> true;
      case WEEK -> day.getDayOfWeek().getValue() == 1;
      case MONTH ->
          day.getDayOfMonth() == schedule.anchorDay()
              || (day.getDayOfMonth() < schedule.anchorDay()
                  && day.plusDays(1).getDayOfMonth() == 1);
    };
  }

  /**
   * The first instant at which the zone's calendar shows {@code day} or a later one, found by
   * looking at each stretch between two changes of its clock; epoch nanoseconds.
   */
  public static BigInteger beginning(LocalDate day, ZoneId zone) {
    final LocalDateTime midnight = day.atStartOfDay();
    final Instant from = midnight.minusDays(2).toInstant(ZoneOffset.UTC);
    final Instant to = midnight.plusDays(3).toInstant(ZoneOffset.UTC);
    return Stream.concat(
            stretches(zone, from, to),
            stretches(zone, from, to).map(at -> midnight.toInstant(zone.getRules().getOffset(at))))
        .filter(at -> !LocalDate.ofInstant(at, zone).isBefore(day))
        .min(Comparator.naturalOrder())
        .map(at -> BigInteger.valueOf(at.getEpochSecond()).multiply(NANOS_PER_SECOND))
        .orElseThrow();
  }

  private static Stream<Instant> stretches(ZoneId zone, Instant from, Instant to) {
    return Stream.iterate(
        from,
        at -> at.isBefore(to),
        at -> {
          final var change = zone.getRules().nextTransition(at);
          return change == null ? to : change.getInstant();
        });
  }

  private static Instant instant(long nanos) {
    return Instant.ofEpochSecond(0, nanos);
  }

  private static BigInteger big(long n) {
    return BigInteger.valueOf(n);
  }
}
