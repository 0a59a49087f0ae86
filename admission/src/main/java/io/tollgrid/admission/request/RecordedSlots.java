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
  private static final VarHandle TAIL;
  private static final VarHandle PLACE = MethodHandles.arrayElementVarHandle(UsageSlot[].class);

  static {
    try {
      TAIL = MethodHandles.lookup().findVarHandle(RecordedSlots.class, "tail", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final @Nullable UsageSlot[] places;
  private final int mask;
  private volatile long tail;

  /** The consumer's own position. */
  private long position;

  RecordedSlots(final int slots) {
    final int capacity = slots == 1 ? 1 : Integer.highestOneBit(slots - 1) << 1;
    this.places = new UsageSlot[capacity];
    this.mask = capacity - 1;
  }

  void offer(final UsageSlot slot) {
    final long place = (long) TAIL.getAndAdd(this, 1L);
    PLACE.setRelease(places, (int) place & mask, slot);
  }

  /**
   * The oldest recorded slot, or null if there is none, or if the oldest is being recorded this
   * very moment.
   */
  @Nullable UsageSlot poll() {
    final int place = (int) position & mask;
    final UsageSlot oldest = (UsageSlot) PLACE.getAcquire(places, place);
    if (oldest != null) {
      PLACE.setOpaque(places, place, null);
      position++;
    }
    return oldest;
  }

  /** For the consumer: whether a slot was offered, or is being offered, that it has not polled. */
  boolean hasMore() {
    return tail != position;
  }

  /** How many slots were ever offered. */
  long offered() {
    return tail;
  }
}
