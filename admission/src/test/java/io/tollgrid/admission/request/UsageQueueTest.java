package io.tollgrid.admission.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Witnesses R22 (bounded, emptied by acknowledgement only) and R21 (what is recorded arrives). */
class UsageQueueTest {

  @Test
  void slotsAreTakenFromOneLaneAndThenFromTheOthers() {
    final UsageQueue queue = new UsageQueue(2, 2, () -> {});
    final Set<UsageSlot> taken = new HashSet<>();
    for (int i = 0; i < 4; i++) {
      taken.add(queue.take(1));
    }

    assertThat(taken).hasSize(4).doesNotContainNull();
    assertThat(queue.take(0)).isNull();
    assertThat(queue.take(queue.laneOf(-5))).isNull();
    assertThat(queue.capacity()).isEqualTo(4);
  }

  @Test
  void aSlotIsFreeAgainOnlyWhenItIsAcknowledged() {
    final UsageQueue queue = new UsageQueue(1, 1, () -> {});
    final UsageSlot slot = queue.take(0);
    queue.record(slot);
    assertThat(queue.take(0)).isNull();
    assertThat(queue.depth()).isEqualTo(1);

    assertThat(queue.poll()).isSameAs(slot);
    assertThat(queue.poll()).isNull();
    assertThat(queue.take(0)).as("polled and not acknowledged").isNull();
    assertThat(queue.depth()).isEqualTo(1);

    queue.acknowledge(slot);
    assertThat(queue.depth()).isZero();
    assertThat(queue.take(0)).isSameAs(slot);
  }

  @Test
  void aSlotIsAcknowledgedOnceAndOnlyByWhoPolledIt() {
    final UsageQueue queue = new UsageQueue(1, 2, () -> {});
    final UsageSlot one = queue.take(0);
    final UsageSlot other = queue.take(0);
    assertThatThrownBy(() -> queue.acknowledge(one))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("call poll() first");
    queue.record(one);
    queue.record(other);
    assertThat(queue.poll()).isSameAs(one);
    queue.acknowledge(one);
    assertThatThrownBy(() -> queue.acknowledge(one)).hasMessageContaining("acknowledge() once");
    assertThat(queue.poll()).isSameAs(other);

    assertThatThrownBy(() -> queue.acknowledge(new UsageSlot[] {other, one}, 2))
        .hasMessageContaining("acknowledge() once");

    assertThat(queue.depth()).isZero();
    assertThat(queue.take(0)).isSameAs(other);
    assertThat(queue.take(0)).isSameAs(one);
    assertThat(queue.take(0)).as("each is free once").isNull();
  }

  @Test
  void theSlotUsedLastIsUsedNext() {
    final UsageQueue queue = new UsageQueue(1, 4, () -> {});
    final UsageSlot slot = queue.take(0);
    queue.giveBack(slot);

    assertThat(queue.take(0)).isSameAs(slot);
  }

  @Test
  void theConsumerIsWokenOnceByTheFirstRecordAfterItAsked() {
    final AtomicInteger woken = new AtomicInteger();
    final UsageQueue queue = new UsageQueue(1, 4, woken::incrementAndGet);
    queue.record(queue.take(0));
    assertThat(woken).hasValue(0);
    assertThat(queue.awaitRecord()).as("something is there").isFalse();

    queue.poll();
    assertThat(queue.awaitRecord()).isTrue();
    queue.record(queue.take(0));
    queue.record(queue.take(0));
    assertThat(woken).hasValue(1);
  }

  @Test
  void aQueueWithoutSlotsIsRefused() {
    assertThatThrownBy(() -> new UsageQueue(0, 1, () -> {}))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new UsageQueue(1, 0, () -> {}))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  @Timeout(30)
  @Tag("stress")
  void everythingThatProducersRecordIsPolledOnce() throws InterruptedException {
    final int perProducer = 50_000;
    final UsageQueue queue = new UsageQueue(2, 3, () -> {});
    final AtomicLong shed = new AtomicLong();
    final Thread[] producers = new Thread[3];
    for (int i = 0; i < producers.length; i++) {
      final int home = i;
      producers[i] =
          new Thread(
              () -> {
                for (int n = 0; n < perProducer; ) {
                  final UsageSlot slot = queue.take(queue.laneOf(home));
                  if (slot == null) {
                    shed.incrementAndGet();
                    Thread.onSpinWait();
                  } else if (n % 7 == 3) {
                    queue.giveBack(slot);
                    n++;
                  } else {
                    slot.identify(home, n++);
                    queue.record(slot);
                  }
                }
              });
      producers[i].start();
    }
    final long[] next = new long[producers.length];
    long polled = 0;
    final long expected =
        producers.length
            * java.util.stream.LongStream.range(0, perProducer).filter(n -> n % 7 != 3).count();
    while (polled < expected) {
      final UsageSlot slot = queue.poll();
      if (slot != null) {
        final int producer = (int) slot.requestIdHigh();
        // Two lanes: order is kept within one, so it is only checked that nothing comes twice.
        next[producer] += slot.requestIdLow();
        polled++;
        queue.acknowledge(slot);
      } else if (Thread.interrupted()) {
        throw new AssertionError("only " + polled + " of " + expected + " came in time");
      }
    }
    for (final Thread producer : producers) {
      producer.join();
    }

    final long sum =
        java.util.stream.LongStream.range(0, perProducer).filter(n -> n % 7 != 3).sum();
    assertThat(next).containsOnly(sum);
    assertThat(queue.poll()).isNull();
    assertThat(queue.depth()).isZero();
  }
}
