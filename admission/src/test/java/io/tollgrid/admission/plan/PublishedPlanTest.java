package io.tollgrid.admission.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tollgrid.ledger.Bits256;
import io.tollgrid.ledger.policy.Billing;
import io.tollgrid.ledger.policy.MeterPrice;
import io.tollgrid.ledger.policy.OperationPrice;
import io.tollgrid.ledger.policy.Permissions;
import io.tollgrid.ledger.policy.Plan;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Witnesses R37 (generations), R25 (identity is carried) and R50 (no price, no permission). */
class PublishedPlanTest {
  private static final MeterPrice CALLS = MeterPrice.perItem("calls");

  private final Catalogue catalogue = new Catalogue();

  @Test
  void onlyANewerGenerationComesIntoForce() {
    final PublishedPlan published =
        new PublishedPlan(plan(3, Permissions.ALL, Permissions.ALL), catalogue);
    final PublishedPlan.Compiled third = published.current();

    assertThat(published.publish(plan(3, Permissions.of(), Permissions.of()))).isFalse();
    assertThat(published.publish(plan(2, Permissions.of(), Permissions.of()))).isFalse();
    assertThat(published.current()).isSameAs(third);
    assertThat(published.publish(plan(5, Permissions.of(), Permissions.ALL))).isTrue();
    assertThat(published.current().plan().generation()).isEqualTo(5);
    assertThat(published.current().allows(catalogue.route("a"))).isFalse();
    assertThat(third.allows(catalogue.route("a"))).isTrue();
  }

  @Test
  void anotherPlanCannotReplaceIt() {
    final PublishedPlan published = new PublishedPlan(Plan.open("free"), catalogue);

    assertThatThrownBy(() -> published.publish(Plan.open("paid")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("paid")
        .hasMessageContaining("free");
    assertThat(published.current().plan().name()).isEqualTo("free");
  }

  @Test
  void aPlanThatCannotBeCompiledLeavesTheOldOneInForce() {
    final PublishedPlan published =
        new PublishedPlan(plan(1, Permissions.of("a"), Permissions.ALL), catalogue);

    assertThatThrownBy(() -> published.publish(plan(2, Permissions.of("a", ""), Permissions.ALL)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("route");
    assertThat(published.current().plan().generation()).isEqualTo(1);
  }

  @Test
  void itsRevisionIsCarried() {
    final Bits256 revision = new Bits256(1, 2, 3, 4);
    final Plan plan = new Plan("free", 1, revision, Permissions.ALL, Permissions.ALL, List.of());

    assertThat(new PublishedPlan(plan, catalogue).current().revision()).isEqualTo(revision);
  }

  @Test
  void aRouteIsAllowedOrNotWhereverItIsInTheSet() {
    final Route[] routes = new Route[200];
    final String[] even = new String[routes.length / 2];
    for (int i = 0; i < routes.length; i++) {
      routes[i] = catalogue.route("r" + i);
      if (i % 2 == 0) {
        even[i / 2] = "r" + i;
      }
    }
    final PublishedPlan.Compiled some = compiled(Permissions.of(even), Permissions.ALL);
    final PublishedPlan.Compiled first = compiled(Permissions.of("r0"), Permissions.ALL);
    final PublishedPlan.Compiled last = compiled(Permissions.of("r199"), Permissions.ALL);
    final PublishedPlan.Compiled none = compiled(Permissions.of(), Permissions.ALL);
    final PublishedPlan.Compiled all = compiled(Permissions.ALL, Permissions.ALL);
    for (int i = 0; i < routes.length; i++) {
      assertThat(some.allows(routes[i])).isEqualTo(i % 2 == 0);
      assertThat(first.allows(routes[i])).isEqualTo(i == 0);
      assertThat(last.allows(routes[i])).isEqualTo(i == 199);
      assertThat(none.allows(routes[i])).isFalse();
      assertThat(all.allows(routes[i])).isTrue();
    }
    assertThat(some.allows(catalogue.route("later"))).isFalse();
    assertThat(all.allows(catalogue.route("later"))).isTrue();
  }

  @Test
  void anOperationItDoesNotPriceHasNoPrice() {
    catalogue.operation("before");
    final PublishedPlan.Compiled plan = compiled(Permissions.ALL, Permissions.of("chat"));

    assertThat(plan.operation(catalogue.operation("before"))).isNull();
    assertThat(plan.operation(catalogue.operation("after"))).isNull();
    final @Nullable PricedOperation chat = plan.operation(catalogue.operation("chat"));
    assertThat(chat).isNotNull();
    assertThat(chat.name()).isEqualTo("chat");
    assertThat(chat.isPermitted()).isTrue();
    final @Nullable PricedOperation embed = plan.operation(catalogue.operation("embed"));
    assertThat(embed).isNotNull();
    assertThat(embed.isPermitted()).isFalse();
  }

  @Test
  void theLargestQuoteIsThatOfTheDearestPermittedOperation() {
    final long calls = catalogue.meterSet(List.of("calls"));

    assertThat(compiled(Permissions.ALL, Permissions.of("chat")).largestQuoteUnits(calls))
        .isEqualTo(10);
    assertThat(compiled(Permissions.ALL, Permissions.ALL).largestQuoteUnits(calls)).isEqualTo(99);
    assertThat(compiled(Permissions.ALL, Permissions.of()).largestQuoteUnits(calls)).isZero();
    assertThat(
            compiled(Permissions.ALL, Permissions.ALL)
                .largestQuoteUnits(catalogue.meterSet(List.of("other"))))
        .isZero();

    final OperationPrice endless =
        new OperationPrice(
            "endless",
            List.of(new MeterPrice("calls", 1, 1, 0)),
            1,
            Long.MAX_VALUE,
            Billing.PER_REQUEST,
            Duration.ofMinutes(1));
    final Plan plan = Plan.open("endless", endless, OperationPrice.of("one", CALLS), upTo("x", 5));
    assertThat(new PublishedPlan(plan, catalogue).current().largestQuoteUnits(calls))
        .isEqualTo(Long.MAX_VALUE);
  }

  private PublishedPlan.Compiled compiled(final Permissions routes, final Permissions work) {
    return new PublishedPlan(plan(1, routes, work), catalogue).current();
  }

  private static Plan plan(
      final long generation, final Permissions routes, final Permissions work) {
    return new Plan(
        "free",
        generation,
        Bits256.ZERO,
        routes,
        work,
        List.of(upTo("chat", 10), upTo("embed", 99)));
  }

  private static OperationPrice upTo(final String operation, final long items) {
    return new OperationPrice(
        operation, List.of(CALLS), 1, items, Billing.PER_REQUEST, Duration.ofMinutes(1));
  }
}
