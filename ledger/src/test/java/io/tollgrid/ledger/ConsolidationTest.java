package io.tollgrid.ledger;

import static io.tollgrid.ledger.OneAccount.TTL;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/**
 * Witnesses R2 (a funded unit is reachable: drain and return, the floor of the replacement, proven
 * demand) and R3 (consolidation is all or nothing).
 */
class ConsolidationTest {
  private static final BudgetSchedule MONTHLY = BudgetSchedule.monthlyUtc(100);

  private final OneAccount account = OneAccount.with(1_000);

  private Outcome.Granted fold(Lease old, long freeUnits, long want, long demand) {
    return (Outcome.Granted) account.applied(account.consolidating(old, freeUnits, want, demand));
  }

  @Test
  void exactlyTheFreeUnitsComeBackAndAreGrantedAgainInOneStep() {
    final Lease old = account.lease(100);
    final long version = account.ledger().version();

    final Outcome.Granted granted = fold(old, 60, 80, 0);
    assertThat(granted.units()).isEqualTo(80);
    assertThat(granted.restoredUnits()).isEqualTo(60);
    assertThat(account.again(old).remaining()).isEqualTo(40);
    assertThat(account.again(old).state()).isEqualTo(LeaseState.ACTIVE);
    assertThat(account.books().outstanding()).isEqualTo(120);
    assertThat(account.books().topUp()).isEqualTo(880);
    assertThat(account.ledger().version()).isEqualTo(version + 1);
  }

  @Test
  void unitsUnderRunningWorkStayOnTheOldLeaseUntilItSettles() {
    final Lease old = account.lease(100);
    fold(old, 60, 10, 0);

    assertThat(account.bill(old, 30)).isEqualTo(UsageVerdict.LEASED);
    account.give(old, 10);
    assertThat(account.again(old).remaining()).isZero();
    assertThat(account.again(old).state()).isEqualTo(LeaseState.ACTIVE);
  }

  @Test
  void anOldLeaseWithNothingLeftEndsSettled() {
    final Lease old = account.lease(100);
    account.bill(old, 40);

    fold(old, 60, 10, 0);
    assertThat(account.again(old).state()).isEqualTo(LeaseState.SETTLED);
    assertThat(account.again(old).endedAtNanos()).isEqualTo(account.now());
    assertThat(account.ledger().active()).hasSize(1);
    assertThat(account.ledger().losses()).isEmpty();
  }

  @Test
  void aFoldOfNothingIsAGrantAlongside() {
    final Lease old = account.lease(100);

    assertThat(fold(old, 0, 10, 0).units()).isEqualTo(10);
    assertThat(account.again(old).remaining()).isEqualTo(100);
  }

  @Test
  void theReplacementCarriesTheCommandsHolderTtlAndTheNextFence() {
    final Lease old = account.lease(100);
    final Id128 holder = new Id128(8, 8);
    final Lease replacement =
        account.lease(
            ((Outcome.Granted)
                    account.applied(
                        new LedgerCommand.Consolidate(
                            account.nextId(),
                            holder,
                            old.id(),
                            old.fence(),
                            10,
                            OneAccount.exactly(10),
                            TTL / 2,
                            0)))
                .leaseId());

    assertThat(replacement.holder()).isEqualTo(holder);
    assertThat(replacement.fence()).isEqualTo(old.fence() + 1);
    assertThat(replacement.expiresAtNanos()).isEqualTo(account.now() + TTL / 2);
    assertThat(replacement.graceNanos()).isEqualTo(LedgerLimits.DEFAULTS.graceNanos());
  }

  @Nested
  class Floor {
    @Test
    void whatWasRestoredIsTheFloorOfTheReplacement() {
      final Lease old = account.lease(900);

      assertThat(fold(old, 900, 5, 0).units()).isEqualTo(900);
    }

    @Test
    void theCeilingOfOneAcquireDoesNotCutTheFloor() {
      final Lease old = account.lease(900);
      final Outcome.Granted granted =
          (Outcome.Granted)
              account.applied(
                  new LedgerCommand.Consolidate(
                      account.nextId(),
                      OneAccount.HOLDER,
                      old.id(),
                      old.fence(),
                      700,
                      new GrantPolicy(1, 1, 2, 1),
                      TTL,
                      0));

      assertThat(granted.units()).isEqualTo(700);
    }

    @Test
    void allowanceThatExpiredAtABoundaryIsNeitherFloorNorFunding() {
      account.schedule(MONTHLY, LedgerCommand.SetSchedule.Effective.BOUNDARY);
      // 100 of allowance and 50 of top-up.
      final Lease old = account.lease(150);
      account.later(Duration.ofDays(31));

      // 50 top-up come back; of the other 80, all allowance of a period that is over, nothing does.
      final Outcome.Granted granted = fold(old, 130, 1, 0);
      assertThat(granted.restoredUnits()).isEqualTo(50);
      assertThat(granted.units()).isEqualTo(50);
      assertThat(account.books().expired()).isEqualTo(80);
      assertThat(account.again(old).remaining()).isEqualTo(20);
    }
  }

  @Nested
  class Demand {
    @Test
    void provenDemandThatTheRestoredBalanceCanFundIsGrantedExactly() {
      final Lease old = account.lease(100);

      assertThat(fold(old, 100, 10, 1_000).units()).isEqualTo(1_000);
      assertThat(account.last().unmetDemandUnits()).isZero();
    }

    @Test
    void demandBeyondTheRestoredBalanceRaisesNothing() {
      final Lease old = account.lease(100);

      assertThat(fold(old, 40, 45, 941).units()).isEqualTo(45);
      assertThat(account.last().unmetDemandUnits()).isEqualTo(941);
    }

    @Test
    void demandBelowThePolicyChangesNothing() {
      final Lease old = account.lease(100);

      assertThat(fold(old, 40, 45, 3).units()).isEqualTo(45);
    }
  }

  @Nested
  class Refusals {
    @Test
    void moreThanTheLeaseHoldsChangesNothing() {
      final Lease old = account.lease(100);
      account.bill(old, 40);

      assertThat(account.refused(account.consolidating(old, 61, 10, 0)))
          .isEqualTo(Refusal.BEYOND_LEASE);
      assertThat(account.again(old).remaining()).isEqualTo(60);
    }

    @Test
    void anEndedLeaseIsNotFolded() {
      final Lease old = account.lease(100);
      account.release(old, 100);

      assertThat(account.refused(account.consolidating(old, 0, 10, 0)))
          .isEqualTo(Refusal.LEASE_ENDED);
      assertThat(account.reload().refused(account.consolidating(old, 0, 10, 0)))
          .isEqualTo(Refusal.LEASE_ENDED);
    }

    @Test
    void aFoldThatRestoresNothingIntoAnEmptyBalanceMovesNothing() {
      final OneAccount scheduled = OneAccount.created();
      scheduled.schedule(MONTHLY, LedgerCommand.SetSchedule.Effective.BOUNDARY);
      final Lease old = scheduled.lease(100);
      scheduled.schedule(null, LedgerCommand.SetSchedule.Effective.BOUNDARY);
      scheduled.later(Duration.ofDays(31));
      scheduled.applied(new LedgerCommand.Cross());

      assertThat(scheduled.refused(scheduled.consolidating(old, 100, 10, 30)))
          .isEqualTo(Refusal.BALANCE_INSUFFICIENT);
      assertThat(scheduled.last().outcome())
          .isEqualTo(
              new Outcome.Refused(
                  Refusal.BALANCE_INSUFFICIENT,
                  new Evidence(100, Period.NEVER, scheduled.ledger().version())));
      assertThat(scheduled.last().unmetDemandUnits()).isEqualTo(30);
      assertThat(scheduled.again(old).remaining()).isEqualTo(100);
    }

    @Test
    void theRefusalForALifeTooLongLeavesTheOldLeaseWhole() {
      final Lease old = account.lease(100);
      final LedgerCommand tooLong =
          new LedgerCommand.Consolidate(
              account.nextId(),
              OneAccount.HOLDER,
              old.id(),
              old.fence(),
              100,
              OneAccount.exactly(1),
              LedgerLimits.DEFAULTS.maxTtlNanos() + 1,
              0);

      assertThat(account.refused(tooLong)).isEqualTo(Refusal.TTL_TOO_LONG);
      assertThat(account.again(old).remaining()).isEqualTo(100);
    }
  }

  @Nested
  class AtTheBoundOfActiveLeases {
    private final OneAccount full =
        OneAccount.created(Limits.with(b -> b.maxActiveLeases = 2), AccountTerms.STRICT);

    @Test
    void aFoldThatEndsItsLeaseIsStillPossible() {
      full.deposit(1_000);
      final Lease old = full.lease(100);
      full.lease(100);

      assertThat(full.refused(full.acquiring(1))).isEqualTo(Refusal.TOO_MANY_LEASES);
      full.applied(full.consolidating(old, 100, 10, 0));
      assertThat(full.ledger().active()).hasSize(2);
    }

    @Test
    void aFoldThatWouldLeaveOneMoreLeaseIsRefused() {
      full.deposit(1_000);
      final Lease old = full.lease(100);
      full.lease(100);

      assertThat(full.refused(full.consolidating(old, 99, 10, 0)))
          .isEqualTo(Refusal.TOO_MANY_LEASES);
    }
  }
}
