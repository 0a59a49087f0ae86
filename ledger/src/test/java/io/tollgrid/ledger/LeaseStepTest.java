package io.tollgrid.ledger;

import static io.tollgrid.ledger.OneAccount.TTL;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/**
 * Witnesses R11 (a lease is used only with its exact capability), R12 (steps and their receipts,
 * release) and R14 (returns are split, expired allowance does not come back).
 */
class LeaseStepTest {
  private final OneAccount account = OneAccount.with(1_000);

  @Nested
  class Capabilities {
    private final Lease lease = account.lease(100);

    @Test
    void anotherFenceIsNoCapability() {
      final long wrong = lease.fence() + 1;

      assertThat(account.refused(new LedgerCommand.Return(lease.id(), wrong, 1, 1)))
          .isEqualTo(Refusal.CAPABILITY);
      assertThat(account.refused(new LedgerCommand.Renew(lease.id(), wrong, 1, TTL)))
          .isEqualTo(Refusal.CAPABILITY);
      assertThat(account.refused(new LedgerCommand.Release(lease.id(), wrong, 1, 1)))
          .isEqualTo(Refusal.CAPABILITY);
      assertThat(
              account.refused(
                  new LedgerCommand.Consolidate(
                      account.nextId(),
                      OneAccount.HOLDER,
                      lease.id(),
                      wrong,
                      1,
                      OneAccount.exactly(1),
                      TTL,
                      0)))
          .isEqualTo(Refusal.CAPABILITY);
      assertThat(account.again(lease)).isEqualTo(lease);
    }

    @Test
    void anotherFenceIsNoCapabilityEvenForAStepThatWasTaken() {
      account.give(lease, 10);

      assertThat(account.refused(new LedgerCommand.Return(lease.id(), lease.fence() + 1, 1, 10)))
          .isEqualTo(Refusal.CAPABILITY);
    }

    @Test
    void anUnknownLeaseIsLookedUpBeforeItIsRefused() {
      final Id128 unknown = account.nextId();
      final LedgerCommand command = new LedgerCommand.Return(unknown, 1, 1, 1);

      assertThat(
              Ledger.apply(
                      account.ledger(),
                      account.request(command),
                      account.now(),
                      LedgerLimits.DEFAULTS)
                  .outcome())
          .isEqualTo(new Outcome.NeedsRows(java.util.Set.of(new RowKey.LeaseKey(unknown))));
      assertThat(account.refused(command)).isEqualTo(Refusal.CAPABILITY);
      assertThat(account.last().effects().absent()).contains(new RowKey.LeaseKey(unknown));
    }

    @Test
    void aLeaseKnowsItsCapability() {
      assertThat(lease.grants(lease.id(), lease.fence())).isTrue();
      assertThat(lease.grants(lease.id(), lease.fence() + 1)).isFalse();
      assertThat(lease.grants(account.nextId(), lease.fence())).isFalse();
    }
  }

  @Nested
  class Steps {
    private final Lease lease = account.lease(100);

    @Test
    void theSameStepWithTheSameBodyIsAnsweredFromItsReceipt() {
      final LedgerCommand step = new LedgerCommand.Return(lease.id(), lease.fence(), 1, 10);
      final Outcome first = account.run(step);

      assertThat(account.run(step)).isEqualTo(first);
      assertThat(account.reload().run(step)).isEqualTo(first);
      assertThat(account.again(lease).returned()).isEqualTo(10);
    }

    @Test
    void theSameStepWithAnotherBodyIsAConflict() {
      account.give(lease, 10);

      assertThat(account.refused(new LedgerCommand.Return(lease.id(), lease.fence(), 1, 11)))
          .isEqualTo(Refusal.CONFLICT);
      assertThat(account.refused(new LedgerCommand.Release(lease.id(), lease.fence(), 1, 10)))
          .isEqualTo(Refusal.CONFLICT);
      assertThat(account.refused(new LedgerCommand.Renew(lease.id(), lease.fence(), 1, 10)))
          .isEqualTo(Refusal.CONFLICT);
    }

    @Test
    void aGapIsRefused() {
      assertThat(account.refused(new LedgerCommand.Return(lease.id(), lease.fence(), 2, 1)))
          .isEqualTo(Refusal.STEP_GAP);
      account.give(lease, 10);
      assertThat(account.refused(new LedgerCommand.Return(lease.id(), lease.fence(), 3, 1)))
          .isEqualTo(Refusal.STEP_GAP);
      account.give(lease, 10);
    }

    @Test
    void anOlderStepIsSuperseded() {
      account.give(lease, 10);
      account.give(lease, 10);

      assertThat(account.refused(new LedgerCommand.Return(lease.id(), lease.fence(), 1, 10)))
          .isEqualTo(Refusal.STEP_SUPERSEDED);
    }

    @Test
    void aNewStepOfAnEndedLeaseIsRefusedAndItsLastIsAnswered() {
      final LedgerCommand release = new LedgerCommand.Release(lease.id(), lease.fence(), 1, 100);
      final Outcome receipt = account.run(release);

      assertThat(account.refused(new LedgerCommand.Return(lease.id(), lease.fence(), 2, 1)))
          .isEqualTo(Refusal.LEASE_ENDED);
      assertThat(account.reload().refused(new LedgerCommand.Renew(lease.id(), 1, 2, TTL)))
          .isEqualTo(Refusal.LEASE_ENDED);
      assertThat(account.run(release)).isEqualTo(receipt);
    }
  }

  @Nested
  class Returns {
    @Test
    void unitsGoBackAndTheLeaseStaysActive() {
      final Lease lease = account.lease(100);

      final LeaseStep receipt = account.give(lease, 30);
      assertThat(receipt)
          .isEqualTo(new LeaseStep(1, LeaseStep.Kind.RETURN, 30, 30, 0, 0, lease.expiresAtNanos()));
      assertThat(account.books().topUp()).isEqualTo(930);
      assertThat(account.books().outstanding()).isEqualTo(70);
      assertThat(account.again(lease).state()).isEqualTo(LeaseState.ACTIVE);
    }

    @Test
    void everythingUnbilledCanBeReturnedAndNotOneUnitMore() {
      final Lease lease = account.lease(100);
      account.bill(lease, 40);

      assertThat(account.refused(new LedgerCommand.Return(lease.id(), lease.fence(), 1, 61)))
          .isEqualTo(Refusal.BEYOND_LEASE);
      account.give(lease, 60);
      assertThat(account.again(lease).state()).isEqualTo(LeaseState.ACTIVE);
      assertThat(account.again(lease).remaining()).isZero();
    }

    @Test
    void returningNothingIsAStepToo() {
      final Lease lease = account.lease(100);

      assertThat(account.give(lease, 0).restoredUnits()).isZero();
      assertThat(account.nextStep(lease)).isEqualTo(2);
    }

    @Test
    void spendingTakesAllowanceFirstSoTopUpComesBackFirst() {
      account.schedule(BudgetSchedule.monthlyUtc(50), LedgerCommand.SetSchedule.Effective.BOUNDARY);
      final Lease lease = account.lease(80);
      assertThat(lease.grantedAllowance()).isEqualTo(50);
      account.bill(lease, 20);

      // 30 of allowance and 30 of top-up are left.
      account.give(lease, 40);
      assertThat(account.again(lease).returnedTopUp()).isEqualTo(30);
      assertThat(account.again(lease).returnedAllowance()).isEqualTo(10);
      assertThat(account.books().topUp()).isEqualTo(1_000);
      assertThat(account.books().allowance()).isEqualTo(10);
    }

    @Test
    void topUpThatWasSpentAfterTheAllowanceDoesNotComeBack() {
      account.schedule(BudgetSchedule.monthlyUtc(50), LedgerCommand.SetSchedule.Effective.BOUNDARY);
      final Lease lease = account.lease(80);
      account.bill(lease, 60);

      account.give(lease, 20);
      assertThat(account.again(lease).returnedTopUp()).isEqualTo(20);
      assertThat(account.again(lease).returnedAllowance()).isZero();
    }

    @Test
    void afterABoundaryTheAllowanceHalfExpiresAndTheTopUpHalfComesBack() {
      account.schedule(BudgetSchedule.monthlyUtc(50), LedgerCommand.SetSchedule.Effective.BOUNDARY);
      final Lease lease = account.lease(80);
      account.later(Duration.ofDays(31));

      assertThat(account.give(lease, 60))
          .isEqualTo(
              new LeaseStep(1, LeaseStep.Kind.RETURN, 60, 30, 30, 0, lease.expiresAtNanos()));
      assertThat(account.books().topUp()).isEqualTo(1_000);
      assertThat(account.books().allowance()).isEqualTo(50);
      assertThat(account.books().expired()).isEqualTo(30);
    }
  }

  @Nested
  class Releases {
    @Test
    void whatNobodyAccountedForBecomesProvisionalLoss() {
      final Lease lease = account.lease(100);
      account.bill(lease, 30);

      assertThat(account.release(lease, 50))
          .isEqualTo(
              new LeaseStep(1, LeaseStep.Kind.RELEASE, 50, 50, 0, 20, lease.expiresAtNanos()));
      assertThat(account.again(lease).state()).isEqualTo(LeaseState.LOSS);
      assertThat(account.again(lease).loss()).isEqualTo(20);
      assertThat(account.again(lease).endedAtNanos()).isEqualTo(account.now());
      assertThat(account.books().lossResident()).isEqualTo(20);
      assertThat(account.books().outstanding()).isZero();
    }

    @Test
    void aLeaseAccountedForInFullIsSettled() {
      final Lease lease = account.lease(100);
      account.bill(lease, 30);

      assertThat(account.release(lease, 70).lossUnits()).isZero();
      assertThat(account.again(lease).state()).isEqualTo(LeaseState.SETTLED);
      assertThat(account.ledger().settled()).containsExactly(account.again(lease));
      assertThat(account.ledger().active()).isEmpty();
    }

    @Test
    void moreThanGrantedMinusReturnedMinusBilledCannotComeBack() {
      final Lease lease = account.lease(100);
      account.give(lease, 10);
      account.bill(lease, 30);

      assertThat(account.refused(new LedgerCommand.Release(lease.id(), lease.fence(), 2, 61)))
          .isEqualTo(Refusal.BEYOND_LEASE);
      assertThat(account.again(lease).state()).isEqualTo(LeaseState.ACTIVE);
      account.release(lease, 60);
    }

    @Test
    void onlyTheLastSettledLeasesStayInTheEntry() {
      final OneAccount bounded =
          OneAccount.created(Limits.with(b -> b.settledKept = 2), AccountTerms.STRICT);
      bounded.deposit(10);
      final Lease first = bounded.lease(1);
      final Lease second = bounded.lease(1);
      final Lease third = bounded.lease(1);
      for (final Lease lease : new Lease[] {first, second, third}) {
        bounded.release(lease, 1);
      }

      assertThat(bounded.ledger().settled())
          .extracting(Lease::id)
          .containsExactly(second.id(), third.id());
    }
  }

  @Nested
  class Renewals {
    private final Lease lease = account.lease(100);

    @Test
    void theExpiryMovesAndNothingIsGranted() {
      account.later(Duration.ofSeconds(20));
      account.applied(new LedgerCommand.Renew(lease.id(), lease.fence(), 1, TTL));

      assertThat(account.again(lease).expiresAtNanos()).isEqualTo(account.now() + TTL);
      assertThat(account.again(lease).firstExpiresAtNanos()).isEqualTo(lease.firstExpiresAtNanos());
      assertThat(account.again(lease).granted()).isEqualTo(100);
      assertThat(account.books().outstanding()).isEqualTo(100);
      assertThat(account.last().outcome())
          .isEqualTo(
              new Outcome.Stepped(
                  lease.id(),
                  new LeaseStep(1, LeaseStep.Kind.RENEW, TTL, 0, 0, 0, account.now() + TTL)));
    }

    @Test
    void aShorterLifeNeverMovesTheExpiryBack() {
      account.applied(new LedgerCommand.Renew(lease.id(), lease.fence(), 1, 1));

      assertThat(account.again(lease).expiresAtNanos()).isEqualTo(lease.expiresAtNanos());
      assertThat(account.again(lease).lastStep().expiresAtNanos())
          .isEqualTo(lease.expiresAtNanos());
    }

    @Test
    void aLifeTooLongIsRefused() {
      final long longest = LedgerLimits.DEFAULTS.maxTtlNanos();

      assertThat(
              account.refused(new LedgerCommand.Renew(lease.id(), lease.fence(), 1, longest + 1)))
          .isEqualTo(Refusal.TTL_TOO_LONG);
      account.applied(new LedgerCommand.Renew(lease.id(), lease.fence(), 1, longest));
    }

    @Test
    void aRenewedLeaseIsReclaimedByItsNewExpiry() {
      account.later(Duration.ofSeconds(70));
      account.applied(new LedgerCommand.Renew(lease.id(), lease.fence(), 1, TTL));
      account.later(Duration.ofSeconds(20));

      assertThat(account.refused(new LedgerCommand.Reclaim(account.now())))
          .isEqualTo(Refusal.NOTHING_DUE);
    }

    @Test
    void aLifeThatWouldOutlastTimeIsRefusedAndChangesNothing() {
      account.at(Long.MAX_VALUE - LedgerLimits.DEFAULTS.graceNanos() - TTL + 1);

      assertThat(
              account.refused(
                  account.request(
                      new LedgerCommand.Renew(lease.id(), lease.fence(), 1, TTL), Long.MAX_VALUE)))
          .isEqualTo(Refusal.BALANCE_OVERFLOW);
      assertThat(account.refused(account.request(account.acquiring(1), Long.MAX_VALUE)))
          .isEqualTo(Refusal.BALANCE_OVERFLOW);
      assertThat(account.again(lease)).isEqualTo(lease);
    }
  }
}
