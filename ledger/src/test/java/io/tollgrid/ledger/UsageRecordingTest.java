package io.tollgrid.ledger;

import static io.tollgrid.ledger.OneAccount.event;
import static io.tollgrid.ledger.OneAccount.on;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/**
 * Witnesses R20: every event of a batch is classified once; only accepted ones move the ledger; a
 * rejected one claims no id and is kept; a replay never bills twice.
 */
class UsageRecordingTest {
  private static final Funding OVERAGE = new Funding.Overage();
  private static final Funding UNFUNDED = new Funding.Unfunded();
  private static final Id128 OTHER_WRITER = new Id128(0x3417E4, 2);

  private final OneAccount account =
      OneAccount.created(LedgerLimits.DEFAULTS, AccountTerms.elastic(100));

  private Lease lease(long units) {
    account.deposit(units);
    return account.lease(units);
  }

  @Test
  void aLeasedPartMovesUnitsFromOutstandingToBilled() {
    final Lease lease = lease(10);

    assertThat(account.bill(lease, 4)).isEqualTo(UsageVerdict.LEASED);
    assertThat(account.again(lease).billed()).isEqualTo(4);
    assertThat(account.books().outstanding()).isEqualTo(6);
    assertThat(account.books().billed()).isEqualTo(4);
    assertThat(account.books().overage()).isZero();
  }

  @Test
  void overageIsBilledAndIsItsOwnFundingTerm() {
    assertThat(account.record(account.event(OVERAGE, 7))).containsExactly(UsageVerdict.OVERAGE);
    assertThat(account.books().billed()).isEqualTo(7);
    assertThat(account.books().overage()).isEqualTo(7);
  }

  @Test
  void overageIsStillBilledAfterTheAccountBecameStrict() {
    account.applied(new LedgerCommand.SetTerms(account.nextId(), AccountTerms.STRICT));

    assertThat(account.record(account.event(OVERAGE, 7))).containsExactly(UsageVerdict.OVERAGE);
  }

  @Test
  void overageOfAnAccountThatWasNeverElasticIsRejected() {
    final OneAccount strict = OneAccount.created();

    assertThat(strict.record(strict.event(OVERAGE, 7)))
        .containsExactly(UsageVerdict.OVERAGE_FORBIDDEN);
    assertThat(strict.books()).isEqualTo(Balances.ZERO);
    assertThat(strict.store().rejected(OneAccount.ACCOUNT)).hasSize(1);
  }

  @Test
  void overageIsBilledOnceTheAccountBecameElastic() {
    final OneAccount strict = OneAccount.created();
    strict.applied(new LedgerCommand.SetTerms(strict.nextId(), AccountTerms.elastic(1)));

    assertThat(strict.record(strict.event(OVERAGE, 7))).containsExactly(UsageVerdict.OVERAGE);
  }

  @Test
  void unfundedUsageIsCountedOutsideTheIdentity() {
    assertThat(account.record(account.event(UNFUNDED, 7))).containsExactly(UsageVerdict.UNFUNDED);
    assertThat(account.books().unfunded()).isEqualTo(7);
    assertThat(account.books().billed()).isZero();
  }

  @Test
  void aZeroUnitEventIsRecordedAndMovesNothing() {
    final Lease lease = lease(10);

    assertThat(account.bill(lease, 0)).isEqualTo(UsageVerdict.LEASED);
    assertThat(account.books().outstanding()).isEqualTo(10);
    assertThat(account.store().usage(OneAccount.ACCOUNT)).hasSize(1);
  }

  @Test
  void anAggregatedEventStandsForManyRequestsUnderOneId() {
    final Lease lease = lease(1_000);
    final UsageEvent second =
        new UsageEvent(
            account.nextRequestId(),
            0,
            LegRole.BILLING,
            on(lease),
            700,
            70,
            List.of(new MeterUnits("tokens", 500), new MeterUnits("calls", 200)),
            Id128.ZERO,
            Bits256.ZERO,
            account.now(),
            OneAccount.WRITER,
            1);

    assertThat(account.record(second)).containsExactly(UsageVerdict.LEASED);
    assertThat(account.record(second)).containsExactly(UsageVerdict.LEASED);
    assertThat(account.again(lease).billed()).isEqualTo(700);
    assertThat(account.store().usage(OneAccount.ACCOUNT).get(0).event().requests()).isEqualTo(70);
  }

  @Test
  void allOfALeaseCanBeBilledAndNotOneUnitMore() {
    final Lease lease = lease(10);

    assertThat(account.record(account.event(on(lease), 6), account.event(on(lease), 4)))
        .containsExactly(UsageVerdict.LEASED, UsageVerdict.LEASED);
    assertThat(account.bill(lease, 1)).isEqualTo(UsageVerdict.BEYOND_LEASE);
    assertThat(account.books().billed()).isEqualTo(10);
  }

  @Test
  void aPartOfAnUnknownLeaseOrWithAnotherFenceIsRejected() {
    final Lease lease = lease(10);

    assertThat(
            account.record(
                account.event(new Funding.Leased(account.nextId(), lease.fence()), 1),
                account.event(new Funding.Leased(lease.id(), lease.fence() + 1), 1)))
        .containsExactly(UsageVerdict.NO_SUCH_LEASE, UsageVerdict.NO_SUCH_LEASE);
    assertThat(account.books().billed()).isZero();
  }

  @Test
  void aLeaseThatLeftTheEntryIsLookedUpBeforeAnyoneCallsItABreach() {
    final Lease lease = lease(10);
    account.release(lease, 10);
    account.reload();

    assertThat(account.bill(lease, 0)).isEqualTo(UsageVerdict.STRAGGLER);
    assertThat(account.bill(lease, 1)).isEqualTo(UsageVerdict.BEYOND_LOSS);
  }

  @Nested
  class Replays {
    @Test
    void theDeliveryThatWasAcceptedKeepsItsFirstClassification() {
      final Lease lease = lease(10);
      final UsageEvent event = account.event(on(lease), 4);
      account.record(event);

      assertThat(account.record(event)).containsExactly(UsageVerdict.LEASED);
      account.reclaimed(lease);
      assertThat(account.record(event)).containsExactly(UsageVerdict.LEASED);
      assertThat(account.books().billed()).isEqualTo(4);
    }

    @Test
    void anotherDeliveryOfARecordedPartIsADuplicateWhateverItSays() {
      final Lease lease = lease(10);
      final UsageEvent first = account.event(on(lease), 4);
      account.record(first);

      assertThat(
              account.record(
                  event(first.requestId(), 0, OVERAGE, 900, OTHER_WRITER, 1),
                  event(first.requestId(), 0, on(lease), 4, OneAccount.WRITER, 77)))
          .containsExactly(UsageVerdict.DUPLICATE, UsageVerdict.DUPLICATE);
      assertThat(account.last().effects().writes()).isFalse();
      assertThat(account.books().billed()).isEqualTo(4);
    }

    @Test
    void anotherPartOfTheSameRequestIsBilledOnItsOwn() {
      final Lease lease = lease(10);
      final UsageEvent first = account.event(on(lease), 4);

      assertThat(account.record(first, event(first.requestId(), 1, on(lease), 3, OTHER_WRITER, 1)))
          .containsExactly(UsageVerdict.LEASED, UsageVerdict.LEASED);
      assertThat(account.books().billed()).isEqualTo(7);
    }

    @Test
    void aRejectedDeliveryStaysRejectedAndIsKeptOnce() {
      final Lease lease = lease(10);
      final UsageEvent event = account.event(on(lease), 40);

      assertThat(account.record(event)).containsExactly(UsageVerdict.BEYOND_LEASE);
      account.deposit(100);
      assertThat(account.record(event)).containsExactly(UsageVerdict.BEYOND_LEASE);
      assertThat(account.store().rejected(OneAccount.ACCOUNT)).hasSize(1);
    }

    /** Usage of nobody is kept, and stays rejected when the account comes to be. */
    @Test
    void usageOfAnAccountThatDoesNotExistIsRejectedAndKept() {
      final OneAccount nobody = OneAccount.absent();
      final UsageEvent event = nobody.event(new Funding.Unfunded(), 4);
      assertThat(nobody.record(event, event))
          .containsExactly(UsageVerdict.UNKNOWN_ACCOUNT, UsageVerdict.UNKNOWN_ACCOUNT);
      assertThat(nobody.last().effects().writes()).isFalse();
      assertThat(nobody.store().rejected(OneAccount.ACCOUNT)).hasSize(1);

      nobody.applied(
          new LedgerCommand.Create(
              nobody.nextId(),
              AccountStatus.ACTIVE,
              CapacityClass.BEST_EFFORT,
              AccountTerms.STRICT));
      assertThat(
              nobody.record(
                  event, event(event.requestId(), 0, new Funding.Unfunded(), 4, OTHER_WRITER, 1)))
          .containsExactly(UsageVerdict.UNKNOWN_ACCOUNT, UsageVerdict.UNFUNDED);
      assertThat(nobody.store().rejected(OneAccount.ACCOUNT)).hasSize(1);
    }

    @Test
    void aRejectedEventClaimsNoIdSoAnotherDeliveryOfItCanBeAccepted() {
      final Lease lease = lease(10);
      final UsageEvent first = account.event(on(lease), 40);
      account.record(first);

      assertThat(account.record(event(first.requestId(), 0, on(lease), 5, OTHER_WRITER, 1)))
          .containsExactly(UsageVerdict.LEASED);
      // The first delivery keeps its own classification all the same.
      assertThat(account.record(first)).containsExactly(UsageVerdict.BEYOND_LEASE);
    }
  }

  @Nested
  class WithinOneBatch {
    @Test
    void theSameDeliveryTwiceIsBilledOnceAndAnsweredTwice() {
      final Lease lease = lease(10);
      final UsageEvent event = account.event(on(lease), 4);

      assertThat(account.record(event, event))
          .containsExactly(UsageVerdict.LEASED, UsageVerdict.LEASED);
      assertThat(account.books().billed()).isEqualTo(4);
      assertThat(account.store().usage(OneAccount.ACCOUNT)).hasSize(1);
    }

    @Test
    void anotherDeliveryOfAPartIsADuplicate() {
      final Lease lease = lease(10);
      final UsageEvent event = account.event(on(lease), 4);

      assertThat(account.record(event, event(event.requestId(), 0, on(lease), 4, OTHER_WRITER, 1)))
          .containsExactly(UsageVerdict.LEASED, UsageVerdict.DUPLICATE);
      assertThat(account.books().billed()).isEqualTo(4);
    }

    @Test
    void aRejectedEventClaimsNothingForTheNext() {
      final Lease lease = lease(10);
      final UsageEvent event = account.event(on(lease), 40);

      assertThat(account.record(event, event(event.requestId(), 0, on(lease), 4, OTHER_WRITER, 1)))
          .containsExactly(UsageVerdict.BEYOND_LEASE, UsageVerdict.LEASED);
    }

    @Test
    void aRejectedDeliveryTwiceIsKeptOnce() {
      final Lease lease = lease(10);
      final UsageEvent event = account.event(on(lease), 40);

      assertThat(account.record(event, event))
          .containsExactly(UsageVerdict.BEYOND_LEASE, UsageVerdict.BEYOND_LEASE);
      assertThat(account.store().rejected(OneAccount.ACCOUNT)).hasSize(1);
    }

    @Test
    void aPartIsNeverAnsweredAsBilledBecauseItsDeliveryNumberWasUsedBefore() {
      final Lease lease = lease(10);
      final UsageEvent event = account.event(on(lease), 4);
      final UsageEvent sameNumber =
          event(account.nextRequestId(), 0, on(lease), 3, event.writer(), event.sequence());

      assertThat(account.record(event, sameNumber))
          .containsExactly(UsageVerdict.LEASED, UsageVerdict.LEASED);
      assertThat(account.books().billed()).isEqualTo(7);
    }
  }

  @Nested
  class RequestIds {
    private final long horizon = LedgerLimits.DEFAULTS.requestIdHorizonNanos();
    private final long ahead = LedgerLimits.DEFAULTS.requestIdAheadNanos();

    private UsageVerdict verdictOf(Id128 requestId) {
      return account.record(event(requestId, 0, UNFUNDED, 1, account.nextId(), 1)).get(0);
    }

    private Id128 idAt(long nanos) {
      return Id128.timeOrdered(Math.floorDiv(nanos, 1_000_000), 0, account.nextId().low());
    }

    @Test
    void anIdAtTheHorizonIsTakenAndOneMillisecondOlderIsNot() {
      final long now = account.now();

      assertThat(verdictOf(idAt(now - horizon))).isEqualTo(UsageVerdict.UNFUNDED);
      assertThat(verdictOf(idAt(now - horizon - 1_000_000)))
          .isEqualTo(UsageVerdict.REQUEST_ID_TOO_OLD);
    }

    @Test
    void anIdADayAheadIsTakenAndOneMillisecondFurtherIsNot() {
      final long now = account.now();

      assertThat(verdictOf(idAt(now + ahead))).isEqualTo(UsageVerdict.UNFUNDED);
      assertThat(verdictOf(idAt(now + ahead + 1_000_000)))
          .isEqualTo(UsageVerdict.REQUEST_ID_INVALID);
    }

    @Test
    void anIdThatIsNotTimeOrderedIsInvalid() {
      assertThat(verdictOf(new Id128(0x1234, 0x8000000000000000L)))
          .isEqualTo(UsageVerdict.REQUEST_ID_INVALID);
      assertThat(verdictOf(Id128.ZERO)).isEqualTo(UsageVerdict.REQUEST_ID_INVALID);
    }

    @Test
    void anIdTooOldIsKeptAndNeverBilledAnew() {
      final Lease lease = lease(10);
      final Id128 id = account.nextRequestId();
      account.record(event(id, 0, on(lease), 4, OneAccount.WRITER, 1));
      account.later(Duration.ofDays(401));

      assertThat(account.record(event(id, 1, UNFUNDED, 4, OneAccount.WRITER, 2)))
          .containsExactly(UsageVerdict.REQUEST_ID_TOO_OLD);
      assertThat(account.store().rejected(OneAccount.ACCOUNT)).hasSize(1);
      // What is still remembered is recognised before anything else is looked at.
      assertThat(account.record(event(id, 0, on(lease), 4, OTHER_WRITER, 3)))
          .containsExactly(UsageVerdict.DUPLICATE);
    }

    @Test
    void aClockAtTheEndOfTimeRefusesTheBatchRatherThanWrap() {
      account.at(Long.MAX_VALUE);
      final LedgerCommand usage =
          new LedgerCommand.RecordUsage(
              List.of(event(idAt(account.now()), 0, UNFUNDED, 1, OneAccount.WRITER, 1)));

      assertThat(account.refused(account.request(usage, Long.MAX_VALUE)))
          .isEqualTo(Refusal.BALANCE_OVERFLOW);
      assertThat(account.store().rejected(OneAccount.ACCOUNT)).isEmpty();
    }
  }

  @Nested
  class Periods {
    @Test
    void aLeasedPartBelongsToItsLeasesPeriodAndOverageToTheCurrentOne() {
      account.schedule(
          BudgetSchedule.monthlyUtc(100), LedgerCommand.SetSchedule.Effective.BOUNDARY);
      final Lease lease = account.lease(10);
      account.later(Duration.ofDays(31));

      account.record(
          account.event(on(lease), 1),
          account.event(OVERAGE, 1),
          account.event(UNFUNDED, 1),
          account.event(on(lease), 999));
      assertThat(account.last().effects().usage())
          .extracting(Effects.UsageEntry::periodNumber)
          .containsExactly(1L, 2L, 2L);
      assertThat(account.last().effects().rejected())
          .extracting(Effects.UsageEntry::periodNumber)
          .containsExactly(2L);
    }

    @Test
    void aStragglerBelongsToItsLeasesPeriodEvenWhenThatClaimSettledIt() {
      account.schedule(
          BudgetSchedule.monthlyUtc(100), LedgerCommand.SetSchedule.Effective.BOUNDARY);
      final Lease lease = account.lease(10);
      account.reclaimed(lease);
      account.later(Duration.ofDays(31));

      assertThat(account.bill(lease, 10)).isEqualTo(UsageVerdict.STRAGGLER);
      assertThat(account.last().effects().usage().get(0).periodNumber()).isEqualTo(1);
      assertThat(account.ledger().period().number()).isEqualTo(2);
    }
  }

  @Test
  void aBatchIsOneTransitionAndEqualsItsEventsOneByOne() {
    final Lease lease = lease(10);
    final UsageEvent[] events = {
      account.event(on(lease), 4),
      account.event(OVERAGE, 5),
      account.event(on(lease), 40),
      account.event(UNFUNDED, 6),
      account.event(on(lease), 6)
    };
    final long version = account.ledger().version();

    assertThat(account.record(events))
        .containsExactly(
            UsageVerdict.LEASED,
            UsageVerdict.OVERAGE,
            UsageVerdict.BEYOND_LEASE,
            UsageVerdict.UNFUNDED,
            UsageVerdict.LEASED);
    assertThat(account.ledger().version()).isEqualTo(version + 1);
    assertThat(account.last().effects().usage()).hasSize(4);
    assertThat(account.last().effects().rejected()).hasSize(1);
    assertThat(account.books().billed()).isEqualTo(15);
  }
}
