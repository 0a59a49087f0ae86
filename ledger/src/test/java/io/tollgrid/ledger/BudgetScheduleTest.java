package io.tollgrid.ledger;

import static io.tollgrid.ledger.OneAccount.nanos;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.LocalDate;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Witnesses R14's calendar: the anchor clamped to the month, named zones, ISO weeks. */
class BudgetScheduleTest {
  private static BudgetSchedule month(String zone, int anchorDay) {
    return new BudgetSchedule(BudgetSchedule.Kind.MONTH, zone, anchorDay, 1);
  }

  private static BudgetSchedule day(String zone) {
    return new BudgetSchedule(BudgetSchedule.Kind.DAY, zone, 1, 1);
  }

  private static BudgetSchedule week(String zone) {
    return new BudgetSchedule(BudgetSchedule.Kind.WEEK, zone, 1, 1);
  }

  private static void assertPeriod(
      BudgetSchedule schedule, String instant, String firstDay, String end) {
    assertThat(LocalDate.ofEpochDay(schedule.firstDayOf(nanos(instant))))
        .as("first day of the period at %s", instant)
        .isEqualTo(LocalDate.parse(firstDay));
    assertThat(schedule.endOf(nanos(instant)))
        .as("end of the period at %s", instant)
        .isEqualTo(nanos(end));
  }

  @Nested
  class Months {
    @ParameterizedTest
    @CsvSource({
      // The 31st in February, in a common and in a leap year.
      "31, 2026-02-27T23:59:59.999999999Z, 2026-01-31, 2026-02-28T00:00:00Z",
      "31, 2026-02-28T00:00:00Z, 2026-02-28, 2026-03-31T00:00:00Z",
      "31, 2026-03-30T12:00:00Z, 2026-02-28, 2026-03-31T00:00:00Z",
      "31, 2028-02-28T12:00:00Z, 2028-01-31, 2028-02-29T00:00:00Z",
      "31, 2028-02-29T00:00:00Z, 2028-02-29, 2028-03-31T00:00:00Z",
      "30, 2028-02-29T00:00:00Z, 2028-02-29, 2028-03-30T00:00:00Z",
      "29, 2026-02-28T00:00:00Z, 2026-02-28, 2026-03-29T00:00:00Z",
      "29, 2028-02-28T23:00:00Z, 2028-01-29, 2028-02-29T00:00:00Z",
      // The clamped day does not stick: after the 30th of April comes the 31st of May.
      "31, 2026-04-30T00:00:00Z, 2026-04-30, 2026-05-31T00:00:00Z",
      "31, 2026-05-31T00:00:00Z, 2026-05-31, 2026-06-30T00:00:00Z",
      "1, 2026-01-01T00:00:00Z, 2026-01-01, 2026-02-01T00:00:00Z",
      "1, 2025-12-31T23:59:59.999999999Z, 2025-12-01, 2026-01-01T00:00:00Z",
      "15, 2026-01-14T23:59:59Z, 2025-12-15, 2026-01-15T00:00:00Z",
      // 1900 was no leap year, 2000 was one.
      "29, 1900-02-28T00:00:00Z, 1900-02-28, 1900-03-29T00:00:00Z",
      "29, 2000-02-28T00:00:00Z, 2000-01-29, 2000-02-29T00:00:00Z",
    })
    void theAnchorIsClampedToTheMonth(int anchorDay, String instant, String firstDay, String end) {
      assertPeriod(month("UTC", anchorDay), instant, firstDay, end);
    }

    @Test
    void theBoundaryIsLocalMidnight() {
      assertPeriod(
          month("Europe/Vienna", 1),
          "2026-03-31T21:59:59.999999999Z",
          "2026-03-01",
          "2026-03-31T22:00:00Z");
      assertPeriod(
          month("Pacific/Kiritimati", 1),
          "2026-03-31T10:00:00Z",
          "2026-04-01",
          "2026-04-30T10:00:00Z");
    }
  }

  @Nested
  class Weeks {
    @ParameterizedTest
    @CsvSource({
      // The week over new year belongs to both years.
      "2026-01-01T00:00:00Z, 2025-12-29, 2026-01-05T00:00:00Z",
      "2025-12-28T23:59:59.999999999Z, 2025-12-22, 2025-12-29T00:00:00Z",
      "2025-12-29T00:00:00Z, 2025-12-29, 2026-01-05T00:00:00Z",
      // 2020 had 53 weeks.
      "2021-01-03T12:00:00Z, 2020-12-28, 2021-01-04T00:00:00Z",
      "2026-03-08T23:59:59Z, 2026-03-02, 2026-03-09T00:00:00Z",
      "2026-03-09T00:00:00Z, 2026-03-09, 2026-03-16T00:00:00Z",
    })
    void aWeekRunsFromMondayToMonday(String instant, String firstDay, String end) {
      assertPeriod(week("UTC"), instant, firstDay, end);
    }
  }

  @Nested
  class Days {
    @Test
    void aDayIsAsLongAsTheClockMakesIt() {
      // 23 hours when the clock springs forward, 25 when it falls back.
      assertPeriod(
          day("Europe/Vienna"), "2026-03-29T10:00:00Z", "2026-03-29", "2026-03-29T22:00:00Z");
      assertPeriod(
          day("Europe/Vienna"), "2026-10-25T10:00:00Z", "2026-10-25", "2026-10-25T23:00:00Z");
    }

    @Test
    void aDayWithoutMidnightBeginsWhenTheClockResumes() {
      // São Paulo, 2018-11-04: 00:00 to 01:00 did not exist.
      assertPeriod(
          day("America/Sao_Paulo"),
          "2018-11-04T02:59:59.999999999Z",
          "2018-11-03",
          "2018-11-04T03:00:00Z");
      assertPeriod(
          day("America/Sao_Paulo"), "2018-11-04T03:00:00Z", "2018-11-04", "2018-11-05T02:00:00Z");
    }

    @Test
    void aDayWithTwoMidnightsBeginsAtTheFirst() {
      // Havana, 2026-11-01: 01:00 went back to 00:00.
      assertPeriod(
          day("America/Havana"),
          "2026-11-01T03:59:59.999999999Z",
          "2026-10-31",
          "2026-11-01T04:00:00Z");
      assertPeriod(
          day("America/Havana"), "2026-11-01T05:30:00Z", "2026-11-01", "2026-11-02T05:00:00Z");
    }

    @Test
    void aClockThatFallsBackAcrossMidnightReopensNoPeriod() {
      // São Paulo, 2018-02-18 00:00 went back to 23:00 on the 17th.
      assertPeriod(
          day("America/Sao_Paulo"),
          "2018-02-18T01:59:59.999999999Z",
          "2018-02-17",
          "2018-02-18T03:00:00Z");
      // St. John's, 2010-11-07 00:01 went back to 23:01 on the 6th: the 7th had begun already.
      assertPeriod(
          day("America/St_Johns"), "2010-11-07T02:30:00Z", "2010-11-07", "2010-11-08T03:30:00Z");
      assertPeriod(
          day("America/St_Johns"), "2010-11-07T03:00:00Z", "2010-11-07", "2010-11-08T03:30:00Z");
    }

    @Test
    void aDayThatAZoneSkippedIsNoPeriod() {
      // Samoa had no 30 December 2011.
      assertPeriod(
          day("Pacific/Apia"), "2011-12-30T09:59:59Z", "2011-12-29", "2011-12-30T10:00:00Z");
      assertPeriod(
          day("Pacific/Apia"), "2011-12-30T10:00:00Z", "2011-12-31", "2011-12-31T10:00:00Z");
      assertPeriod(
          month("Pacific/Apia", 30), "2011-12-30T10:00:00Z", "2011-12-30", "2012-01-29T10:00:00Z");
    }
  }

  @Nested
  class FarAway {
    @Test
    void theEpochAndTimeBeforeItAreOrdinary() {
      assertPeriod(month("UTC", 1), "1970-01-01T00:00:00Z", "1970-01-01", "1970-02-01T00:00:00Z");
      assertPeriod(
          month("UTC", 1), "1969-12-31T23:59:59.999999999Z", "1969-12-01", "1970-01-01T00:00:00Z");
      assertPeriod(day("UTC"), "1700-01-01T12:00:00Z", "1700-01-01", "1700-01-02T00:00:00Z");
    }

    @Test
    void aBoundaryBeyondTheLastNanosecondIsRefusedNotWrapped() {
      assertThatThrownBy(() -> month("UTC", 1).endOf(Long.MAX_VALUE))
          .isInstanceOf(ArithmeticException.class);
      assertThat(day("UTC").endOf(nanos("2262-04-10T12:00:00Z")))
          .isEqualTo(nanos("2262-04-11T00:00:00Z"));
    }

    @Test
    void anAccountAtTheEndOfTimeRefusesItsScheduleAndStaysUsable() {
      final OneAccount account = OneAccount.with(10);
      account.at(nanos("2262-04-11T12:00:00Z"));

      assertThat(
              account.refused(
                  account.request(
                      new LedgerCommand.SetSchedule(
                          account.nextId(),
                          month("UTC", 1),
                          LedgerCommand.SetSchedule.Effective.NOW),
                      Long.MAX_VALUE)))
          .isEqualTo(Refusal.BALANCE_OVERFLOW);
    }
  }

  @Nested
  class Validation {
    @ParameterizedTest
    @ValueSource(strings = {"", "Mars/Olympus", "utc!", "Europe Vienna", "+25:00"})
    void anUnknownZoneIsRefused(String zone) {
      assertThatThrownBy(() -> day(zone))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(zone);
    }

    @Test
    void anAnchorIsADayOfAMonthAndOnlyAMonthHasOne() {
      assertThatThrownBy(() -> month("UTC", 0)).isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> month("UTC", 32)).isInstanceOf(IllegalArgumentException.class);
      month("UTC", 1);
      month("UTC", 31);
      for (final BudgetSchedule.Kind kind :
          new BudgetSchedule.Kind[] {BudgetSchedule.Kind.DAY, BudgetSchedule.Kind.WEEK}) {
        assertThatThrownBy(() -> new BudgetSchedule(kind, "UTC", 2, 1))
            .isInstanceOf(IllegalArgumentException.class);
      }
    }

    @Test
    void anAllowanceIsNotNegative() {
      assertThatThrownBy(() -> BudgetSchedule.monthlyUtc(-1))
          .isInstanceOf(IllegalArgumentException.class);
      assertThat(BudgetSchedule.monthlyUtc(0).amountUnits()).isZero();
      assertThat(BudgetSchedule.monthlyUtc(5))
          .isEqualTo(new BudgetSchedule(BudgetSchedule.Kind.MONTH, "UTC", 1, 5));
    }
  }
}
