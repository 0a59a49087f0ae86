package io.tollgrid.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.tollgrid.ledger.Evidence;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

/**
 * Witnesses R56: what is shown is the ledger's word with its age, lowered by what was admitted here
 * since, never below zero, and absent while the ledger has said nothing.
 */
class ShownBalanceTest {
  private final ShownBalance shown = new ShownBalance();

  @Test
  void nothingIsShownBeforeTheLedgerSaidSomething() {
    shown.held(5);
    shown.said(null, 7);

    assertThat(shown.estimate()).isNull();
  }

  @Test
  void whatIsAdmittedHereLowersItAndItsAgeStays() {
    shown.said(evidence(100), 7);
    shown.held(30);
    assertThat(shown.estimate()).isEqualTo(new BalanceEstimate(70, 7));
    shown.held(-10);
    assertThat(shown.estimate()).isEqualTo(new BalanceEstimate(80, 7));
    shown.held(500);
    assertThat(shown.estimate()).isEqualTo(new BalanceEstimate(0, 7));
  }

  @Test
  void aNewerWordReplacesItAndAnOlderDoesNot() {
    shown.said(evidence(100), 7);
    shown.held(30);
    shown.said(evidence(90), 9);
    shown.said(evidence(500), 8);

    assertThat(shown.estimate()).isEqualTo(new BalanceEstimate(90, 9));
  }

  @Property
  void itIsNeverNegativeAndNeverMoreThanTheLedgerSaid(
      @ForAll @LongRange(min = 0, max = 1_000) long said,
      @ForAll @Size(max = 20) @LongRange(min = -500, max = 500) long[] holds) {
    final ShownBalance balance = new ShownBalance();
    balance.said(evidence(said), 1);
    for (final long units : holds) {
      balance.held(units);
      final BalanceEstimate estimate = balance.estimate();
      assertThat(estimate).isNotNull();
      assertThat(estimate.remainingUnits()).isBetween(0L, said);
    }
  }

  private static Evidence evidence(long remaining) {
    return new Evidence(remaining, Long.MAX_VALUE, 1);
  }
}
