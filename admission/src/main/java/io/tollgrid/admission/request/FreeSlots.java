package io.tollgrid.admission.request;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * The free slots of a lane, as a stack: the slot used last is used next, while it is still in the
 * cache.
 *
 * <p>Any thread may push and pop; lock-free, and nothing is allocated after construction.
 */
final class FreeSlots {
  /*
   * A Treiber stack over indices. The head packs the index of the top slot, plus one, with a tag that every change
   * increments, so a head that was popped and pushed back in between is not mistaken for the one that was seen.
   */
  private static final long INDEX_MASK = (1L << 32) - 1;
  private static final long ONE_TAG = 1L << 32;
  private static final VarHandle NEXT = MethodHandles.arrayElementVarHandle(int[].class);

  private final UsageSlot[] slots;
  private final int[] next;
  private final PaddedLong head = new PaddedLong();

  /** All of {@code slots} free. */
  FreeSlots(final UsageSlot[] slots) {
    this.slots = slots;
    this.next = new int[slots.length];
    for (int i = slots.length - 1; i >= 0; i--) {
      push(i);
    }
  }

  /** Takes a free slot, or null if there is none. */
  @Nullable UsageSlot pop() {
    for (long seen = head.get(); ; seen = head.get()) {
      final int top = (int) (seen & INDEX_MASK);
      if (top == 0) {
        return null;
      }
      final int below = (int) NEXT.getOpaque(next, top - 1);
      if (head.compareAndSet(seen, (seen & ~INDEX_MASK) + ONE_TAG | below)) {
        return slots[top - 1];
      }
      Thread.onSpinWait();
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
