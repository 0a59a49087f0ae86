package io.tollgrid.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/**
 * Witnesses R17 (creation is never destructive), R18 (account facts have one writer and their own
 * generation) and R57 (ledger time never runs back).
 */
class AccountPolicyTest {
  private final OneAccount account = OneAccount.created();

  private AccountPolicy policy() {
    return account.ledger().policy();
  }

  @Nested
  class Creation {
    @Test
    void anAccountBeginsUnfundedWithItsFirstGeneration() {
      final OneAccount fresh = OneAccount.absent();
      final AccountTerms terms = AccountTerms.elastic(9);
      final Outcome outcome =
          fresh.run(
              new LedgerCommand.Create(
                  fresh.nextId(), AccountStatus.SUSPENDED, CapacityClass.ASSURED, terms));

      assertThat(outcome).isEqualTo(new Outcome.Changed(1, 1));
      assertThat(fresh.ledger())
          .isEqualTo(
              new AccountLedger(
                  OneAccount.ACCOUNT,
                  1,
                  OneAccount.NOON,
                  Balances.ZERO,
                  new AccountPolicy(1, AccountStatus.SUSPENDED, CapacityClass.ASSURED, terms, true),
                  Period.UNSCHEDULED,
                  1,
                  java.util.List.of(),
                  java.util.List.of(),
                  java.util.List.of()));
      final Effects effects = fresh.last().effects();
      assertThat(effects.baseVersion()).isZero();
      assertThat(effects.nextVersion()).isEqualTo(1);
      assertThat(effects.writes()).isTrue();
      assertThat(effects.ledgerTimeNanos()).isEqualTo(OneAccount.NOON);
      assertThat(effects.commandRow().outcome()).isEqualTo(outcome);
    }

    @Test
    void aStrictAccountWasNeverElastic() {
      assertThat(policy().everElastic()).isFalse();
    }

    @Test
    void creatingItAgainChangesNothing() {
      account.deposit(5);
      final AccountLedger before = account.ledger();

      assertThat(
              account.refused(
                  new LedgerCommand.Create(
                      account.nextId(),
                      AccountStatus.SUSPENDED,
                      CapacityClass.ASSURED,
                      AccountTerms.STRICT)))
          .isEqualTo(Refusal.ALREADY_EXISTS);
      assertThat(account.ledger()).isEqualTo(before);
    }

    @Test
    void nothingElseBringsAnAccountIntoBeing() {
      final OneAccount fresh = OneAccount.absent();

      assertThat(fresh.refused(new LedgerCommand.Deposit(fresh.nextId(), 1)))
          .isEqualTo(Refusal.UNKNOWN_ACCOUNT);
      assertThat(fresh.last().effects().baseVersion()).isZero();
      assertThat(fresh.last().effects().writes()).isFalse();
      assertThat(fresh.ledger()).isNull();
      assertThat(fresh.refused(new LedgerCommand.Cross())).isEqualTo(Refusal.UNKNOWN_ACCOUNT);
      assertThat(fresh.refused(new LedgerCommand.Return(fresh.nextId(), 1, 1, 1)))
          .isEqualTo(Refusal.UNKNOWN_ACCOUNT);
    }

    @Test
    void anExpiredCreationNeverHappens() {
      final OneAccount fresh = OneAccount.absent();

      assertThat(
              fresh.refused(
                  fresh.request(
                      new LedgerCommand.Create(
                          fresh.nextId(),
                          AccountStatus.ACTIVE,
                          CapacityClass.ASSURED,
                          AccountTerms.STRICT),
                      fresh.now() - 1)))
          .isEqualTo(Refusal.EXPIRED);
      assertThat(fresh.ledger()).isNull();
    }
  }

  @Nested
  class Generations {
    @Test
    void eachChangeIsOneGenerationAndOneVersion() {
      final long version = account.ledger().version();
      assertThat(account.status(AccountStatus.SUSPENDED))
          .isEqualTo(new Outcome.Changed(2, version + 1));
      assertThat(
              account.applied(
                  new LedgerCommand.SetCapacityClass(account.nextId(), CapacityClass.ASSURED)))
          .isEqualTo(new Outcome.Changed(3, version + 2));
      assertThat(
              account.applied(
                  new LedgerCommand.SetTerms(account.nextId(), AccountTerms.elastic(4))))
          .isEqualTo(new Outcome.Changed(4, version + 3));
      assertThat(policy())
          .isEqualTo(
              new AccountPolicy(
                  4,
                  AccountStatus.SUSPENDED,
                  CapacityClass.ASSURED,
                  AccountTerms.elastic(4),
                  true));
    }

    @Test
    void aChangeToWhatAlreadyIsIsAReceiptButNoGeneration() {
      final long version = account.ledger().version();

      assertThat(account.status(AccountStatus.ACTIVE))
          .isEqualTo(new Outcome.Changed(1, version + 1));
      assertThat(
              account.applied(
                  new LedgerCommand.SetCapacityClass(account.nextId(), CapacityClass.BEST_EFFORT)))
          .isEqualTo(new Outcome.Changed(1, version + 2));
      assertThat(account.applied(new LedgerCommand.SetTerms(account.nextId(), AccountTerms.STRICT)))
          .isEqualTo(new Outcome.Changed(1, version + 3));
      assertThat(policy().generation()).isEqualTo(1);
    }

    @Test
    void fundingAndLeasesLeaveThePolicyAlone() {
      account.deposit(10);
      account.schedule(BudgetSchedule.monthlyUtc(5), LedgerCommand.SetSchedule.Effective.BOUNDARY);
      account.lease(3);

      assertThat(policy().generation()).isEqualTo(1);
    }

    @Test
    void whatWasElasticOnceIsRememberedForLateOverage() {
      account.applied(new LedgerCommand.SetTerms(account.nextId(), AccountTerms.elastic(4)));
      account.applied(new LedgerCommand.SetTerms(account.nextId(), AccountTerms.STRICT));

      assertThat(policy().everElastic()).isTrue();
      assertThat(policy().terms()).isEqualTo(AccountTerms.STRICT);
    }
  }

  @Nested
  class LedgerTime {
    @Test
    void ledgerTimeIsTheOwnersClockAndNeverBehindTheEntry() {
      account.later(Duration.ofSeconds(5)).deposit(1);
      assertThat(account.ledger().asOfNanos()).isEqualTo(account.now());

      final long latest = account.now();
      account.at(latest - 3).deposit(1);
      assertThat(account.ledger().asOfNanos()).isEqualTo(latest);
      assertThat(account.last().effects().ledgerTimeNanos()).isEqualTo(latest);
    }

    @Test
    void aCheckIsTimedToo() {
      account.later(Duration.ofSeconds(5));
      account.refused(new LedgerCommand.Cross());

      assertThat(account.last().effects().ledgerTimeNanos()).isEqualTo(account.now());
    }

    @Test
    void aBackwardClockRevivesNoLease() {
      account.deposit(10);
      final Lease lease = account.lease(10);
      account.reclaimed(lease);
      account.at(OneAccount.NOON);

      assertThat(account.refused(new LedgerCommand.Renew(lease.id(), lease.fence(), 1, 1)))
          .isEqualTo(Refusal.LEASE_ENDED);
    }

    @Test
    void aTransitionAheadOfTheStoresClockWritesNothing() {
      final long ahead = account.now() + OneAccount.MAX_SKEW + 1;
      final LedgerRequest deposit =
          account.request(new LedgerCommand.Deposit(account.nextId(), 5), Long.MAX_VALUE);

      assertThat(account.owner().submit(deposit, ahead, account.now()).verdict())
          .isEqualTo(io.tollgrid.ledger.store.Verdict.CLOCK_AHEAD);
      assertThat(account.books()).isEqualTo(Balances.ZERO);
      assertThat(account.owner().submit(deposit, ahead - 1, account.now()).verdict())
          .isEqualTo(io.tollgrid.ledger.store.Verdict.COMMIT);
    }
  }
}
