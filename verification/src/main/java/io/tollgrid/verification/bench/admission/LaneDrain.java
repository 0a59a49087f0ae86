package io.tollgrid.verification.bench.admission;

import io.tollgrid.admission.request.UsageQueue;
import io.tollgrid.admission.request.UsageSlot;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.jspecify.annotations.Nullable;

/**
 * The usage queue's consumer for one lane, on the thread that fills it.
 *
 * <p>The queue has one consumer for all lanes. Where two threads are measured on two processors a
 * third would take from both, and one of the two would meet the other in its lane, which no product
 * thread does. So this reaches behind the queue for what its consumer does: the poll of a lane and
 * the return of a slot. The count of acknowledged slots is left alone.
 */
final class LaneDrain {
  private static final MethodHandle POLL;
  private static final MethodHandle GIVE_BACK;
  private static final MethodHandle LANES;
  private static final MethodHandle RECORDED;

  static {
    try {
      final MethodHandles.Lookup here = MethodHandles.lookup();
      final MethodHandles.Lookup queue = MethodHandles.privateLookupIn(UsageQueue.class, here);
      final Class<?> lane = queue.findClass(UsageQueue.class.getName() + "$Lane");
      final Class<?> recorded =
          queue.findClass(UsageQueue.class.getPackageName() + ".RecordedSlots");
      LANES =
          queue
              .findGetter(UsageQueue.class, "lanes", lane.arrayType())
              .asType(MethodType.methodType(Object[].class, UsageQueue.class));
      RECORDED =
          MethodHandles.privateLookupIn(lane, here)
              .findGetter(lane, "recorded", recorded)
              .asType(MethodType.methodType(Object.class, Object.class));
      POLL =
          MethodHandles.privateLookupIn(recorded, here)
              .findVirtual(recorded, "poll", MethodType.methodType(UsageSlot.class))
              .asType(MethodType.methodType(UsageSlot.class, Object.class));
      GIVE_BACK =
          queue.findVirtual(
              UsageQueue.class, "giveBack", MethodType.methodType(void.class, UsageSlot.class));
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final UsageQueue queue;
  private final Object recorded;

  /** The consumer of lane number {@code lane}. */
  LaneDrain(UsageQueue queue, int lane) {
    this.queue = queue;
    try {
      final Object[] lanes = (Object[]) LANES.invokeExact(queue);
      this.recorded = (Object) RECORDED.invokeExact(lanes[lane]);
    } catch (Throwable e) {
      throw new IllegalStateException("the usage queue has no lane " + lane, e);
    }
  }

  /** Frees every slot that was recorded. */
  void drain() {
    try {
      for (@Nullable UsageSlot slot = (UsageSlot) POLL.invokeExact(recorded);
          slot != null;
          slot = (UsageSlot) POLL.invokeExact(recorded)) {
        GIVE_BACK.invokeExact(queue, slot);
      }
    } catch (Throwable e) {
      throw new IllegalStateException("a lane could not be drained", e);
    }
  }
}
