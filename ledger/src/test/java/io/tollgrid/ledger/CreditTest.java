package io.tollgrid.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/**
 * Witnesses R23: a correction names its original, is derived into a deposit, and never exceeds what
 * was billed; {@code billed} is monotone.
 */
class CreditTest {
  private final OneAccount account =
      OneAccount.created(LedgerLimits.DEFAULTS, AccountTerms.elastic(100));
  private final UsageEvent billed = account.event(new Funding.Overage(), 10);

  {
    account.record(billed);
  }

  private LedgerCommand.Credit credit(UsageEvent original, long units) {
    return new LedgerCommand.Credit(account.nextId(), original.requestId(), original.part(), units);
  }

  @Test
  void aCreditIsTopUpAndBilledStays() {
    final LedgerCommand.Credit credit = credit(billed, 4);

    assertThat(account.applied(credit))
        .isEqualTo(new Outcome.Funded(4, account.ledger().version()));
    assertThat(account.books().topUp()).isEqualTo(4);
    assertThat(account.books().deposited()).isEqualTo(4);
    assertThat(account.books().billed()).isEqualTo(10);
    final Effects effects = account.last().effects();
    assertThat(effects.credit())
        .isEqualTo(new Effects.CreditEntry(credit.commandId(), billed.requestId(), 0, 4));
    assertThat(effects.funding())
        .containsExactly(new Effects.FundingEntry(Effects.FundingEntry.Source.CREDIT, 4));
    assertThat(effects.present()).containsOnlyKeys(new RowKey.UsageKey(billed.requestId(), 0));
  }

  @Test
  void theOriginalIsLookedUpFirst() {
    assertThat(
            Ledger.apply(
                    account.ledger(),
                    account.request(credit(billed, 1)),
                    account.now(),
                    LedgerLimits.DEFAULTS)
                .outcome())
        .isEqualTo(
            new Outcome.NeedsRows(java.util.Set.of(new RowKey.UsageKey(billed.requestId(), 0))));
  }

  @Test
  void allCreditsOfAPartTogetherNeverExceedWhatWasBilled() {
    account.applied(credit(billed, 4));
    assertThat(account.refused(credit(billed, 7))).isEqualTo(Refusal.BEYOND_BILLED);
    account.applied(credit(billed, 6));
    assertThat(account.refused(credit(billed, 1))).isEqualTo(Refusal.BEYOND_BILLED);
    assertThat(account.books().topUp()).isEqualTo(10);
  }

  @Test
  void aPartThatWasNeverBilledIsNotCredited() {
    final UsageEvent unfunded = account.event(new Funding.Unfunded(), 5);
    final UsageEvent rejected = account.event(new Funding.Leased(account.nextId(), 1), 5);
    account.record(unfunded, rejected);

    assertThat(account.refused(credit(unfunded, 1))).isEqualTo(Refusal.NOT_BILLED);
    assertThat(account.refused(credit(rejected, 1))).isEqualTo(Refusal.NOT_BILLED);
    assertThat(
            account.refused(new LedgerCommand.Credit(account.nextId(), billed.requestId(), 1, 1)))
        .isEqualTo(Refusal.NOT_BILLED);
  }

  @Test
  void aCreditWithNothingToCorrectRestsOnThatRow() {
    final UsageEvent never = account.event(new Funding.Overage(), 1);
    account.refused(credit(never, 1));

    assertThat(account.last().effects().absent())
        .contains(new RowKey.UsageKey(never.requestId(), 0));
  }

  @Test
  void aRetriedCreditFundsOnce() {
    final LedgerCommand.Credit credit = credit(billed, 4);
    final Outcome first = account.run(credit);

    assertThat(account.run(credit)).isEqualTo(first);
    assertThat(account.books().topUp()).isEqualTo(4);
  }
}
