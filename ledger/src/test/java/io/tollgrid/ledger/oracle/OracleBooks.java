package io.tollgrid.ledger.oracle;

import static java.math.BigInteger.ZERO;

import io.tollgrid.ledger.BudgetSchedule;
import java.math.BigInteger;
import java.time.LocalDate;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What an account holds beside its leases, and the period it is in; restored when a command fails.
 */
final class OracleBooks {
  /** What 63 bits hold at most, and the boundary that never comes. */
  static final BigInteger LIMIT = BigInteger.valueOf(Long.MAX_VALUE);

  /** Thrown where a sum leaves 63 bits: the command is refused as a whole (R7). */
  static final class DoesNotFit extends Exception {
    private static final long serialVersionUID = 1L;
  }

  BigInteger deposited = ZERO;
  BigInteger overage = ZERO;
  BigInteger allowance = ZERO;
  BigInteger topUp = ZERO;
  BigInteger billed = ZERO;
  BigInteger expired = ZERO;
  BigInteger unfunded = ZERO;
  long period;
  BigInteger periodEnd = LIMIT;
  @Nullable BudgetSchedule schedule;
  boolean changePending;
  @Nullable BudgetSchedule changeTo;
  private Map<BudgetSchedule.Kind, LocalDate> latestFunded =
      new EnumMap<>(BudgetSchedule.Kind.class);

  OracleBooks copy() {
    final OracleBooks copy = new OracleBooks();
    copy.restore(this);
    return copy;
  }

  void restore(OracleBooks from) {
    deposited = from.deposited;
    overage = from.overage;
    allowance = from.allowance;
    topUp = from.topUp;
    billed = from.billed;
    expired = from.expired;
    unfunded = from.unfunded;
    period = from.period;
    periodEnd = from.periodEnd;
    schedule = from.schedule;
    changePending = from.changePending;
    changeTo = from.changeTo;
    latestFunded = new EnumMap<>(from.latestFunded);
  }

  BigInteger balance() {
    return allowance.add(topUp);
  }

  /** Whether both sides of the books can take so many units more. */
  boolean fits(long units) {
    return deposited.add(overage).add(BigInteger.valueOf(units)).compareTo(LIMIT) <= 0;
  }

  void requireFits(long units) throws DoesNotFit {
    if (!fits(units)) {
      throw new DoesNotFit();
    }
  }

  void turnPeriod(@Nullable BudgetSchedule next, long now) {
    expired = expired.add(allowance);
    allowance = ZERO;
    period++;
    schedule = next;
    periodEnd = next == null ? LIMIT : OracleCalendar.end(next, now);
    changePending = false;
    changeTo = null;
  }

  boolean wasFunded(BudgetSchedule by, long now) {
    final LocalDate latest = latestFunded.get(by.kind());
    return latest != null && !calendarName(by, now).isAfter(latest);
  }

  void fundPeriod(BudgetSchedule by, long now) {
    latestFunded.merge(by.kind(), calendarName(by, now), (a, b) -> a.isAfter(b) ? a : b);
    allowance = allowance.add(BigInteger.valueOf(by.amountUnits()));
    deposited = deposited.add(BigInteger.valueOf(by.amountUnits()));
  }

  /** The calendar period by its name: the day, the Monday, the month. */
  private static LocalDate calendarName(BudgetSchedule by, long now) {
    final LocalDate first = OracleCalendar.firstDay(by, now);
    return by.kind() == BudgetSchedule.Kind.MONTH ? first.withDayOfMonth(1) : first;
  }
}
