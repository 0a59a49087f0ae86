package io.tollgrid.admission.request;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The free slots of a lane, as a stack: the slot used last is used next, while it is still in the
 * cache. A slot is made when more are wanted at once than ever before, up to as many as there are
 * places; so a lane costs what it was used for, and a worker allocates nothing but a first time.
 *
 * <p>Any thread may push and pop; lock-free.
 */
final class FreeSlots {
  /*
   * A Treiber stack over indices. The head packs the index of the top slot, plus one, with a tag that every change
   * increments, so a head that was popped and pushed back in between is not mistaken for the one that was seen.
   */
  private static final long INDEX_MASK = (1L << 32) - 1;
  private static final long ONE_TAG = 1L << 32;
  private static final VarHandle NEXT = MethodHandles.arrayElementVarHandle(int[].class);
  private static final VarHandle SLOT = MethodHandles.arrayElementVarHandle(UsageSlot[].class);

  private final int lane;
  private final @Nullable UsageSlot[] slots;
  private final int[] next;
  private final PaddedLong head = new PaddedLong();
  private final AtomicInteger made = new AtomicInteger();

  /** The slots of lane {@code lane}, none made, to be put into their places in {@code slots}. */
  FreeSlots(final int lane, final @Nullable UsageSlot[] slots) {
    this.lane = lane;
    this.slots = slots;
    this.next = new int[slots.length];
  }

  /** Takes a free slot, or null if there is none. */
  @Nullable UsageSlot pop() {
    for (long seen = head.get(); ; seen = head.get()) {
      final int top = (int) (seen & INDEX_MASK);
      if (top == 0) {
        return make();
      }
      final int below = (int) NEXT.getOpaque(next, top - 1);
      if (head.compareAndSet(seen, (seen & ~INDEX_MASK) + ONE_TAG | below)) {
        return slots[top - 1];
      }
      Thread.onSpinWait();
    }
  }

  private @Nullable UsageSlot make() {
    for (int index = made.get(); index < slots.length; index = made.get()) {
      // Before its place is taken: no place is lost if there is no memory for it.
      final UsageSlot slot = new UsageSlot(lane, index);
      if (made.compareAndSet(index, index + 1)) {
        SLOT.setVolatile(slots, index, slot);
        return slot;
      }
      Thread.onSpinWait();
    }
    return null;
  }

  /** Shows every slot that was made, free or not. */
  void forEachMade(final Consumer<UsageSlot> to) {
    for (int i = 0; i < made.get(); i++) {
      // One that is being made is not a request's yet.
      final UsageSlot slot = (UsageSlot) SLOT.getVolatile(slots, i);
      if (slot != null) {
        to.accept(slot);
      }
    }
  }

  /** Gives the slot with this index back. */
  void push(final int index) {
    push(index, index);
  }

  /** Puts a slot that is not in the stack below another that is not, for {@link #push(int,int)}. */
  void link(final int upper, final int lower) {
    NEXT.setOpaque(next, upper, lower + 1);
  }

  /** Gives back all that was linked from {@code top} down to {@code bottom}, at once. */
  void push(final int top, final int bottom) {
    for (long seen = head.get(); ; seen = head.get()) {
      NEXT.setOpaque(next, bottom, (int) (seen & INDEX_MASK));
      if (head.compareAndSet(seen, (seen & ~INDEX_MASK) + ONE_TAG | (top + 1))) {
        return;
      }
      Thread.onSpinWait();
    }
  }
}
