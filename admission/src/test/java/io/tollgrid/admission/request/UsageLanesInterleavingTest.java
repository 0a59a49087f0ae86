package io.tollgrid.admission.request;

import io.tollgrid.admission.testing.Interleavings;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.jetbrains.lincheck.datastructures.Validate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Witnesses R21 (what is recorded arrives, and the consumer hears of it) and R22 (a slot is in one
 * hand, and none is lost) under every interleaving.
 */
@Tag("slow")
class UsageLanesInterleavingTest {
  @Test
  void freeSlotsAreInOneHand() {
    models().check(FreeOps.class);
  }

  @Test
  void freeSlotsAreInOneHandUnderStress() {
    stress().check(FreeOps.class);
  }

  @Test
  void slotsMadeAtOnceAreInOneHand() {
    models().check(MakeOps.class);
  }

  @Test
  void slotsMadeAtOnceAreInOneHandUnderStress() {
    stress().check(MakeOps.class);
  }

  @Test
  void recordedSlotsAreLinearizable() {
    models().check(RecordedOps.class);
  }

  @Test
  void recordedSlotsAreLinearizableUnderStress() {
    stress().check(RecordedOps.class);
  }

  @Test
  void whatIsRecordedArrives() {
    models().check(QueueOps.class);
  }

  @Test
  void whatIsRecordedArrivesUnderStress() {
    stress().check(QueueOps.class);
  }

  private static ModelCheckingOptions models() {
    return Interleavings.models(3, 0, 2);
  }

  private static StressOptions stress() {
    return Interleavings.stress(3, 0, 2);
  }

  private static UsageSlot[] slots(final int count) {
    final UsageSlot[] slots = new UsageSlot[count];
    for (int i = 0; i < count; i++) {
      slots[i] = new UsageSlot(0, i);
    }
    return slots;
  }

  /**
   * Workers take and give back. Which slot a worker gets depends on who came between its two steps,
   * and there are as many slots as can be wanted: so what is compared is only that every take
   * succeeds, that no slot is in two hands, and that in the end all are there.
   */
  public static class FreeOps {
    private static final int SLOTS = 16;

    private final AtomicIntegerArray held = new AtomicIntegerArray(SLOTS);
    private final FreeSlots free = new FreeSlots(0, new UsageSlot[SLOTS]);

    /** All are made and free, so that every take meets the stack. */
    public FreeOps() {
      for (int i = 0; i < SLOTS; i++) {
        free.pop();
      }
      for (int i = SLOTS - 1; i >= 0; i--) {
        free.push(i);
      }
    }

    /** Takes one and keeps it. */
    @Operation
    public void keepOne() {
      take();
    }

    /** Takes one and gives it back at once. */
    @Operation
    public void keepNone() {
      giveBack(take());
    }

    /** Takes two and gives back the one that was on top: what misleads a stack without tags. */
    @Operation
    public void keepTheSecond() {
      final int top = take();
      take();
      giveBack(top);
    }

    /** Takes two and gives both back at once, the other way round. */
    @Operation
    public void turnTwo() {
      final int one = take();
      final int other = take();
      held.set(one, 0);
      held.set(other, 0);
      free.link(one, other);
      free.push(one, other);
    }

    /** Takes all that are left. */
    @Validate
    public void allAreThere() {
      int count = 0;
      for (int i = 0; i < SLOTS; i++) {
        count += held.get(i);
      }
      for (UsageSlot slot = free.pop(); slot != null; slot = free.pop()) {
        hold(slot);
        count++;
      }
      if (count != SLOTS) {
        throw new IllegalStateException(count + " slots of " + SLOTS + " are there");
      }
    }

    private void giveBack(final int index) {
      held.set(index, 0);
      free.push(index);
    }

    private int take() {
      final UsageSlot slot = free.pop();
      if (slot == null) {
        throw new IllegalStateException("no slot is left");
      }
      hold(slot);
      return slot.index();
    }

    private void hold(final UsageSlot slot) {
      if (!held.compareAndSet(slot.index(), 0, 1)) {
        throw new IllegalStateException("slot " + slot.index() + " is in two hands");
      }
    }
  }

  /** Workers want slots of which none is made yet, as many as there are places. */
  public static class MakeOps {
    private static final int SLOTS = 3;

    private final AtomicIntegerArray held = new AtomicIntegerArray(SLOTS);
    private final FreeSlots free = new FreeSlots(0, new UsageSlot[SLOTS]);

    /** Takes one, made for it, and keeps it; a fourth finds no place. */
    @Operation
    public boolean make() {
      final UsageSlot slot = free.pop();
      if (slot != null && !held.compareAndSet(slot.index(), 0, 1)) {
        throw new IllegalStateException("slot " + slot.index() + " was made twice");
      }
      return slot != null;
    }

    /** Makes those that are left; each that was made is shown. */
    @Validate
    public void everyPlaceHasItsSlot() {
      while (make()) {
        // The rest.
      }
      final AtomicInteger shown = new AtomicInteger();
      free.forEachMade(slot -> shown.incrementAndGet());
      if (shown.get() != SLOTS) {
        throw new IllegalStateException(shown + " slots of " + SLOTS + " were made");
      }
    }
  }

  /**
   * Slots are offered, and one consumer polls. It waits for a slot whose place is claimed: {@link
   * RecordedSlots} says that there is more, and cannot give it yet.
   */
  @Param(name = "slot", gen = IntGen.class, conf = "0:7")
  public static class RecordedOps {
    private static final int SLOTS = 8;

    private final UsageSlot[] slots = slots(SLOTS);
    private final RecordedSlots recorded = new RecordedSlots(slots);

    /** Offers a slot; at times the same one again, of which the ring knows nothing. */
    @Operation
    public void offer(@Param(name = "slot") final int slot) {
      recorded.offer(slots[slot]);
    }

    /** Polls the oldest. */
    @Operation(nonParallelGroup = "consumer")
    public int poll() {
      UsageSlot slot = recorded.poll();
      while (slot == null && recorded.hasMore()) {
        Thread.onSpinWait();
        slot = recorded.poll();
      }
      return slot == null ? -1 : slot.index();
    }
  }

  /** A lane of two slots, used over and over. */
  public static class QueueOps {
    private static final int SLOTS = 2;

    private final AtomicInteger woken = new AtomicInteger();
    private final UsageQueue queue = new UsageQueue(1, SLOTS, woken::incrementAndGet);
    private final AtomicLong recorded = new AtomicLong();
    private long polled;
    private int wokenBefore;
    private boolean waits;

    /** Records something, if there is a slot for it. */
    @Operation
    public void produce() {
      final UsageSlot slot = queue.take(0);
      if (slot != null) {
        slot.identify(0, 1);
        queue.record(slot);
        recorded.incrementAndGet();
      }
    }

    /** Takes a slot, and gives it back unused. */
    @Operation
    public void refuse() {
      final UsageSlot slot = queue.take(0);
      if (slot != null) {
        queue.giveBack(slot);
      }
    }

    /** Polls as many as there are and acknowledges them at once. */
    @Operation(nonParallelGroup = "consumer")
    public void consume() {
      waits = false;
      final @Nullable UsageSlot[] batch = new UsageSlot[SLOTS];
      int count = 0;
      for (UsageSlot slot = poll(count); slot != null; slot = poll(count)) {
        batch[count] = slot;
        count++;
      }
      queue.acknowledge(batch, count);
    }

    /** The consumer waits, unless there is something. */
    @Operation(nonParallelGroup = "consumer")
    public void await() {
      wokenBefore = woken.get();
      waits = queue.awaitRecord();
    }

    /** Consumes the rest. */
    @Validate
    public void allHasArrived() {
      if (waits && woken.get() == wokenBefore && queue.depth() > 0) {
        throw new IllegalStateException("the consumer sleeps over " + queue.depth() + " records");
      }
      consume();
      if (polled != recorded.get()) {
        throw new IllegalStateException(polled + " of " + recorded + " records have arrived");
      }
      if (queue.depth() != 0 || queue.take(0) == null || queue.take(0) == null) {
        throw new IllegalStateException("slots are lost");
      }
    }

    private @Nullable UsageSlot poll(final int already) {
      final UsageSlot slot = already == SLOTS ? null : queue.poll();
      if (slot != null) {
        polled += slot.requestIdLow();
      }
      return slot;
    }
  }
}
