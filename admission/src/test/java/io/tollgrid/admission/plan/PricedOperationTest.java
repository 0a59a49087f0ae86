package io.tollgrid.admission.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.tollgrid.ledger.policy.Billing;
import io.tollgrid.ledger.policy.MeterPrice;
import io.tollgrid.ledger.policy.OperationPrice;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Witnesses R8 (several meters of one account are all billed), R7 and R9 (estimates). */
class PricedOperationTest {
  private static final MeterPrice CALLS = new MeterPrice("calls", 1, 0, 0);
  private static final MeterPrice TOKENS = new MeterPrice("tokens", 10, 3, 25);
  private static final MeterPrice DEAR = new MeterPrice("dear", 0, Long.MAX_VALUE, 0);

  private final Catalogue catalogue = new Catalogue();

  @Test
  void aQuoteIsTheSumOverTheMetersThatCount() {
    final PricedOperation operation = priced(CALLS, TOKENS);
    final long calls = catalogue.meterSet(List.of("calls"));
    final long tokens = catalogue.meterSet(List.of("tokens"));

    assertThat(operation.quoteUnits(calls, 10)).isEqualTo(1);
    assertThat(operation.quoteUnits(tokens, 4)).isEqualTo(25);
    assertThat(operation.quoteUnits(tokens, 10)).isEqualTo(40);
    assertThat(operation.quoteUnits(calls | tokens, 10)).isEqualTo(41);
    assertThat(operation.quoteUnits(-1, 10)).isEqualTo(41);
    assertThat(operation.quoteUnits(0, 10)).isZero();
    assertThat(operation.quoteUnits(catalogue.meterSet(List.of("other")), 10)).isZero();
  }

  @Test
  void itNamesItsMetersAndWhatEachOfThemCosts() {
    catalogue.meter("elsewhere");
    final PricedOperation operation = priced(CALLS, TOKENS);

    assertThat(operation.meters()).isEqualTo(2);
    assertThat(catalogue.meterName(operation.meter(0))).isEqualTo("calls");
    assertThat(catalogue.meterName(operation.meter(1))).isEqualTo("tokens");
    assertThat(operation.unitsOn(0, 10)).isEqualTo(1);
    assertThat(operation.unitsOn(1, 10)).isEqualTo(40);
    assertThat(operation.meterSet()).isEqualTo(catalogue.meterSet(List.of("calls", "tokens")));
  }

  @Test
  void oneMeterThatOverflowsOverflowsTheQuoteOnlyIfItCounts() {
    final PricedOperation operation = priced(DEAR, CALLS);

    assertThat(operation.quoteUnits(-1, 1)).isEqualTo(PriceArithmetic.OVERFLOW);
    assertThat(operation.quoteUnits(-1, 2)).isEqualTo(PriceArithmetic.OVERFLOW);
    assertThat(operation.quoteUnits(catalogue.meterSet(List.of("dear")), 1))
        .isEqualTo(Long.MAX_VALUE);
    assertThat(operation.quoteUnits(catalogue.meterSet(List.of("calls")), 2)).isEqualTo(1);
  }

  @Test
  void itCarriesWhatThePlanSays() {
    final PricedOperation operation =
        new PricedOperation(
            new OperationPrice(
                "chat", List.of(CALLS), 7, 9, Billing.AGGREGATED, Duration.ofSeconds(3)),
            false,
            catalogue);

    assertThat(operation.name()).isEqualTo("chat");
    assertThat(operation.estimateItems()).isEqualTo(7);
    assertThat(operation.maximumItems()).isEqualTo(9);
    assertThat(operation.isAggregated()).isTrue();
    assertThat(operation.isPermitted()).isFalse();
    assertThat(operation.longestNanos()).isEqualTo(3_000_000_000L);
    assertThat(priced(CALLS).isAggregated()).isFalse();
    assertThat(priced(CALLS).isPermitted()).isTrue();
  }

  @Test
  void aTimeBeyondTheLongestThatFitsIsTheLongest() {
    for (final Duration longest :
        List.of(Duration.ofNanos(Long.MAX_VALUE), Duration.ofSeconds(Long.MAX_VALUE))) {
      final OperationPrice price =
          new OperationPrice("chat", List.of(CALLS), 1, 1, Billing.PER_REQUEST, longest);
      assertThat(new PricedOperation(price, true, catalogue).longestNanos())
          .isEqualTo(Long.MAX_VALUE);
    }
  }

  private PricedOperation priced(final MeterPrice... prices) {
    return new PricedOperation(
        new OperationPrice(
            "chat", List.of(prices), 1, Long.MAX_VALUE, Billing.PER_REQUEST, Duration.ofMinutes(1)),
        true,
        catalogue);
  }
}
