package io.tollgrid.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.temporal.TemporalAdjusters;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.jspecify.annotations.Nullable;

/**
 * Witnesses R14: no sequence of schedule changes funds one calendar period twice unless an operator
 * says now, and each crossing deposits at most one allowance.
 */
class ScheduleChangeProperties {
  private static final List<String> ZONES =
      List.of("UTC", "Pacific/Kiritimati", "America/New_York", "Pacific/Pago_Pago");

  /** Wait some time, then change the schedule, or only cross. */
  record Change(Duration pause, boolean toTheBoundary, boolean sets, @Nullable BudgetSchedule to) {}

  @Provide
  Arbitrary<List<Change>> changes() {
    final Arbitrary<BudgetSchedule> schedules =
        Combinators.combine(
                Arbitraries.of(BudgetSchedule.Kind.values()),
                Arbitraries.of(ZONES),
                Arbitraries.integers().between(1, 31),
                Arbitraries.longs().between(1, 100))
            .as(
                (kind, zone, anchor, units) ->
                    new BudgetSchedule(
                        kind, zone, kind == BudgetSchedule.Kind.MONTH ? anchor : 1, units));
    final Arbitrary<Duration> pauses =
        Arbitraries.oneOf(
            Arbitraries.longs().between(0, 48).map(Duration::ofHours),
            Arbitraries.longs().between(0, 70).map(Duration::ofDays));
    return Combinators.combine(
            pauses,
            Arbitraries.of(true, true, false),
            Arbitraries.of(true, true, true, false),
            schedules.injectNull(0.2))
        .as(Change::new)
        .list()
        .ofMaxSize(25);
  }

  @Property(tries = 400, seed = "20260304", edgeCases = EdgeCasesMode.NONE)
  void noSequenceOfChangesFundsACalendarPeriodTwice(@ForAll("changes") List<Change> changes) {
    final OneAccount account = OneAccount.created();
    final Set<String> funded = new HashSet<>();
    for (final Change change : changes) {
      final long end = account.ledger().period().endNanos();
      account.at(
          change.toTheBoundary() && end != Period.NEVER
              ? end
              : account.now() + change.pause().toNanos());
      account.run(
          change.sets()
              ? new LedgerCommand.SetSchedule(
                  account.nextId(), change.to(), LedgerCommand.SetSchedule.Effective.BOUNDARY)
              : new LedgerCommand.Cross());
      noteFunding(account, funded);
    }
  }

  private static void noteFunding(OneAccount account, Set<String> funded) {
    final List<Effects.FundingEntry> entries = account.last().effects().funding();
    if (entries.isEmpty()) {
      return;
    }
    final BudgetSchedule schedule = account.ledger().period().schedule();
    assertThat(schedule).isNotNull();
    assertThat(entries)
        .containsExactly(
            new Effects.FundingEntry(
                Effects.FundingEntry.Source.ALLOWANCE, schedule.amountUnits()));
    assertThat(funded.add(calendarPeriod(schedule, account.now())))
        .as("%s was funded before", calendarPeriod(schedule, account.now()))
        .isTrue();
  }

  /** What a person would call the period: the day, the week of, the month it began in. */
  private static String calendarPeriod(BudgetSchedule schedule, long nanos) {
    final LocalDate today =
        LocalDate.ofInstant(Instant.ofEpochSecond(0, nanos), ZoneId.of(schedule.zone()));
    return switch (schedule.kind()) {
      case DAY -> "the day " + today;
      case WEEK ->
          "the week of " + today.with(TemporalAdjusters.previousOrSame(java.time.DayOfWeek.MONDAY));
      case MONTH -> {
        final YearMonth month = YearMonth.from(today);
        final int anchor = Math.min(schedule.anchorDay(), month.lengthOfMonth());
        yield "the month " + (today.getDayOfMonth() >= anchor ? month : month.minusMonths(1));
      }
    };
  }

  @Property(tries = 400, seed = "20260304", edgeCases = EdgeCasesMode.NONE)
  void whateverIsChangedAnAllowanceIsDepositedOrExpiredAndNeverLost(
      @ForAll("changes") List<Change> changes) {
    final OneAccount account = OneAccount.created();
    for (final Change change : changes) {
      account.later(change.pause());
      account.run(
          change.sets() && change.to() != null
              ? new LedgerCommand.SetSchedule(
                  account.nextId(), change.to(), LedgerCommand.SetSchedule.Effective.NOW)
              : new LedgerCommand.Cross());
      final Balances books = account.books();
      assertThat(books.allowance() + books.expired()).isEqualTo(books.deposited());
      assertThat(account.ledger().period().endNanos()).isGreaterThan(account.now());
    }
  }
}
