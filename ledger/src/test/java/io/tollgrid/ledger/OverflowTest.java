package io.tollgrid.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Witnesses R7: no sum wraps or is cut; what does not fit 63 bits is refused and changes nothing.
 */
class OverflowTest {
  private static final long MAX = Long.MAX_VALUE;

  @Test
  void aDepositThatDoesNotFitIsRefusedAndChangesNothing() {
    final OneAccount account = OneAccount.with(MAX - 10);

    assertThat(account.refused(new LedgerCommand.Deposit(account.nextId(), 11)))
        .isEqualTo(Refusal.BALANCE_OVERFLOW);
    assertThat(account.last().effects().writes()).isFalse();
    assertThat(account.books().topUp()).isEqualTo(MAX - 10);
    account.deposit(10);
    assertThat(account.books().topUp()).isEqualTo(MAX);
  }

  @Test
  void overageCountsAgainstWhatFits() {
    final OneAccount account = OneAccount.created(LedgerLimits.DEFAULTS, AccountTerms.elastic(1));
    account.record(account.event(new Funding.Overage(), 10));

    assertThat(account.refused(new LedgerCommand.Deposit(account.nextId(), MAX - 9)))
        .isEqualTo(Refusal.BALANCE_OVERFLOW);
    account.deposit(MAX - 10);
  }

  @Test
  void overageThatDoesNotFitIsRejectedAndItsNeighboursStand() {
    final OneAccount account = OneAccount.created(LedgerLimits.DEFAULTS, AccountTerms.elastic(1));
    account.deposit(MAX - 10);

    assertThat(
            account.record(
                account.event(new Funding.Overage(), 11),
                account.event(new Funding.Overage(), 10),
                account.event(new Funding.Overage(), 1)))
        .containsExactly(
            UsageVerdict.USAGE_OVERFLOW, UsageVerdict.OVERAGE, UsageVerdict.USAGE_OVERFLOW);
    assertThat(account.books().overage()).isEqualTo(10);
    assertThat(account.store().rejected(OneAccount.ACCOUNT)).hasSize(2);
  }

  @Test
  void unfundedUsageThatDoesNotFitIsRejected() {
    final OneAccount account = OneAccount.created();

    assertThat(
            account.record(
                account.event(new Funding.Unfunded(), MAX - 1),
                account.event(new Funding.Unfunded(), 2),
                account.event(new Funding.Unfunded(), 1)))
        .containsExactly(UsageVerdict.UNFUNDED, UsageVerdict.USAGE_OVERFLOW, UsageVerdict.UNFUNDED);
    assertThat(account.books().unfunded()).isEqualTo(MAX);
  }

  @Test
  void aCreditThatDoesNotFitIsRefused() {
    final OneAccount account = OneAccount.created(LedgerLimits.DEFAULTS, AccountTerms.elastic(1));
    final UsageEvent billed = account.event(new Funding.Overage(), 10);
    account.record(billed);
    account.deposit(MAX - 15);

    assertThat(
            account.refused(new LedgerCommand.Credit(account.nextId(), billed.requestId(), 0, 6)))
        .isEqualTo(Refusal.BALANCE_OVERFLOW);
    account.applied(new LedgerCommand.Credit(account.nextId(), billed.requestId(), 0, 5));
  }

  @Test
  void aRefusalForOverflowUndoesTheCrossingThatCameFirst() {
    final OneAccount account = OneAccount.with(MAX - 300);
    account.schedule(BudgetSchedule.monthlyUtc(100), LedgerCommand.SetSchedule.Effective.BOUNDARY);
    account.at(account.ledger().period().endNanos());
    final AccountLedger before = account.ledger();

    assertThat(account.refused(new LedgerCommand.Deposit(account.nextId(), 101)))
        .isEqualTo(Refusal.BALANCE_OVERFLOW);
    assertThat(account.ledger()).isEqualTo(before);
    account.deposit(100);
    assertThat(account.ledger().period().number()).isEqualTo(2);
  }

  @Test
  void theLargestLeaseThereIsCanBeTakenFoldedAndBilled() {
    final OneAccount account = OneAccount.with(MAX);
    final Lease lease = account.lease(MAX);
    final Outcome.Granted folded =
        (Outcome.Granted) account.applied(account.consolidating(lease, MAX, 1, MAX));

    assertThat(folded.units()).isEqualTo(MAX);
    assertThat(account.bill(account.lease(folded.leaseId()), MAX)).isEqualTo(UsageVerdict.LEASED);
    assertThat(account.books().billed()).isEqualTo(MAX);
  }

  @Test
  void aRefusedBatchChangesNothing() {
    final OneAccount account = OneAccount.created();
    account.at(MAX - 1);
    final LedgerRequest request =
        account.request(
            new LedgerCommand.RecordUsage(List.of(account.event(new Funding.Unfunded(), 1))), MAX);

    assertThat(account.refused(request)).isEqualTo(Refusal.BALANCE_OVERFLOW);
    assertThat(account.store().usage(OneAccount.ACCOUNT)).isEmpty();
    assertThat(account.store().rejected(OneAccount.ACCOUNT)).isEmpty();
  }
}
