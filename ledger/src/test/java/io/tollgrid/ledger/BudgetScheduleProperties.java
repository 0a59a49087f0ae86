package io.tollgrid.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.tollgrid.ledger.oracle.OracleCalendar;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.List;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/**
 * Witnesses R14's calendar for any schedule and instant: periods tile time, and they begin where a
 * second reading of the zone's rules says a local day begins.
 */
class BudgetScheduleProperties {
  /** Zones that did something odd at midnight at least once, and some that never do. */
  private static final List<String> ZONES =
      List.of(
          "UTC",
          "+05:45",
          "Africa/Cairo",
          "America/Havana",
          "America/New_York",
          "America/Sao_Paulo",
          "America/Scoresbysund",
          "America/St_Johns",
          "Asia/Amman",
          "Asia/Beirut",
          "Asia/Gaza",
          "Asia/Tehran",
          "Australia/Lord_Howe",
          "Europe/Vienna",
          "Pacific/Apia",
          "Pacific/Kiritimati",
          "Pacific/Kwajalein");

  @Provide
  Arbitrary<BudgetSchedule> schedules() {
    final Arbitrary<String> zones = Arbitraries.of(ZONES);
    final Arbitrary<BudgetSchedule> months =
        Combinators.combine(zones, Arbitraries.integers().between(1, 31))
            .as((zone, anchor) -> new BudgetSchedule(BudgetSchedule.Kind.MONTH, zone, anchor, 1));
    final Arbitrary<BudgetSchedule> others =
        Combinators.combine(
                zones, Arbitraries.of(BudgetSchedule.Kind.DAY, BudgetSchedule.Kind.WEEK))
            .as((zone, kind) -> new BudgetSchedule(kind, zone, 1, 1));
    return Arbitraries.oneOf(months, others);
  }

  /** From 1700 to 2260, often near a change of the zone's clock. */
  @Provide
  Arbitrary<Long> instants() {
    final Arbitrary<Long> anywhere =
        Arbitraries.longs()
            .between(
                OneAccount.nanos("1700-01-01T00:00:00Z"), OneAccount.nanos("2260-01-01T00:00:00Z"));
    final List<Long> changes = ZONES.stream().flatMap(BudgetScheduleProperties::changes).toList();
    final Arbitrary<Long> nearAChange =
        Combinators.combine(
                Arbitraries.of(changes),
                Arbitraries.longs()
                    .between(-Duration.ofDays(2).toNanos(), Duration.ofDays(2).toNanos()))
            .as(Long::sum);
    return Arbitraries.oneOf(anywhere, nearAChange, Arbitraries.of(changes));
  }

  private static Stream<Long> changes(String zone) {
    return ZoneId.of(zone).getRules().getTransitions().stream()
        .map(transition -> transition.getInstant())
        .filter(at -> at.isAfter(Instant.parse("1700-01-01T00:00:00Z")))
        .map(OneAccount::nanos);
  }

  @Property(tries = 3_000, seed = "20260304")
  void aPeriodEndsAfterEveryInstantInIt(
      @ForAll("schedules") BudgetSchedule schedule, @ForAll("instants") long nanos) {
    assertThat(schedule.endOf(nanos)).isGreaterThan(nanos);
  }

  @Property(tries = 3_000, seed = "20260304")
  void periodsTileTimeWithoutGapOrOverlap(
      @ForAll("schedules") BudgetSchedule schedule, @ForAll("instants") long nanos) {
    final long end = schedule.endOf(nanos);

    assertThat(schedule.endOf(end - 1)).as("one period up to its end").isEqualTo(end);
    assertThat(schedule.firstDayOf(end - 1)).isEqualTo(schedule.firstDayOf(nanos));
    assertThat(schedule.firstDayOf(end))
        .as("the end belongs to the next period")
        .isGreaterThan(schedule.firstDayOf(nanos));
    assertThat(schedule.endOf(end)).isGreaterThan(end);
  }

  @Property(tries = 3_000, seed = "20260304")
  void aPeriodEndsWhereTheNextOnesFirstDayBegins(
      @ForAll("schedules") BudgetSchedule schedule, @ForAll("instants") long nanos) {
    final LocalDate first = LocalDate.ofEpochDay(schedule.firstDayOf(nanos));
    final ZoneId zone = ZoneId.of(schedule.zone());

    assertThat(beginning(first, zone)).as("the period has begun").isLessThanOrEqualTo(nanos);
    assertThat(schedule.endOf(nanos)).isEqualTo(beginning(nextFirstDay(schedule, first), zone));
    assertThat(OracleCalendar.isFirstDay(schedule, first)).isTrue();
  }

  private static LocalDate nextFirstDay(BudgetSchedule schedule, LocalDate first) {
    LocalDate day = first.plusDays(1);
    while (!OracleCalendar.isFirstDay(schedule, day)) {
      day = day.plusDays(1);
    }
    return day;
  }

  private static long beginning(LocalDate day, ZoneId zone) {
    return OracleCalendar.beginning(day, zone).longValueExact();
  }
}
