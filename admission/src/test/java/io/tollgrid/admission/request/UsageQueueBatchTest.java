package io.tollgrid.admission.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tollgrid.admission.account.AccountState;
import io.tollgrid.ledger.AccountTerms;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Witnesses R22 (a slot is free again when it is acknowledged, and once) and R21 (what is recorded
 * arrives, oldest first) over lanes, rings that wrap, and slots acknowledged many at a time.
 */
class UsageQueueBatchTest {

  @Test
  void aLaneIsUsedUpBeforeTheNextAndTheLastGoesOnAtTheFirst() {
    final UsageQueue queue = new UsageQueue(3, 2, () -> {});

    assertThat(lanesOf(take(queue, 1, 6))).containsExactly(1, 1, 2, 2, 0, 0);
    assertThat(queue.take(1)).isNull();
    assertThat(queue.laneOf(-1)).isEqualTo(2);
    assertThat(queue.laneOf(4)).isEqualTo(1);
  }

  @Test
  void aSlotGoesBackToItsOwnLane() {
    final UsageQueue queue = new UsageQueue(2, 1, () -> {});
    final UsageSlot first = queue.take(0);
    final UsageSlot second = queue.take(1);
    queue.giveBack(second);
    assertThat(queue.take(1)).isSameAs(second);

    queue.record(first);
    queue.record(second);
    assertThat(queue.poll(1)).isSameAs(second);
    assertThat(queue.poll(1)).isNull();
    assertThat(queue.poll(0)).isSameAs(first);
  }

  @Test
  void whatIsRecordedOfOneLaneComesOldestFirstHoweverOftenTheRingWraps() {
    final UsageQueue queue = new UsageQueue(1, 3, () -> {});
    for (int round = 0; round < 10; round++) {
      final List<UsageSlot> taken = take(queue, 0, 3);
      taken.forEach(queue::record);
      assertThat(queue.depth()).isEqualTo(3);
      assertThat(polled(queue)).isEqualTo(taken);
      taken.forEach(queue::acknowledge);
      assertThat(queue.depth()).isZero();
    }
  }

  @Test
  void slotsOfManyLanesAreFreedAtOnceAndEachOnce() {
    final UsageQueue queue = new UsageQueue(3, 3, () -> {});
    final List<UsageSlot> taken = take(queue, 0, 9);
    taken.forEach(queue::record);
    assertThat(polled(queue)).containsExactlyInAnyOrderElementsOf(taken);
    // Runs of two, one, three and one slots of a lane; the last places are not meant.
    final UsageSlot[] slots = pick(taken, 0, 1, 3, 6, 7, 8, 2, 4, 5).toArray(new UsageSlot[10]);

    queue.acknowledge(slots, 7);

    assertThat(Arrays.asList(slots).subList(0, 7)).containsOnlyNulls();
    assertThat(slots[7]).isSameAs(taken.get(4));
    assertThat(queue.depth()).isEqualTo(2);
    final List<UsageSlot> again = take(queue, 0, 7);
    final Set<UsageSlot> freed = new HashSet<>(pick(taken, 0, 1, 3, 6, 7, 8, 2));
    assertThat(again).doesNotContainNull().doesNotHaveDuplicates();
    assertThat(new HashSet<>(again)).isEqualTo(freed);
    assertThat(queue.take(0)).as("two are not acknowledged").isNull();
  }

  @Test
  void whatIsFreedTogetherIsUsedInTheOrderGivenAndIsEmpty() {
    final UsageQueue queue = new UsageQueue(1, 4, () -> {});
    final AccountState account = new TestKernel().account(1, AccountTerms.STRICT);
    final List<UsageSlot> taken = take(queue, 0, 3);
    for (final UsageSlot slot : taken) {
      slot.reserve(account, 1, UsageSlot.NONE, null, 0);
      queue.record(slot);
    }
    polled(queue);

    Collections.reverse(taken);

    queue.acknowledge(taken.toArray(new UsageSlot[3]), 3);

    assertThat(take(queue, 0, 3)).isEqualTo(taken);
    for (final UsageSlot slot : taken) {
      assertThat(slot.parts()).isZero();
      assertThat(slot.legs()).isZero();
    }
    assertThat(queue.take(0)).isNotNull();
    assertThat(queue.take(0)).isNull();
  }

  @Test
  void anEmptyPlaceEndsWhatIsFreedAndIsNamed() {
    final UsageQueue queue = new UsageQueue(1, 3, () -> {});
    final List<UsageSlot> taken = take(queue, 0, 2);
    taken.forEach(queue::record);
    polled(queue);
    final UsageSlot[] slots = {taken.get(0), null, taken.get(1)};

    assertThatThrownBy(() -> queue.acknowledge(slots, 3))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("there is no slot in place 1");
    assertThat(queue.depth()).isEqualTo(1);
    queue.acknowledge(slots, 0);
    assertThat(queue.depth()).isEqualTo(1);
  }

  @Test
  void aRecordOnAnyLaneKeepsTheConsumerAwake() {
    final int[] woken = new int[1];
    final UsageQueue queue = new UsageQueue(2, 2, () -> woken[0]++);
    final UsageSlot second = queue.take(1);
    queue.record(second);
    assertThat(queue.awaitRecord()).isFalse();
    queue.record(queue.take(0));
    assertThat(woken[0]).as("it does not wait").isZero();
    polled(queue);

    assertThat(queue.awaitRecord()).isTrue();
    queue.record(queue.take(0));
    assertThat(woken[0]).isEqualTo(1);
  }

  @Test
  void whatIsPendingAndWhatRunsIsCountedOverAllLanes() {
    final UsageQueue queue = new UsageQueue(2, 3, () -> {});
    final List<UsageSlot> taken = take(queue, 0, 6);
    for (int i = 0; i < 5; i++) {
      final long use = taken.get(i).open();
      if (i < 2) {
        assertThat(taken.get(i).tryStart(use, use)).isTrue();
      }
    }

    assertThat(queue.startedRequests()).isEqualTo(2);
    assertThat(queue.pendingRequests()).isEqualTo(3);
  }

  @Test
  void aSlotThatWasGivenBackIsEmptyWhenItIsTaken() {
    final UsageQueue queue = new UsageQueue(1, 1, () -> {});
    final AccountState account = new TestKernel().account(1, AccountTerms.STRICT);
    final UsageSlot slot = queue.take(0);
    slot.reserve(account, 1, UsageSlot.NONE, null, 0);

    queue.giveBack(slot);

    assertThat(queue.take(0)).isSameAs(slot);
    assertThat(slot.parts()).isZero();
    assertThat(slot.legs()).isZero();
  }

  private static List<UsageSlot> take(final UsageQueue queue, final int lane, final int count) {
    final List<UsageSlot> taken = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      taken.add(queue.take(lane));
    }
    return taken;
  }

  private static List<UsageSlot> polled(final UsageQueue queue) {
    final List<UsageSlot> polled = new ArrayList<>();
    for (UsageSlot slot = queue.poll(); slot != null; slot = queue.poll()) {
      polled.add(slot);
    }
    return polled;
  }

  private static List<UsageSlot> pick(final List<UsageSlot> from, final int... places) {
    return Arrays.stream(places).mapToObj(from::get).toList();
  }

  private static List<Integer> lanesOf(final List<UsageSlot> slots) {
    return slots.stream().map(UsageSlot::lane).toList();
  }
}
