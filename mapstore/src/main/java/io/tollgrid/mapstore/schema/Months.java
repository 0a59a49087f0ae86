package io.tollgrid.mapstore.schema;

import io.tollgrid.ledger.Id128;
import java.time.Instant;
import java.time.YearMonth;
import java.time.ZoneOffset;

/** Months as the schema counts them: the integer {@code yyyymm} of a moment in UTC. */
public final class Months {
  private static final int PER_YEAR = 100;
  private static final long NANOS_PER_SECOND = 1_000_000_000L;

  private Months() {}

  /** The month of {@code epochNanos}. */
  public static int of(long epochNanos) {
    return number(monthOf(epochNanos));
  }

  static YearMonth monthOf(long epochNanos) {
    return YearMonth.from(
        Instant.ofEpochSecond(
                Math.floorDiv(epochNanos, NANOS_PER_SECOND),
                Math.floorMod(epochNanos, NANOS_PER_SECOND))
            .atOffset(ZoneOffset.UTC));
  }

  static int number(YearMonth month) {
    return month.getYear() * PER_YEAR + month.getMonthValue();
  }

  static YearMonth month(int number) {
    return YearMonth.of(number / PER_YEAR, number % PER_YEAR);
  }

  /** The smallest time-ordered id made in {@code month} or later. */
  static Id128 firstId(YearMonth month) {
    final long unixMillis = month.atDay(1).atStartOfDay(ZoneOffset.UTC).toInstant().toEpochMilli();
    return new Id128(unixMillis << 16, 0);
  }

  /** When a time-ordered id was made. */
  static long unixMillisOf(Id128 id) {
    return id.high() >>> 16;
  }
}
