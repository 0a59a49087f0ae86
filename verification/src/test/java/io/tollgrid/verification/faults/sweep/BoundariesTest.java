package io.tollgrid.verification.faults.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.tollgrid.ledger.BudgetSchedule;
import io.tollgrid.ledger.LedgerLimits;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Witnesses that the calendar by which the lane judges crossings is right where clocks jump (R14).
 */
class BoundariesTest {
  @ParameterizedTest
  @CsvSource({
    "DAY,   America/Sao_Paulo, 1,  2018-11-03T15:00:00Z, 2018-11-04T03:00:00Z",
    "DAY,   Asia/Beirut,       1,  2026-03-28T10:00:00Z, 2026-03-28T22:00:00Z",
    "DAY,   America/Havana,    1,  2025-11-01T16:00:00Z, 2025-11-02T04:00:00Z",
    "MONTH, UTC,               31, 2026-02-01T00:00:00Z, 2026-02-28T00:00:00Z",
    "MONTH, UTC,               31, 2026-02-28T00:00:00Z, 2026-03-31T00:00:00Z",
    "WEEK,  Europe/Vienna,     1,  2026-03-25T00:00:00Z, 2026-03-29T22:00:00Z",
    "DAY,   +05:37:11,         1,  2026-12-01T00:00:00Z, 2026-12-01T18:22:49Z"
  })
  void theNextPeriodBeginsWhenTheClockOnTheWallSaysSo(
      BudgetSchedule.Kind kind, String zone, int anchor, Instant from, Instant expected) {
    final BudgetSchedule schedule = new BudgetSchedule(kind, zone, anchor, 5);
    final Boundaries boundaries = new Boundaries();

    assertThat(boundaries.after(schedule, nanos(from))).isEqualTo(nanos(expected));
    assertThat(boundaries.after(schedule, nanos(expected) - 1)).isEqualTo(nanos(expected));
    assertThat(boundaries.after(schedule, nanos(expected))).isGreaterThan(nanos(expected));
  }

  @ParameterizedTest
  @CsvSource({"0", "1", "64800", "64801", "86399", "1796083200", "1796086931"})
  void anySecondIsMidnightSomewhere(long second) {
    final SeededAccount account =
        new Founding(1, LedgerLimits.DEFAULTS).dueAt(TimeUnit.SECONDS.toNanos(second));

    assertThat(account.ledger().period().endNanos()).isEqualTo(TimeUnit.SECONDS.toNanos(second));
  }

  @Test
  void whoIsIdleMissesBoundariesBeforeTheMidnight() {
    final long midnight = TimeUnit.SECONDS.toNanos(1_796_083_200);

    final SeededAccount account = new Founding(1, LedgerLimits.DEFAULTS).idleBefore(midnight);

    assertThat(account.ledger().period().endNanos())
        .isLessThanOrEqualTo(midnight - TimeUnit.DAYS.toNanos(1));
  }

  private static long nanos(Instant instant) {
    return TimeUnit.SECONDS.toNanos(instant.getEpochSecond());
  }
}
