package io.tollgrid.ledger;

import static io.tollgrid.ledger.OneAccount.TTL;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/**
 * Witnesses R1 (a lease's units left the balance before the holder saw them), R2 (recall), R11
 * (fences) and R15 (evidence).
 */
class AcquireTest {
  private final OneAccount account = OneAccount.with(1_000);

  private Outcome acquire(GrantPolicy policy, long demand) {
    return account.run(
        new LedgerCommand.Acquire(account.nextId(), OneAccount.HOLDER, policy, TTL, demand));
  }

  private long granted(GrantPolicy policy) {
    return ((Outcome.Granted) acquire(policy, 0)).units();
  }

  @Test
  void aLeasesUnitsLeaveTheBalance() {
    final Lease lease = account.lease(300);

    assertThat(account.books().topUp()).isEqualTo(700);
    assertThat(account.books().outstanding()).isEqualTo(300);
    assertThat(account.books().remaining()).isEqualTo(1_000);
    assertThat(lease.state()).isEqualTo(LeaseState.ACTIVE);
    assertThat(lease.remaining()).isEqualTo(300);
    assertThat(account.last().effects().inserted()).containsExactly(lease);
    assertThat(account.last().effects().updated()).isEmpty();
  }

  @Test
  void allowanceIsGrantedBeforeTopUp() {
    account.schedule(BudgetSchedule.monthlyUtc(100), LedgerCommand.SetSchedule.Effective.BOUNDARY);
    final Lease first = account.lease(60);
    final Lease second = account.lease(60);

    assertThat(first.grantedAllowance()).isEqualTo(60);
    assertThat(first.grantedTopUp()).isZero();
    assertThat(second.grantedAllowance()).isEqualTo(40);
    assertThat(second.grantedTopUp()).isEqualTo(20);
    assertThat(account.books().allowance()).isZero();
    assertThat(account.books().topUp()).isEqualTo(980);
  }

  @Test
  void theGrantFollowsThePublishedFormula() {
    // cap = max(minimum, ⌊1000 / 2⌋) = 500.
    assertThat(granted(new GrantPolicy(10, 800, 2, 1L << 40))).isEqualTo(500);
    // cap = max(400, ⌊500 / 2⌋) = 400.
    assertThat(granted(new GrantPolicy(400, 800, 2, 1L << 40))).isEqualTo(400);
    // want = 30.
    assertThat(granted(new GrantPolicy(10, 30, 2, 1L << 40))).isEqualTo(30);
    // max_grant = 7.
    assertThat(granted(new GrantPolicy(10, 30, 2, 7))).isEqualTo(7);
    // The balance: 1000 − 500 − 400 − 30 − 7 = 63.
    assertThat(granted(new GrantPolicy(100, 100, 2, 1L << 40))).isEqualTo(63);
  }

  @Test
  void fencesCountUpFromOneAndOlderLeasesStayGood() {
    final Lease first = account.lease(10);
    final Lease second = account.lease(10);

    assertThat(first.fence()).isEqualTo(1);
    assertThat(second.fence()).isEqualTo(2);
    assertThat(account.bill(first, 1)).isEqualTo(UsageVerdict.LEASED);
    account.release(second, 10);
    assertThat(account.lease(10).fence()).isEqualTo(3);
  }

  @Test
  void aLeaseLastsItsTtlFromLedgerTime() {
    final Lease lease = account.lease(10);

    assertThat(lease.firstExpiresAtNanos()).isEqualTo(account.now() + TTL);
    assertThat(lease.expiresAtNanos()).isEqualTo(account.now() + TTL);
    assertThat(lease.reclaimableAtNanos())
        .isEqualTo(account.now() + TTL + Duration.ofSeconds(15).toNanos());
    assertThat(lease.endedAtNanos()).isZero();
    assertThat(lease.holder()).isEqualTo(OneAccount.HOLDER);
  }

  @Test
  void theLongestLifeIsGrantedAndOneNanosecondMoreIsNot() {
    final long longest = LedgerLimits.DEFAULTS.maxTtlNanos();
    final LedgerCommand tooLong =
        new LedgerCommand.Acquire(
            account.nextId(), OneAccount.HOLDER, OneAccount.exactly(1), longest + 1, 0);

    assertThat(account.refused(tooLong)).isEqualTo(Refusal.TTL_TOO_LONG);
    account.applied(
        new LedgerCommand.Acquire(
            account.nextId(), OneAccount.HOLDER, OneAccount.exactly(1), longest, 0));
  }

  @Test
  void anAccountHasABoundedNumberOfActiveLeases() {
    final OneAccount bounded =
        OneAccount.created(Limits.with(b -> b.maxActiveLeases = 2), AccountTerms.STRICT);
    bounded.deposit(10);
    final Lease first = bounded.lease(1);
    bounded.lease(1);

    assertThat(bounded.refused(bounded.acquiring(1))).isEqualTo(Refusal.TOO_MANY_LEASES);
    bounded.release(first, 1);
    bounded.lease(1);
  }

  @Nested
  class EvidenceOfFunding {
    @Test
    void aGrantCarriesWhatRemainsAfterIt() {
      final Outcome.Granted granted = (Outcome.Granted) acquire(OneAccount.exactly(300), 0);

      assertThat(granted.evidence())
          .isEqualTo(new Evidence(1_000, Period.NEVER, account.ledger().version()));
      assertThat(account.ledger().evidence()).isEqualTo(granted.evidence());
    }

    @Test
    void anEmptyBalanceWithUnitsOutIsInsufficientNotExhausted() {
      account.schedule(BudgetSchedule.monthlyUtc(0), LedgerCommand.SetSchedule.Effective.BOUNDARY);
      account.lease(1_000);

      assertThat(acquire(OneAccount.exactly(1), 0))
          .isEqualTo(
              new Outcome.Refused(
                  Refusal.BALANCE_INSUFFICIENT,
                  new Evidence(
                      1_000,
                      OneAccount.nanos("2026-04-01T00:00:00Z"),
                      account.ledger().version())));
    }

    @Test
    void exhaustedMeansThatNothingRemainsAnywhere() {
      final Lease lease = account.lease(1_000);
      account.bill(lease, 999);
      assertThat(account.refused(account.acquiring(1))).isEqualTo(Refusal.BALANCE_INSUFFICIENT);

      account.bill(lease, 1);
      assertThat(acquire(OneAccount.exactly(1), 0))
          .isEqualTo(
              new Outcome.Refused(
                  Refusal.BALANCE_EXHAUSTED,
                  new Evidence(0, Period.NEVER, account.ledger().version())));
    }

    @Test
    void aRefusalWithEvidenceIsStillTakenToTheStore() {
      account.lease(1_000);
      account.refused(account.acquiring(1));

      final Effects effects = account.last().effects();
      assertThat(effects.writes()).isFalse();
      assertThat(effects.baseVersion()).isEqualTo(account.ledger().version());
      assertThat(effects.nextVersion()).isEqualTo(account.ledger().version());
      assertThat(effects.absent()).hasSize(1);
    }

    @Test
    void provisionalLossIsNoFunding() {
      final Lease lease = account.lease(1_000);
      account.reclaimed(lease);

      assertThat(account.refused(account.acquiring(1))).isEqualTo(Refusal.BALANCE_EXHAUSTED);
    }
  }

  @Nested
  class UnmetDemand {
    @Test
    void aRefusalThatOutstandingUnitsCouldFundAsksForThem() {
      account.lease(1_000);
      acquire(OneAccount.exactly(1), 1_000);
      assertThat(account.last().unmetDemandUnits()).isEqualTo(1_000);

      acquire(OneAccount.exactly(1), 1_001);
      assertThat(account.last().unmetDemandUnits()).isZero();

      acquire(OneAccount.exactly(1), 0);
      assertThat(account.last().unmetDemandUnits()).isZero();
    }

    @Test
    void aGrantSmallerThanTheDemandAsksForWhatOthersHold() {
      account.lease(900);
      acquire(OneAccount.exactly(100), 101);
      assertThat(account.last().unmetDemandUnits()).isEqualTo(101);
    }

    @Test
    void aGrantThatMeetsTheDemandAsksForNothing() {
      account.lease(900);
      acquire(OneAccount.exactly(100), 100);
      assertThat(account.last().unmetDemandUnits()).isZero();
    }

    @Test
    void demandThatAFoldOfThisVeryGrantCanFundAsksNobody() {
      account.lease(100);
      // 10 granted, 890 left in the balance: a consolidation reaches 900 without anyone's help.
      acquire(OneAccount.exactly(10), 900);
      assertThat(account.last().unmetDemandUnits()).isZero();

      // 880 left, 20 granted so far: 901 needs one unit of someone else's.
      acquire(OneAccount.exactly(10), 901);
      assertThat(account.last().unmetDemandUnits()).isEqualTo(901);
    }
  }
}
