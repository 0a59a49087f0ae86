package io.tollgrid.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Witnesses R16: a retry converges on the first receipt or conflicts, never on a second effect; an
 * old attempt cannot act late, and what is called expired did not happen (R3).
 */
class IdempotenceTest {
  private final OneAccount account = OneAccount.with(1_000);

  static List<LedgerCommand> operatorCommands() {
    final Id128 id = new Id128(7, 7);
    return List.of(
        new LedgerCommand.Deposit(id, 5),
        new LedgerCommand.SetSchedule(
            id, BudgetSchedule.monthlyUtc(10), LedgerCommand.SetSchedule.Effective.NOW),
        new LedgerCommand.SetSchedule(
            id, BudgetSchedule.monthlyUtc(10), LedgerCommand.SetSchedule.Effective.BOUNDARY),
        new LedgerCommand.SetStatus(id, AccountStatus.SUSPENDED),
        new LedgerCommand.SetStatus(id, AccountStatus.ACTIVE),
        new LedgerCommand.SetCapacityClass(id, CapacityClass.ASSURED),
        new LedgerCommand.SetTerms(id, AccountTerms.elastic(9)));
  }

  @ParameterizedTest
  @MethodSource("operatorCommands")
  void aRetriedOperatorCommandAnswersItsFirstReceiptAndDoesNothing(LedgerCommand command) {
    final Outcome first = account.run(command);
    final AccountLedger after = account.ledger();

    assertThat(account.later(Duration.ofMinutes(1)).run(command)).isEqualTo(first);
    assertThat(account.reload().run(command)).isEqualTo(first);
    assertThat(account.last().effects().writes()).isFalse();
    assertThat(account.ledger()).isEqualTo(after);
  }

  @Test
  void creatingAgainWithTheSameIdAnswersTheFirstReceipt() {
    final OneAccount fresh = OneAccount.absent();
    final LedgerCommand create =
        new LedgerCommand.Create(
            fresh.nextId(), AccountStatus.ACTIVE, CapacityClass.BEST_EFFORT, AccountTerms.STRICT);

    assertThat(fresh.run(create)).isEqualTo(new Outcome.Changed(1, 1));
    fresh.deposit(3);
    assertThat(fresh.run(create)).isEqualTo(new Outcome.Changed(1, 1));
    assertThat(fresh.books().topUp()).isEqualTo(3);
  }

  @ParameterizedTest
  @MethodSource("operatorCommands")
  void anIdUsedForAnotherBodyIsAConflict(LedgerCommand command) {
    account.applied(command);

    assertThat(account.refused(new LedgerCommand.Deposit(new Id128(7, 7), 6)))
        .isEqualTo(Refusal.CONFLICT);
  }

  @Test
  void aRefusedOperatorCommandLeavesItsIdFree() {
    final LedgerCommand clearing =
        new LedgerCommand.SetSchedule(
            new Id128(7, 7), null, LedgerCommand.SetSchedule.Effective.BOUNDARY);
    assertThat(account.refused(clearing)).isEqualTo(Refusal.NO_SCHEDULE);

    account.applied(new LedgerCommand.Deposit(new Id128(7, 7), 6));
  }

  @Nested
  class Grants {
    @Test
    void aRetryAnswersTheLeaseAsItWasGranted() {
      final LedgerCommand acquire = account.acquiring(10);
      final Outcome.Granted first = (Outcome.Granted) account.run(acquire);
      final AccountLedger after = account.ledger();
      final Outcome.Granted fromRow =
          new Outcome.Granted(first.leaseId(), first.fence(), 10, first.expiresAtNanos(), 0, null);

      assertThat(account.later(Duration.ofSeconds(5)).run(acquire)).isEqualTo(fromRow);
      assertThat(account.reload().run(acquire)).isEqualTo(fromRow);
      assertThat(account.ledger()).isEqualTo(after);
    }

    @Test
    void aRetryAnswersTheFirstExpiryEvenAfterARenewal() {
      final LedgerCommand acquire = account.acquiring(10);
      final Outcome.Granted first = (Outcome.Granted) account.run(acquire);
      account
          .later(Duration.ofSeconds(30))
          .applied(new LedgerCommand.Renew(first.leaseId(), first.fence(), 1, OneAccount.TTL));

      assertThat(((Outcome.Granted) account.run(acquire)).expiresAtNanos())
          .isEqualTo(first.expiresAtNanos());
    }

    @Test
    void aRetryAnswersALeaseThatLeftTheEntry() {
      final LedgerCommand acquire = account.acquiring(10);
      final Outcome.Granted first = (Outcome.Granted) account.run(acquire);
      account.release(account.lease(first.leaseId()), 10);

      assertThat(((Outcome.Granted) account.reload().run(acquire)).fence())
          .isEqualTo(first.fence());
      assertThat(account.ledger().active()).isEmpty();
    }

    @Test
    void aRetriedConsolidationFoldsOnce() {
      final Lease old = account.lease(100);
      final LedgerCommand consolidate = account.consolidating(old, 60, 10, 0);
      final Outcome.Granted first = (Outcome.Granted) account.run(consolidate);
      final AccountLedger after = account.ledger();

      final Outcome.Granted again = (Outcome.Granted) account.run(consolidate);
      assertThat(again.fence()).isEqualTo(first.fence());
      assertThat(again.units()).isEqualTo(first.units());
      assertThat(account.ledger()).isEqualTo(after);
    }

    @Test
    void anotherBodyUnderTheSameLeaseIdIsAConflict() {
      final Lease lease = account.lease(10);
      final LedgerCommand other =
          new LedgerCommand.Acquire(
              lease.id(), OneAccount.HOLDER, OneAccount.exactly(11), OneAccount.TTL, 0);

      assertThat(account.refused(other)).isEqualTo(Refusal.CONFLICT);
      account.release(lease, 10);
      assertThat(account.refused(other)).isEqualTo(Refusal.CONFLICT);
      assertThat(account.reload().refused(other)).isEqualTo(Refusal.CONFLICT);
    }
  }

  @Nested
  class Deadlines {
    @Test
    void aCommandStillActsAtItsLastInstantAndNeverAfter() {
      final LedgerCommand first = new LedgerCommand.Deposit(account.nextId(), 5);
      final LedgerCommand second = new LedgerCommand.Deposit(account.nextId(), 5);

      account.run(account.request(first, account.now()));
      assertThat(account.refused(account.request(second, account.now() - 1)))
          .isEqualTo(Refusal.EXPIRED);
      assertThat(account.books().topUp()).isEqualTo(1_005);
    }

    @Test
    void theDeadlineIsReadInLedgerTimeNotByALateClock() {
      account.deposit(1);
      final LedgerCommand deposit = new LedgerCommand.Deposit(account.nextId(), 5);
      final LedgerRequest expired = account.request(deposit, account.now() - 1);

      account.at(account.now() - Duration.ofSeconds(5).toNanos());
      assertThat(account.refused(expired)).isEqualTo(Refusal.EXPIRED);
    }

    @Test
    void anExpiredCommandDoesNotEvenCrossABoundary() {
      account.schedule(BudgetSchedule.monthlyUtc(10), LedgerCommand.SetSchedule.Effective.BOUNDARY);
      final long version = account.ledger().version();
      account.later(Duration.ofDays(40));

      account.run(
          account.request(new LedgerCommand.Deposit(account.nextId(), 5), account.now() - 1));
      assertThat(account.ledger().version()).isEqualTo(version);
    }

    @Test
    void whatTookEffectIsAnsweredWithItsReceiptAfterTheDeadlineToo() {
      final LedgerRequest deposit = account.request(new LedgerCommand.Deposit(account.nextId(), 5));
      final LedgerRequest acquire = account.request(account.acquiring(10));
      final Outcome funded = account.run(deposit);
      final Outcome.Granted granted = (Outcome.Granted) account.run(acquire);
      account.later(Duration.ofHours(1)).reload();

      assertThat(account.run(deposit)).isEqualTo(funded);
      assertThat(((Outcome.Granted) account.run(acquire)).fence()).isEqualTo(granted.fence());
    }

    @Test
    void aReleaseWhoseLeaseLeftTheEntryIsAnsweredAfterTheDeadline() {
      final Lease lease = account.lease(10);
      final LedgerRequest release =
          account.request(new LedgerCommand.Release(lease.id(), lease.fence(), 1, 10));
      final Outcome receipt = account.run(release);
      account.later(Duration.ofHours(1)).reload();

      assertThat(account.run(release)).isEqualTo(receipt);
    }

    @Test
    void aStepThatALaterOneSupersededIsNeverCalledExpired() {
      final Lease lease = account.lease(10);
      final LedgerRequest first =
          account.request(new LedgerCommand.Return(lease.id(), lease.fence(), 1, 3));
      account.run(first);
      account.give(lease, 2);
      account.later(Duration.ofHours(1));

      assertThat(account.refused(first)).isEqualTo(Refusal.STEP_SUPERSEDED);
    }

    @Test
    void usageThatWasRecordedIsAnsweredAfterTheDeadline() {
      final Lease lease = account.lease(10);
      final UsageEvent accepted = account.event(OneAccount.on(lease), 4);
      final UsageEvent rejected = account.event(OneAccount.on(lease), 40);
      final LedgerRequest usage =
          account.request(new LedgerCommand.RecordUsage(List.of(accepted, rejected)));
      final Outcome verdicts = account.run(usage);
      account.later(Duration.ofHours(1)).reload();

      assertThat(account.run(usage)).isEqualTo(verdicts);
      assertThat(account.again(lease).billed()).isEqualTo(4);
    }

    @Test
    void usageOfWhichAPartIsUnknownDidNotHappenAsThisCommand() {
      final Lease lease = account.lease(10);
      final UsageEvent known = account.event(OneAccount.on(lease), 4);
      final UsageEvent unknown = account.event(OneAccount.on(lease), 3);
      account.record(known);
      final LedgerRequest late =
          account.request(
              new LedgerCommand.RecordUsage(List.of(known, unknown)), account.now() - 1);

      assertThat(account.refused(late)).isEqualTo(Refusal.EXPIRED);
      assertThat(account.last().effects().absent())
          .containsExactlyInAnyOrder(
              new RowKey.UsageKey(unknown.requestId(), 0),
              new RowKey.DeliveryKey(OneAccount.WRITER, unknown.sequence()));
      assertThat(account.last().effects().present())
          .containsOnlyKeys(new RowKey.UsageKey(known.requestId(), 0));
    }
  }

  @Nested
  class AfterAnUnknownOutcome {
    @Test
    void memoryThatMissedItsOwnCommitConvergesOnTheReceipt() {
      final LedgerCommand deposit = new LedgerCommand.Deposit(account.nextId(), 5);
      final Outcome first = account.runUnnoticed(deposit);

      assertThat(account.run(deposit)).isEqualTo(first);
      assertThat(account.books().topUp()).isEqualTo(1_005);
    }

    @Test
    void aGrantThatMemoryMissedIsAnsweredNotRepeated() {
      final LedgerCommand acquire = account.acquiring(10);
      final Outcome.Granted first = (Outcome.Granted) account.runUnnoticed(acquire);

      assertThat(((Outcome.Granted) account.run(acquire)).fence()).isEqualTo(first.fence());
      assertThat(account.books().outstanding()).isEqualTo(10);
    }

    @Test
    void aRowThatShowsTheEntryToBeOldMakesItOutdated() {
      final Lease lease = account.lease(10);
      final AccountLedger old = account.ledger();
      final Lease newer = account.lease(20);
      final RowKey key = new RowKey.LeaseKey(newer.id());
      final LedgerRequest request =
          account
              .request(new LedgerCommand.Return(newer.id(), newer.fence(), 1, 5))
              .withRows(Map.of(key, Optional.of(new StoredRow.LeaseRow(newer))));

      final Decision decision = Ledger.apply(old, request, account.now(), LedgerLimits.DEFAULTS);
      assertThat(decision.outcome()).isEqualTo(new Outcome.Outdated());
      assertThat(decision.effects()).isNull();
      assertThat(lease.fence()).isLessThan(newer.fence());
    }
  }

  @Nested
  class OwnRows {
    @Test
    void everyIdTheCommandWouldClaimIsNamed() {
      final Lease lease = account.lease(10);
      final UsageEvent event = account.event(OneAccount.on(lease), 4);
      final Id128 id = new Id128(9, 9);

      assertThat(Ledger.ownRows(new LedgerCommand.Deposit(id, 1)))
          .isEqualTo(Set.of(new RowKey.CommandKey(id)));
      assertThat(
              Ledger.ownRows(
                  new LedgerCommand.Acquire(
                      id, OneAccount.HOLDER, OneAccount.exactly(1), OneAccount.TTL, 0)))
          .isEqualTo(Set.of(new RowKey.LeaseKey(id)));
      assertThat(
              Ledger.ownRows(
                  new LedgerCommand.Consolidate(
                      id,
                      OneAccount.HOLDER,
                      lease.id(),
                      lease.fence(),
                      1,
                      OneAccount.exactly(1),
                      OneAccount.TTL,
                      0)))
          .isEqualTo(Set.of(new RowKey.LeaseKey(id)));
      assertThat(Ledger.ownRows(new LedgerCommand.RecordUsage(List.of(event))))
          .isEqualTo(
              Set.of(
                  new RowKey.UsageKey(event.requestId(), event.part()),
                  new RowKey.DeliveryKey(event.writer(), event.sequence())));
    }

    @Test
    void aCommandThatIsIdempotentByStateOrByStepClaimsNone() {
      assertThat(Ledger.ownRows(new LedgerCommand.Reclaim(1))).isEmpty();
      assertThat(Ledger.ownRows(new LedgerCommand.Cross())).isEmpty();
      assertThat(Ledger.ownRows(new LedgerCommand.Return(new Id128(1, 1), 1, 1, 1))).isEmpty();
    }

    @Test
    void aNewCommandRestsOnTheAbsenceOfItsIds() {
      final LedgerCommand deposit = new LedgerCommand.Deposit(account.nextId(), 5);
      account.applied(deposit);
      assertThat(account.last().effects().absent()).isEqualTo(Ledger.ownRows(deposit));

      final LedgerCommand acquire = account.acquiring(1);
      account.applied(acquire);
      assertThat(account.last().effects().absent()).isEqualTo(Ledger.ownRows(acquire));
    }
  }
}
