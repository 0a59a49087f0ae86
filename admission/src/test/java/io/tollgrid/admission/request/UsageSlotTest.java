package io.tollgrid.admission.request;

import static org.assertj.core.api.Assertions.assertThat;

import io.tollgrid.admission.account.AccountState;
import io.tollgrid.admission.lease.HeldLease;
import io.tollgrid.admission.plan.PricedOperation;
import io.tollgrid.ledger.AccountTerms;
import io.tollgrid.ledger.Bits256;
import io.tollgrid.ledger.Funding;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.LegRole;
import io.tollgrid.ledger.MeterUnits;
import io.tollgrid.ledger.policy.Billing;
import io.tollgrid.ledger.policy.MeterPrice;
import io.tollgrid.ledger.policy.OperationPrice;
import io.tollgrid.ledger.policy.Plan;
import io.tollgrid.ledger.policy.SnapshotLeg;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Witnesses R9 and R21 in the parts of one slot: what has room, what is merged, what is billed. */
class UsageSlotTest {
  private static final long EVERY_METER = -1;

  private final TestKernel kernel = new TestKernel();
  private final AccountState home = kernel.account(1, AccountTerms.elastic(1_000));
  private final AccountState company = kernel.account(2, AccountTerms.elastic(1_000));
  private final HeldLease lease = kernel.lease(home, 1_000, 1_000);
  private final HeldLease another = new HeldLease(new Id128(8, 8), 8, 1_000, 1_000, 0, 0);
  private final UsageSlot slot = new UsageSlot(3, 4);

  @Test
  void aSlotKnowsItsPlace() {
    assertThat(slot.lane()).isEqualTo(3);
    assertThat(slot.index()).isEqualTo(4);
  }

  @Test
  void whatIsOpenNamesTheFundingOfEachLeg() {
    slot.reserve(home, EVERY_METER, UsageSlot.LEASE, lease, 1);
    slot.reserve(company, EVERY_METER, UsageSlot.OVERAGE, null, 1);
    slot.open();

    assertThat(PhaseWord.funding(slot.word(), 0)).isEqualTo(PhaseWord.FUNDED_BY_LEASE);
    assertThat(PhaseWord.funding(slot.word(), 1)).isEqualTo(PhaseWord.FUNDED_BY_OVERAGE);
    assertThat(PhaseWord.funding(slot.word(), 2)).isEqualTo(PhaseWord.FUNDED_BY_NONE);
  }

  @Test
  void anExtensionIsAPartOfItsOwnWhileThereIsRoom() {
    slot.reserve(home, EVERY_METER, UsageSlot.LEASE, lease, 1);
    for (int part = 1; part < UsageSlot.MAX_PARTS - 1; part++) {
      assertThat(slot.hasRoomFor(0, UsageSlot.LEASE, another)).isTrue();
      assertThat(slot.extend(0, UsageSlot.OVERAGE, null, 1)).isEqualTo(part);
    }
    assertThat(slot.parts()).isEqualTo(UsageSlot.MAX_PARTS - 1);

    assertThat(slot.hasRoomFor(0, UsageSlot.LEASE, lease)).as("a reservation").isFalse();
    assertThat(slot.extend(0, UsageSlot.LEASE, lease, 1)).isEqualTo(UsageSlot.NO_PART);
    assertThat(slot.hasRoomFor(0, UsageSlot.OVERAGE, another)).isFalse();
    assertThat(slot.hasRoomFor(1, UsageSlot.OVERAGE, null)).isFalse();
    assertThat(slot.hasRoomFor(0, UsageSlot.OVERAGE, null)).isTrue();
    assertThat(slot.extend(0, UsageSlot.OVERAGE, null, 5)).isEqualTo(1);
    assertThat(slot.units(1)).isEqualTo(6);

    assertThat(slot.extend(0, UsageSlot.UNFUNDED, null, 7)).isEqualTo(UsageSlot.MAX_PARTS - 1);
    assertThat(slot.extend(0, UsageSlot.LEASE, lease, 1)).isEqualTo(UsageSlot.NO_PART);
    assertThat(slot.extend(0, UsageSlot.UNFUNDED, null, 2)).isEqualTo(UsageSlot.MAX_PARTS - 1);
    assertThat(slot.unitsFunded(0, UsageSlot.UNFUNDED)).isEqualTo(9);
    assertThat(slot.unitsOf(0)).isEqualTo(1 + 30 + 5 + 9);
  }

  @Test
  void onePlaceOfEachLegIsKept() {
    slot.reserve(home, EVERY_METER, UsageSlot.LEASE, lease, 1);
    slot.reserve(company, EVERY_METER, UsageSlot.OVERAGE, null, 1);
    int added = 0;
    while (slot.extend(0, UsageSlot.LEASE, added % 2 == 0 ? lease : another, 1) == added + 2) {
      added++;
    }

    assertThat(added).isEqualTo(UsageSlot.MAX_PARTS - 4);
    assertThat(slot.hasRoomFor(1, UsageSlot.OVERAGE, null)).as("a reservation").isFalse();
    assertThat(slot.extend(1, UsageSlot.UNFUNDED, null, 1)).isEqualTo(UsageSlot.MAX_PARTS - 2);
    assertThat(slot.extend(0, UsageSlot.UNFUNDED, null, 1)).isEqualTo(UsageSlot.MAX_PARTS - 1);
  }

  @Test
  void whatTheLastUseOfTheSlotHeldIsNotGivenBackForTheNext() {
    assertThat(lease.tryDebit(15, 0)).isNotNegative();
    for (int part = 0; part < 3; part++) {
      if (part == 0) {
        slot.reserve(home, EVERY_METER, UsageSlot.LEASE, lease, 5);
      } else {
        slot.extend(0, UsageSlot.LEASE, lease, 5);
      }
    }
    slot.clear();
    assertThat(lease.tryDebit(1, 0)).isNotNegative();
    slot.reserve(home, EVERY_METER, UsageSlot.LEASE, lease, 1);

    slot.giveBackAll(0);

    assertThat(lease.freeUnits()).isEqualTo(985);
  }

  @Test
  void onlyEmptyExtensionsAtTheEndAreTrimmed() {
    slot.reserve(home, EVERY_METER, UsageSlot.LEASE, lease, 0);
    slot.extend(0, UsageSlot.LEASE, lease, 0);
    slot.extend(0, UsageSlot.LEASE, lease, 1);
    slot.extend(0, UsageSlot.LEASE, lease, 0);
    slot.extend(0, UsageSlot.LEASE, lease, 0);

    slot.trim();
    assertThat(slot.parts()).isEqualTo(3);
    assertThat(slot.isEvent(1)).isFalse();
    assertThat(slot.isEvent(2)).isTrue();

    slot.clear();
    slot.trim();
    assertThat(slot.parts()).isZero();
    slot.reserve(home, EVERY_METER, UsageSlot.NONE, null, 0);
    slot.trim();
    assertThat(slot.parts()).as("a reservation of nothing is an event").isEqualTo(1);
    assertThat(slot.isEvent(0)).isTrue();
  }

  @Test
  void itSaysWhoPaidAndForWhom() {
    slot.reserve(home, EVERY_METER, UsageSlot.LEASE, lease, 4);
    slot.reserve(company, EVERY_METER, UsageSlot.OVERAGE, null, 5);
    slot.extend(1, UsageSlot.UNFUNDED, null, 6);

    assertThat(slot.lease(0)).isSameAs(lease);
    assertThat(slot.lease(1)).isNull();
    assertThat(slot.funding(0)).isEqualTo(lease.funding());
    assertThat(slot.funding(1)).isEqualTo(new Funding.Overage());
    assertThat(slot.funding(2)).isEqualTo(new Funding.Unfunded());
    assertThat(slot.account(0)).isSameAs(home);
    assertThat(slot.account(2)).isSameAs(company);
    assertThat(slot.role(0)).isEqualTo(LegRole.BILLING);
    assertThat(slot.role(2)).isEqualTo(LegRole.CAP);
    assertThat(slot.partNumber(1)).isZero();
    assertThat(slot.partNumber(2)).isEqualTo(1);
  }

  @Test
  void unitsOnActiveLeasesAreThoseOfTheLegOnLeasesThatAreNotOver() {
    final HeldLease over = new HeldLease(new Id128(9, 9), 9, 100, 500, 0, 0);
    slot.reserve(home, EVERY_METER, UsageSlot.LEASE, lease, 1);
    slot.reserve(company, EVERY_METER, UsageSlot.LEASE, another, 2);
    slot.extend(0, UsageSlot.LEASE, over, 4);
    slot.extend(0, UsageSlot.OVERAGE, null, 8);

    assertThat(slot.unitsOnActiveLeases(0, 499)).isEqualTo(5);
    assertThat(slot.unitsOnActiveLeases(0, 500)).isEqualTo(1);
    assertThat(slot.unitsOnActiveLeases(1, 500)).isEqualTo(2);
    assertThat(slot.unitsOnActiveLeases(1, 1_000)).isZero();
  }

  // Meters

  @Test
  void theLastMeterTakesWhatIsSettledAboveTheItemsOnceEach() {
    final PricedOperation both = priced(Billing.PER_REQUEST, "in", "out");
    slot.priced(both, 10, Bits256.ZERO, Id128.ZERO);
    slot.reserve(home, EVERY_METER, UsageSlot.LEASE, lease, 25);

    assertThat(meters(0)).containsExactly(new MeterUnits("in", 10), new MeterUnits("out", 15));
  }

  @Test
  void thePartsOfALegFillItsMetersOneAfterTheOther() {
    final PricedOperation both = priced(Billing.PER_REQUEST, "in", "out");
    slot.priced(both, 10, Bits256.ZERO, Id128.ZERO);
    slot.reserve(home, EVERY_METER, UsageSlot.LEASE, lease, 6);
    slot.reserve(company, 1L << both.meter(1), UsageSlot.LEASE, another, 10);
    slot.extend(0, UsageSlot.LEASE, lease, 10);
    slot.extend(0, UsageSlot.LEASE, lease, 4);

    assertThat(meters(0)).containsExactly(new MeterUnits("in", 6));
    assertThat(meters(1)).containsExactly(new MeterUnits("out", 10));
    assertThat(meters(2)).containsExactly(new MeterUnits("in", 4), new MeterUnits("out", 6));
    assertThat(meters(3)).containsExactly(new MeterUnits("out", 4));
  }

  @Test
  void aPartThatFollowsGoesOnWhereTheOneBeforeEnded() {
    slot.priced(priced(Billing.PER_REQUEST, "a", "b", "c"), 10, Bits256.ZERO, Id128.ZERO);
    slot.reserve(home, EVERY_METER, UsageSlot.LEASE, lease, 13);
    slot.extend(0, UsageSlot.LEASE, lease, 9);
    slot.extend(0, UsageSlot.LEASE, lease, 10);

    assertThat(meters(0)).containsExactly(new MeterUnits("a", 10), new MeterUnits("b", 3));
    assertThat(meters(1)).containsExactly(new MeterUnits("b", 7), new MeterUnits("c", 2));
    assertThat(meters(2)).as("two above the price").containsExactly(new MeterUnits("c", 10));
  }

  @Test
  void whatWasNeverPricedHasNoMetersAndNoLimitOfTime() {
    slot.reserve(home, EVERY_METER, UsageSlot.LEASE, lease, 6);

    assertThat(meters(0)).isEmpty();
    assertThat(slot.longestNanos()).isEqualTo(Long.MAX_VALUE);
    assertThat(slot.isAggregated()).isFalse();
  }

  @Test
  void whetherItIsAggregatedIsTheOperations() {
    slot.priced(priced(Billing.PER_REQUEST, "in"), 1, Bits256.ZERO, Id128.ZERO);
    assertThat(slot.isAggregated()).isFalse();
    slot.priced(priced(Billing.AGGREGATED, "in"), 1, Bits256.ZERO, Id128.ZERO);

    assertThat(slot.isAggregated()).isTrue();
    assertThat(slot.longestNanos()).isEqualTo(1_000_000_000L);
  }

  private List<MeterUnits> meters(final int part) {
    return slot.meterUnits(part, kernel.admission.catalogue());
  }

  private PricedOperation priced(final Billing billing, final String... meters) {
    final String name = "priced " + billing;
    kernel.publish(
        Plan.open(
            name,
            new OperationPrice(
                "priced",
                Arrays.stream(meters).map(MeterPrice::perItem).toList(),
                1,
                100,
                billing,
                Duration.ofSeconds(1))));
    final Id128 asking =
        kernel.principal(
            billing == Billing.AGGREGATED ? 8 : 7, name, 0, List.of(SnapshotLeg.of(home.id())));
    return kernel
        .admission
        .principals()
        .find(asking.high(), asking.low())
        .standing()
        .plan()
        .current()
        .operation(kernel.admission.catalogue().operation("priced"));
  }
}
