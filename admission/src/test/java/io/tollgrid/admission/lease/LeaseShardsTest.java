package io.tollgrid.admission.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tollgrid.ledger.Id128;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/**
 * Witnesses R2 (every unit can be had wherever it is, and none is doubled), R34 (low water is that
 * of the whole) and R36 where the units of a lease are split.
 */
class LeaseShardsTest {
  private static final int SHARDS = 3;

  /** Ten units in shards of four, three and three. */
  private final LeaseUnits units = new LeaseUnits(10, SHARDS);

  @Test
  void everyUnitIsInOneShard() {
    assertThat(units.shards()).isEqualTo(SHARDS);
    assertThat(units.freeUnitsOpaque()).isEqualTo(10);
    assertThat(new LeaseUnits(10).shards()).isEqualTo(1);
    assertThat(new LeaseUnits(0).tryDebit(0)).isZero();
    assertThat(new LeaseUnits(0).tryDebit(1)).isEqualTo(LeaseUnits.REFUSED);
    assertThatThrownBy(() -> new LeaseUnits(10, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("10 units in 0 shards");
  }

  @Test
  void aDebitTakesFromItsOwnShardThenFromTheNextOnes() {
    assertThat(units.tryDebit(2, 1)).isEqualTo(1);
    assertThat(units.tryDebit(2, 1)).as("the next").isEqualTo(1);
    assertThat(units.tryDebit(2, 1)).as("round to the first").isEqualTo(2);
    assertThat(units.tryDebit(2, 1)).isZero();
    assertThat(units.freeUnitsOpaque()).isEqualTo(2);
    assertThat(units.tryDebit(1, 2)).isZero();
    assertThat(units.tryDebit(1, -2)).as("a negative stripe").isZero();
    assertThat(units.tryDebit(1, 0)).isEqualTo(LeaseUnits.REFUSED);
  }

  @Test
  void fragmentsOfAllShardsAreCollected() {
    assertThat(units.tryDebit(9, 0)).isZero();
    assertThat(units.freeUnitsOpaque()).isEqualTo(1);
    assertThat(units.tryDebit(1, 0)).isZero();
    assertThat(units.tryDebit(1, 0)).isEqualTo(LeaseUnits.REFUSED);
  }

  @Test
  void theVeryLastUnitIsCollected() {
    assertThat(units.tryDebit(10, 2)).isZero();

    assertThat(units.freeUnitsOpaque()).isZero();
    assertThat(units.credit(10, 1)).isFalse();
    assertThat(units.freeUnitsOpaque()).isEqualTo(10);
    assertThat(units.tryDebit(10, 1)).as("they came back to one shard").isZero();
  }

  @Test
  void whatIsCollectedInVainGoesBackAndCanBeHadAgain() {
    for (int i = 0; i < 3; i++) {
      assertThat(units.tryDebit(11, i)).isEqualTo(LeaseUnits.REFUSED);
      assertThat(units.freeUnitsOpaque()).isEqualTo(10);
    }
    // All of it went to the shard of who asked first, and from there to those who asked later.
    assertThat(units.tryDebit(10, 2)).isZero();
    assertThat(units.tryDebit(11, 0)).as("nothing to give back").isEqualTo(LeaseUnits.REFUSED);
    assertThat(units.freeUnitsOpaque()).isZero();
  }

  @Test
  void whatIsCollectedInVainGoesBackToTheOwnShard() {
    assertThat(units.tryDebit(11, 1)).isEqualTo(LeaseUnits.REFUSED);

    assertThat(units.tryDebit(4, 1)).as("of the ten in its own").isEqualTo(6);
    assertThat(units.tryDebit(1, 2)).as("its neighbours are empty").isEqualTo(5);
  }

  @Test
  void aZeroDebitPassesUntilItIsClosed() {
    units.tryDebit(10, 0);
    assertThat(units.tryDebit(0, 1)).isZero();
    units.close();

    assertThat(units.tryDebit(0, 1)).isEqualTo(LeaseUnits.REFUSED);
  }

  @Test
  void everyShardIsClosedAndStillCollects() {
    assertThat(units.tryDebit(3, 1)).isZero();
    units.close();
    assertThat(units.isClosed()).isTrue();
    for (int stripe = 0; stripe < SHARDS; stripe++) {
      assertThat(units.tryDebit(1, stripe)).isEqualTo(LeaseUnits.REFUSED);
    }
    assertThat(units.freeUnitsOpaque()).isEqualTo(7);

    assertThat(units.drain()).isEqualTo(7);
    assertThat(units.credit(2, 1)).isTrue();
    assertThat(units.credit(1, 0)).isTrue();
    assertThat(units.freeUnitsOpaque()).isEqualTo(3);
    assertThat(units.drain()).isEqualTo(3);
    assertThat(units.isClosed()).isTrue();
    assertThat(units.drain()).isZero();
  }

  @Test
  void drainingLeavesEveryShardOpen() {
    assertThat(units.drain()).isEqualTo(10);
    assertThat(units.isClosed()).isFalse();
    for (int stripe = 0; stripe < SHARDS; stripe++) {
      assertThat(units.credit(1, stripe)).isFalse();
      assertThat(units.tryDebit(1, stripe)).isZero();
    }
  }

  @Test
  void returningMoreThanWasGrantedIsAFault() {
    assertThatThrownBy(() -> units.credit(8, 1))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("crediting 8 units");
    assertThat(units.freeUnitsOpaque()).isEqualTo(10);
  }

  // Of a held lease

  @Test
  void lowWaterIsThatOfTheWholeAndNotOfOneShard() {
    final HeldLease lease = new HeldLease(new Id128(1, 1), 1, 10, 2_000, 0, 5, SHARDS);
    final AtomicLong rings = new AtomicLong();
    final LeaseSlot slot = new LeaseSlot(rings::incrementAndGet);
    slot.replace(lease);
    assertThat(lease.shards()).isEqualTo(SHARDS);

    assertThat(slot.tryDebit(4, 0, 0)).isSameAs(lease);
    assertThat(slot.tryDebit(1, 1, 0)).isSameAs(lease);
    assertThat(rings).as("five are left").hasValue(0);
    assertThat(slot.tryDebit(1, 1, 0)).isSameAs(lease);
    assertThat(rings).hasValue(1);
    assertThat(slot.bells()).isEqualTo(LeaseSlot.LOW_WATER);
  }

  @Test
  void whoCollectsInVainFromAClosedLeaseTellsItsOwner() {
    final HeldLease lease = new HeldLease(new Id128(1, 1), 1, 10, 2_000, 0, 0, SHARDS);
    final AtomicLong rings = new AtomicLong();
    final LeaseSlot slot = new LeaseSlot(rings::incrementAndGet);
    slot.replace(lease);
    assertThat(slot.tryDebit(lease, 11, 0, 0)).isFalse();
    assertThat(rings).as("open").hasValue(0);
    assertThat(slot.take()).isSameAs(lease);

    assertThat(slot.tryDebit(lease, 1, 0, 0)).isFalse();

    assertThat(slot.bells()).isEqualTo(LeaseSlot.CREDITED);
    assertThat(rings).hasValue(1);
  }

  @Test
  void aClosedLeaseInOneWordHasNothingToTell() {
    final HeldLease lease = new HeldLease(new Id128(1, 1), 1, 10, 2_000, 0, 0);
    final LeaseSlot slot = new LeaseSlot(() -> {});
    slot.replace(lease);
    slot.take();

    assertThat(slot.tryDebit(lease, 1, 0, 0)).isFalse();
    assertThat(slot.bells()).isZero();
  }

  @Test
  void theLeaseItselfIsDebitedOnlyWhileItIsUsable() {
    final HeldLease lease = new HeldLease(new Id128(1, 1), 1, 10, 2_000, 0, 0);
    final LeaseSlot slot = new LeaseSlot(() -> {});

    assertThat(slot.tryDebit(lease, 4, 0, 1_999)).isTrue();
    assertThat(slot.tryDebit(lease, 7, 0, 1_999)).isFalse();
    assertThat(slot.tryDebit(lease, 1, 0, 2_000)).isFalse();
    assertThat(lease.freeUnits()).isEqualTo(6);
  }

  // Hidden units (R8)

  @Test
  void whatOthersMayHaveHiddenIsWhatTheyAnnouncedOrUndid() {
    final LeaseSlot slot = new LeaseSlot(() -> {});
    final long moment = slot.moment();
    slot.beginTentative(7);
    assertThat(slot.hiddenUnits(moment, 0)).isEqualTo(7);
    assertThat(slot.hiddenUnits(moment, 3)).isEqualTo(4);

    slot.endTentative(7, true);
    assertThat(slot.hiddenUnits(moment, 0)).as("given back since").isEqualTo(7);
    assertThat(slot.hiddenUnits(slot.moment(), 0)).isZero();

    slot.beginTentative(7);
    slot.endTentative(7, false);
    assertThat(slot.hiddenUnits(slot.moment(), 0)).as("kept").isZero();
    assertThat(slot.hiddenUnits(moment, 0)).isEqualTo(7);
  }

  @Test
  void aLeaseMayYetHoldWhatIsFreeAndWhatIsHiddenAndNoMoreThanItsGrant() {
    final LeaseSlot slot = new LeaseSlot(() -> {});
    assertThat(slot.mayYetHold(1, 5, 0)).as("no lease").isFalse();
    slot.replace(new HeldLease(new Id128(1, 1), 1, 10, 2_000, 0, 0));
    assertThat(slot.tryDebit(8, 0, 0)).isNotNull();

    assertThat(slot.mayYetHold(2, 0, 0)).as("nothing hidden").isFalse();
    assertThat(slot.mayYetHold(5, 3, 0)).isTrue();
    assertThat(slot.mayYetHold(6, 3, 0)).isFalse();
    assertThat(slot.mayYetHold(10, 100, 0)).isTrue();
    assertThat(slot.mayYetHold(11, 100, 0)).isFalse();
    assertThat(slot.mayYetHold(10, -1, 0)).as("more than fits").isTrue();
    assertThat(slot.mayYetHold(5, 3, 1_999)).isTrue();
    assertThat(slot.mayYetHold(5, 3, 2_000)).as("lapsed").isFalse();
  }
}
