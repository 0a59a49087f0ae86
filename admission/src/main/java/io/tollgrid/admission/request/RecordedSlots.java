package io.tollgrid.admission.request;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * The settled slots of a lane on their way to the one consumer, oldest first.
 *
 * <p>Any thread may offer, one thread polls. Offering never fails and never waits: the ring has at
 * least as many places as the lane has slots, and a slot is offered once per use (R22).
 */
final class RecordedSlots {
  private static final VarHandle PLACE = MethodHandles.arrayElementVarHandle(int[].class);

  private final @Nullable UsageSlot[] slots;

  /** Each place holds the index of a slot, plus one, or 0. */
  private final int[] places;

  private final int mask;
  private final PaddedLong tail = new PaddedLong();

  /** The consumer's own: how many it has polled. */
  private final PaddedLong polled = new PaddedLong();

  /** The consumer's own: of how many it has said that they are done with. */
  private final PaddedLong acknowledged = new PaddedLong();

  /** The consumer's own: a bit for each slot that it has polled and not acknowledged. */
  private final long[] inHand;

  RecordedSlots(final @Nullable UsageSlot[] slots) {
    this.slots = slots;
    final int capacity = slots.length == 1 ? 1 : Integer.highestOneBit(slots.length - 1) << 1;
    this.places = new int[capacity];
    this.mask = capacity - 1;
    this.inHand = new long[(slots.length + Long.SIZE - 1) / Long.SIZE];
  }

  void offer(final UsageSlot slot) {
    final long place = tail.getAndAdd(1);
    PLACE.setRelease(places, (int) place & mask, slot.index() + 1);
  }

  /**
   * The oldest recorded slot, or null if there is none, or if the oldest is being recorded this
   * very moment.
   */
  @Nullable UsageSlot poll() {
    final long position = polled.own();
    final int place = (int) position & mask;
    final int oldest = (int) PLACE.getAcquire(places, place);
    if (oldest == 0) {
      return null;
    }
    PLACE.setOpaque(places, place, 0);
    polled.setRelease(position + 1);
    final int index = oldest - 1;
    inHand[index / Long.SIZE] |= 1L << index;
    return slots[index];
  }

  /** For the consumer: whether a slot was offered, or is being offered, that it has not polled. */
  boolean hasMore() {
    return tail.get() != polled.own();
  }

  /**
   * For the consumer: a slot that it polled is done with.
   *
   * @throws IllegalStateException if it was not polled, or is acknowledged already: freed twice, it
   *     would be two requests'
   */
  void acknowledge(final UsageSlot slot) {
    final int index = slot.index();
    if ((inHand[index / Long.SIZE] >>> index & 1) == 0) {
      throw new IllegalStateException(
          "acknowledge() of a slot that is not in hand: call poll() first, and acknowledge() once");
    }
    inHand[index / Long.SIZE] &= ~(1L << index);
    acknowledged.setRelease(acknowledged.own() + 1);
  }

  /** How many slots were offered and are not done with; for any thread. */
  long depth() {
    // In this order, or one could be acknowledged that is not seen as offered.
    final long done = acknowledged.get();
    return tail.get() - done;
  }
}
