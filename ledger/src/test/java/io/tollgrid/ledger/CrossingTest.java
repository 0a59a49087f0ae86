package io.tollgrid.ledger;

import static io.tollgrid.ledger.LedgerCommand.SetSchedule.Effective.BOUNDARY;
import static io.tollgrid.ledger.LedgerCommand.SetSchedule.Effective.NOW;
import static io.tollgrid.ledger.OneAccount.nanos;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/**
 * Witnesses R14: a period is crossed exactly once, by whatever command comes first; only its
 * allowance expires; schedule changes fund no calendar period twice.
 */
class CrossingTest {
  private static final long APRIL = nanos("2026-04-01T00:00:00Z");
  private static final long MAY = nanos("2026-05-01T00:00:00Z");

  private final OneAccount account = OneAccount.with(1_000);

  private static BudgetSchedule monthly(long units) {
    return BudgetSchedule.monthlyUtc(units);
  }

  private static BudgetSchedule monthlyFrom(int anchorDay, long units) {
    return new BudgetSchedule(BudgetSchedule.Kind.MONTH, "UTC", anchorDay, units);
  }

  private static BudgetSchedule daily(long units) {
    return new BudgetSchedule(BudgetSchedule.Kind.DAY, "UTC", 1, units);
  }

  private Outcome.Crossed cross() {
    return (Outcome.Crossed) account.applied(new LedgerCommand.Cross());
  }

  private long allowance() {
    return account.books().allowance();
  }

  @Nested
  class Boundaries {
    @Test
    void theInstantOfTheBoundaryBelongsToTheNextPeriod() {
      account.schedule(monthly(100), BOUNDARY);
      account.at(APRIL - 1);
      assertThat(account.refused(new LedgerCommand.Cross())).isEqualTo(Refusal.NOT_DUE);
      account.lease(30);

      account.at(APRIL);
      assertThat(cross().periodNumber()).isEqualTo(2);
      assertThat(allowance()).isEqualTo(100);
      assertThat(account.books().expired()).isEqualTo(70);
      assertThat(account.books().topUp()).isEqualTo(1_000);
      assertThat(account.ledger().period().endNanos()).isEqualTo(MAY);
    }

    @Test
    void aPeriodIsCrossedOnce() {
      account.schedule(monthly(100), BOUNDARY);
      account.at(APRIL);
      assertThat(cross().version()).isEqualTo(account.ledger().version());

      assertThat(account.refused(new LedgerCommand.Cross())).isEqualTo(Refusal.NOT_DUE);
      account.at(MAY - 1);
      assertThat(account.refused(new LedgerCommand.Cross())).isEqualTo(Refusal.NOT_DUE);
      assertThat(account.books().deposited()).isEqualTo(1_200);
    }

    @Test
    void howeverManyBoundariesPassedOneAllowanceIsDeposited() {
      account.schedule(monthly(100), BOUNDARY);
      account.at(nanos("2026-09-17T10:00:00Z"));

      assertThat(cross().periodNumber()).isEqualTo(2);
      assertThat(account.books().deposited()).isEqualTo(1_200);
      assertThat(account.books().expired()).isEqualTo(100);
      assertThat(account.ledger().period().endNanos()).isEqualTo(nanos("2026-10-01T00:00:00Z"));
    }

    @Test
    void anyCommandCrossesFirstAndActsInTheNewPeriod() {
      account.schedule(monthly(100), BOUNDARY);
      account.at(APRIL);

      final Lease lease = account.lease(150);
      assertThat(lease.periodNumber()).isEqualTo(2);
      assertThat(lease.grantedAllowance()).isEqualTo(100);
      assertThat(account.books().expired()).isEqualTo(100);
      assertThat(account.last().effects().funding())
          .containsExactly(new Effects.FundingEntry(Effects.FundingEntry.Source.ALLOWANCE, 100));
    }

    @Test
    void aRefusedCommandStillCrosses() {
      account.schedule(monthly(100), BOUNDARY);
      account.at(APRIL);

      assertThat(account.refused(new LedgerCommand.Reclaim(0))).isEqualTo(Refusal.NOTHING_DUE);
      assertThat(account.last().effects().writes()).isTrue();
      assertThat(account.last().effects().outcome())
          .isEqualTo(new Outcome.Refused(Refusal.NOTHING_DUE, null));
      assertThat(account.ledger().period().number()).isEqualTo(2);
    }

    @Test
    void evidenceIsOfTheVersionThatCrossed() {
      account.schedule(monthly(0), BOUNDARY);
      account.lease(1_000);
      account.at(APRIL);
      account.refused(account.acquiring(1));

      assertThat(account.last().outcome())
          .isEqualTo(
              new Outcome.Refused(
                  Refusal.BALANCE_INSUFFICIENT,
                  new Evidence(1_000, MAY, account.ledger().version())));
    }

    @Test
    void aLeaseOfAnOlderPeriodKeepsServing() {
      account.schedule(monthly(100), BOUNDARY);
      final Lease lease = account.lease(80);
      account.at(APRIL);

      assertThat(account.bill(lease, 80)).isEqualTo(UsageVerdict.LEASED);
      assertThat(account.books().expired()).isEqualTo(20);
    }

    @Test
    void aBackwardClockCrossesNothingBack() {
      account.schedule(monthly(100), BOUNDARY);
      account.at(APRIL);
      cross();
      account.at(APRIL - 1);
      account.deposit(1);

      assertThat(account.ledger().period().number()).isEqualTo(2);
      assertThat(account.ledger().asOfNanos()).isEqualTo(APRIL);
    }

    @Test
    void anAccountWithoutAScheduleHasNothingToCross() {
      assertThat(
              account
                  .at(Long.MAX_VALUE - 1)
                  .refused(account.request(new LedgerCommand.Cross(), Long.MAX_VALUE)))
          .isEqualTo(Refusal.NOT_DUE);
    }
  }

  @Nested
  class ChangesAtTheBoundary {
    @Test
    void aFirstScheduleFundsTheCurrentPeriodOnce() {
      final Outcome.Changed changed = account.schedule(monthly(100), BOUNDARY);

      assertThat(allowance()).isEqualTo(100);
      assertThat(account.ledger().period().number()).isEqualTo(1);
      assertThat(account.ledger().period().endNanos()).isEqualTo(APRIL);
      assertThat(changed.version()).isEqualTo(account.ledger().version());
      assertThat(changed.policyGeneration()).isEqualTo(1);
    }

    @Test
    void aNewAmountWaitsForTheBoundary() {
      account.schedule(monthly(100), BOUNDARY);
      account.schedule(monthly(7), BOUNDARY);
      assertThat(allowance()).isEqualTo(100);
      assertThat(account.ledger().period().schedule()).isEqualTo(monthly(100));

      account.at(APRIL);
      cross();
      assertThat(allowance()).isEqualTo(7);
      assertThat(account.ledger().period().schedule()).isEqualTo(monthly(7));
      assertThat(account.ledger().period().change()).isNull();
    }

    @Test
    void theLastChangeBeforeTheBoundaryCounts() {
      account.schedule(monthly(100), BOUNDARY);
      account.schedule(null, BOUNDARY);
      account.schedule(monthly(9), BOUNDARY);

      account.at(APRIL);
      cross();
      assertThat(allowance()).isEqualTo(9);
    }

    @Test
    void clearingLetsTheCurrentAllowanceRunOut() {
      account.schedule(monthly(100), BOUNDARY);
      account.schedule(null, BOUNDARY);
      assertThat(allowance()).isEqualTo(100);

      account.at(APRIL);
      cross();
      assertThat(allowance()).isZero();
      assertThat(account.books().expired()).isEqualTo(100);
      assertThat(account.ledger().period().schedule()).isNull();
      assertThat(account.ledger().period().endNanos()).isEqualTo(Period.NEVER);
      assertThat(account.ledger().period().number()).isEqualTo(2);
    }

    @Test
    void thereIsNothingToClearWithoutASchedule() {
      assertThat(account.refused(new LedgerCommand.SetSchedule(account.nextId(), null, BOUNDARY)))
          .isEqualTo(Refusal.NO_SCHEDULE);
    }

    @Test
    void clearingAndSettingAgainWithinOnePeriodFundsItOnce() {
      account.schedule(daily(100), BOUNDARY);
      account.schedule(null, BOUNDARY);
      account.later(Duration.ofHours(12));
      cross();

      account.schedule(daily(100), BOUNDARY);
      assertThat(account.books().deposited()).isEqualTo(1_200);
      account.schedule(null, BOUNDARY);
      account.later(Duration.ofDays(1));
      cross();
      account.at(account.now() - Duration.ofHours(3).toNanos());
      account.schedule(daily(100), BOUNDARY);
      account.schedule(daily(100), BOUNDARY);
      assertThat(account.books().deposited()).isEqualTo(1_300);
    }

    @Test
    void movingTheAnchorFundsNoCalendarMonthTwice() {
      account.schedule(monthly(100), BOUNDARY);
      account.schedule(monthlyFrom(15, 100), BOUNDARY);

      // The month that began on the 1st was funded; the one from the 15th of March is that month.
      account.at(APRIL);
      cross();
      assertThat(account.ledger().period().endNanos()).isEqualTo(nanos("2026-04-15T00:00:00Z"));
      assertThat(account.books().deposited()).isEqualTo(1_100);

      // Nor does moving it again at each boundary.
      for (int anchor = 16; anchor <= 20; anchor++) {
        account.schedule(monthlyFrom(anchor, 100), BOUNDARY);
        account.at(account.ledger().period().endNanos());
        cross();
      }
      assertThat(account.books().deposited()).isEqualTo(1_100);
      account.at(nanos("2026-04-20T00:00:00Z"));
      cross();
      assertThat(account.books().deposited()).isEqualTo(1_200);
    }

    @Test
    void anEarlierAnchorFundsTheMonthThatHasBegun() {
      account.schedule(monthlyFrom(15, 100), BOUNDARY);
      account.schedule(monthly(100), BOUNDARY);
      assertThat(account.ledger().period().endNanos()).isEqualTo(nanos("2026-03-15T00:00:00Z"));
      account.at(nanos("2026-03-15T00:00:00Z"));
      cross();

      assertThat(account.books().deposited()).isEqualTo(1_200);
      assertThat(account.ledger().period().endNanos()).isEqualTo(APRIL);
    }

    @Test
    void anotherKindIsAnotherCalendarPeriod() {
      account.schedule(daily(100), BOUNDARY);
      account.schedule(new BudgetSchedule(BudgetSchedule.Kind.WEEK, "UTC", 1, 100), BOUNDARY);
      account.later(Duration.ofHours(12));
      cross();

      assertThat(allowance()).isEqualTo(100);
      assertThat(account.ledger().period().endNanos()).isEqualTo(nanos("2026-03-09T00:00:00Z"));
    }

    @Test
    void aZoneFurtherWestDoesNotFundTheSameDayAgain() {
      account.schedule(daily(100), BOUNDARY);
      account.schedule(
          new BudgetSchedule(BudgetSchedule.Kind.DAY, "America/New_York", 1, 100), BOUNDARY);
      account.later(Duration.ofHours(12));
      cross();

      // Midnight in UTC is still the evening of the same day in New York.
      assertThat(allowance()).isZero();
      assertThat(account.ledger().period().endNanos()).isEqualTo(nanos("2026-03-05T05:00:00Z"));
    }
  }

  @Nested
  class ChangesNow {
    @Test
    void nowIsACrossingWithTheNewAmount() {
      account.schedule(monthly(100), BOUNDARY);
      account.lease(30);
      account.schedule(monthly(2), NOW);

      assertThat(allowance()).isEqualTo(2);
      assertThat(account.books().expired()).isEqualTo(70);
      assertThat(account.ledger().period().number()).isEqualTo(2);
      assertThat(account.ledger().period().endNanos()).isEqualTo(APRIL);
    }

    @Test
    void nowFundsAgainEachTimeAnOperatorSaysSo() {
      account.schedule(monthly(100), NOW);
      account.schedule(monthly(100), NOW);

      assertThat(account.books().deposited()).isEqualTo(1_200);
      assertThat(allowance()).isEqualTo(100);
    }

    @Test
    void nowForgetsAChangeThatWasWaiting() {
      account.schedule(monthly(100), BOUNDARY);
      account.schedule(monthly(5), BOUNDARY);
      account.schedule(monthly(6), NOW);
      account.at(APRIL);
      cross();

      assertThat(allowance()).isEqualTo(6);
    }

    @Test
    void whatNowFundedIsNotFundedAgainByAFirstSchedule() {
      account.schedule(daily(100), NOW);
      account.schedule(null, BOUNDARY);
      account.later(Duration.ofHours(12));
      cross();
      account.schedule(daily(50), NOW);
      account.schedule(null, BOUNDARY);
      account.schedule(daily(50), BOUNDARY);

      assertThat(account.books().deposited()).isEqualTo(1_150);
    }
  }

  @Nested
  class OfAClosedAccount {
    @Test
    void theAllowanceExpiresAndNothingIsDeposited() {
      account.schedule(monthly(100), BOUNDARY);
      account.schedule(monthly(200), BOUNDARY);
      account.status(AccountStatus.CLOSED);
      assertThat(allowance()).isEqualTo(100);

      account.at(APRIL);
      cross();
      assertThat(allowance()).isZero();
      assertThat(account.books().expired()).isEqualTo(100);
      assertThat(account.ledger().period().schedule()).isNull();
      assertThat(account.ledger().period().number()).isEqualTo(2);
      account.at(MAY);
      assertThat(account.refused(new LedgerCommand.Cross())).isEqualTo(Refusal.NOT_DUE);
    }

    @Test
    void aSuspendedAccountIsFundedAsEver() {
      account.schedule(monthly(100), BOUNDARY);
      account.status(AccountStatus.SUSPENDED);
      account.at(APRIL);
      cross();

      assertThat(account.books().deposited()).isEqualTo(1_200);
    }
  }

  @Nested
  class WhenTheAllowanceNoLongerFits {
    /** Fits twice beside the top-up, not three times. */
    private static final long HALF = Long.MAX_VALUE / 2 - 2_000;

    @Test
    void anOperatorsScheduleThatDoesNotFitIsRefused() {
      assertThat(
              account.refused(
                  new LedgerCommand.SetSchedule(
                      account.nextId(), monthly(Long.MAX_VALUE), BOUNDARY)))
          .isEqualTo(Refusal.BALANCE_OVERFLOW);
      account.schedule(monthly(HALF), BOUNDARY);
      assertThat(
              account.refused(
                  new LedgerCommand.SetSchedule(account.nextId(), monthly(HALF + 4_000), NOW)))
          .isEqualTo(Refusal.BALANCE_OVERFLOW);
      assertThat(allowance()).isEqualTo(HALF);
    }

    @Test
    void thePeriodBeginsUnfundedAndTheAccountStaysUsable() {
      account.schedule(monthly(HALF), BOUNDARY);
      final Lease lease = account.lease(10);
      account.at(APRIL);
      account.bill(lease, 10);
      assertThat(allowance()).isEqualTo(HALF);

      account.at(MAY);
      final Outcome.Crossed crossed = cross();
      assertThat(crossed.periodNumber()).isEqualTo(3);
      assertThat(allowance()).isZero();
      assertThat(account.last().effects().funding()).isEmpty();
      assertThat(account.lease(100).grantedTopUp()).isEqualTo(100);
      // An operator can still choose an amount that fits, for the very same month.
      account.schedule(null, BOUNDARY);
      account.schedule(monthly(900), NOW);
      assertThat(allowance()).isEqualTo(900);
    }

    @Test
    void aMonthThatWasNotFundedIsNotRememberedAsFunded() {
      account.schedule(monthly(HALF), BOUNDARY);
      account.at(APRIL);
      cross();
      final Period.FundedStarts april = account.ledger().period().funded();
      account.at(MAY);
      cross();

      assertThat(account.ledger().period().funded()).isEqualTo(april);
    }
  }
}
