package io.tollgrid.ledger.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tollgrid.ledger.Bits256;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Witnesses R42 (what is unsafe is refused by its value), R9 (a default is never zero). */
class PlanTest {
  private static final MeterPrice CALLS = MeterPrice.perItem("calls");
  private static final OperationPrice CHAT = OperationPrice.of("chat", CALLS);

  @Test
  void aMeterPriceIsNotNegativeAndHasAName() {
    assertThat(CALLS).isEqualTo(new MeterPrice("calls", 0, 1, 0));
    assertThat(new MeterPrice("calls", 0, 0, 0).unitsPerItem()).as("it may be free").isZero();
    refused(() -> new MeterPrice("calls", -1, 2, 3), "calls", "-1 +", "2 per item", "least 3");
    refused(() -> new MeterPrice("calls", 1, -2, 3), "calls", "-2 per item");
    refused(() -> new MeterPrice("calls", 1, 2, -3), "calls", "least -3");
    refused(() -> new MeterPrice("", 1, 2, 3), "meter");
  }

  @Test
  void anOperationHasAPriceOnOneToSixteenMeters() {
    refused(() -> price(List.of(), 1, 1, Duration.ofSeconds(1)), "chat", "it has 0");
    refused(
        () ->
            new OperationPrice(
                "", List.of(CALLS), 1, 1, Billing.PER_REQUEST, Duration.ofSeconds(1)),
        "operation");
    refused(() -> price(List.of(CALLS, CALLS), 1, 1, Duration.ofSeconds(1)), "chat", "2 on 1");

    final List<MeterPrice> most = new ArrayList<>();
    for (int i = 0; i < OperationPrice.MAX_PRICES; i++) {
      most.add(MeterPrice.perItem("m" + i));
    }
    assertThat(price(most, 1, 1, Duration.ofSeconds(1)).prices()).hasSize(16);
    most.add(CALLS);
    refused(() -> price(most, 1, 1, Duration.ofSeconds(1)), "chat", "17 on 17");
  }

  @Test
  void aDefaultIsAtLeastOneAndAtMostTheMaximum() {
    assertThat(CHAT.estimateItems()).isEqualTo(1);
    assertThat(price(List.of(CALLS), 3, 3, Duration.ofSeconds(1)).maximumItems()).isEqualTo(3);
    refused(() -> price(List.of(CALLS), 0, 3, Duration.ofSeconds(1)), "chat", "reserves 0");
    refused(() -> price(List.of(CALLS), 4, 3, Duration.ofSeconds(1)), "chat", "4 items", "most 3");
  }

  @Test
  void aLongestTimeIsPositive() {
    refused(() -> price(List.of(CALLS), 1, 1, Duration.ZERO), "chat", "PT0S");
    refused(() -> price(List.of(CALLS), 1, 1, Duration.ofNanos(-1)), "chat", "PT-0.000000001S");
  }

  @Test
  void thePricesOfAnOperationAreACopy() {
    final List<MeterPrice> prices = new ArrayList<>(List.of(CALLS));
    final OperationPrice price = price(prices, 1, 1, Duration.ofSeconds(1));
    prices.clear();

    assertThat(price.prices()).containsExactly(CALLS);
  }

  @Test
  void permissionsAreEverythingOrAList() {
    assertThat(Permissions.ALL.allow("anything")).isTrue();
    assertThat(Permissions.of("a").allow("a")).isTrue();
    assertThat(Permissions.of("a").allow("b")).isFalse();
    assertThat(Permissions.of().allow("a")).isFalse();
    refused(() -> new Permissions(true, Set.of("a")), "[a]");
  }

  @Test
  void aNameIsPlainTextOfOneTo64Characters() {
    final String longest = "m".repeat(64);
    assertThat(MeterPrice.perItem(longest).meter()).isEqualTo(longest);
    refused(() -> MeterPrice.perItem(longest + "m"), "meter", "the 65 of " + longest);
    refused(() -> MeterPrice.perItem("to\nkens"), "meter", "the 7 of to?kens");
  }

  @Test
  void aPlanStartsAtGenerationOneAndPricesNothingTwice() {
    assertThat(Plan.open("free", CHAT).generation()).isEqualTo(1);
    refused(() -> plan("free", 0, CHAT), "plan free", "generation 0");
    refused(() -> plan("free", 1, CHAT, CHAT), "plan free", "chat twice");
    refused(() -> plan("", 1, CHAT), "plan");
  }

  private static OperationPrice price(
      final List<MeterPrice> prices,
      final long estimate,
      final long maximum,
      final Duration longest) {
    return new OperationPrice("chat", prices, estimate, maximum, Billing.PER_REQUEST, longest);
  }

  private static Plan plan(
      final String name, final long generation, final OperationPrice... operations) {
    return new Plan(
        name, generation, Bits256.ZERO, Permissions.ALL, Permissions.ALL, List.of(operations));
  }

  private static void refused(final ThrowingCallable making, final String... words) {
    assertThatThrownBy(making)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll(words);
  }
}
