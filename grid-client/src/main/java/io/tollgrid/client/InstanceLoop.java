package io.tollgrid.client;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The one place where an instance's background work happens: answers arrive, bells are heard,
 * duties come due, all on the thread that calls {@link #run}.
 *
 * <p>It starts no thread and reads no clock, so a test or a simulation can drive it step by step.
 */
final class InstanceLoop {
  /*
   * Two ways in. Answers of the ledger come from its threads and may allocate: they go through a queue. Bells come from
   * the request path and may not: each ringer links itself into a lock-free stack, which is possible because it is in
   * there at most once, guarded by its own flag. Both end in the waker, which must make the next `run` happen soon.
   */

  /** Something that requests can wake without allocating. */
  abstract static class Ringer extends Duty {
    private static final VarHandle RUNG;

    static {
      try {
        RUNG = MethodHandles.lookup().findVarHandle(Ringer.class, "rung", boolean.class);
      } catch (ReflectiveOperationException e) {
        throw new ExceptionInInitializerError(e);
      }
    }

    private volatile boolean rung;
    private @Nullable Ringer next;
  }

  /** A step back of the clock by more than this makes all times in the agenda meaningless. */
  private static final long CLOCK_STEP_NANOS = 100_000_000L;

  private final ConcurrentLinkedQueue<Runnable> inbox = new ConcurrentLinkedQueue<>();
  private final AtomicReference<@Nullable Ringer> ringers = new AtomicReference<>();
  private final Agenda agenda = new Agenda();
  private final Runnable waker;
  private long nowNanos;

  /** A loop whose thread is woken by {@code waker}, which must neither block nor allocate. */
  InstanceLoop(final Runnable waker) {
    this.waker = waker;
  }

  /** Runs {@code step} on the loop's thread, soon. Any thread. */
  void post(final Runnable step) {
    inbox.add(step);
    waker.run();
  }

  /** Calls on the ringer, soon. Any thread; allocates nothing. */
  void ring(final Ringer ringer) {
    if (ringer.rung || !Ringer.RUNG.compareAndSet(ringer, false, true)) {
      return;
    }
    for (Ringer top = ringers.get(); ; top = ringers.get()) {
      ringer.next = top;
      if (ringers.compareAndSet(top, ringer)) {
        waker.run();
        return;
      }
    }
  }

  /** Calls on a duty at {@code atNanos} at the latest. The loop's thread only. */
  void callOn(final Duty duty, final long atNanos) {
    agenda.callOn(duty, atNanos);
  }

  /** The time of the run that is under way. The loop's thread only. */
  long nowNanos() {
    return nowNanos;
  }

  /**
   * Does everything that is due.
   *
   * @return when there will be something due again, if nothing wakes it before
   */
  long run(final long clockNanos) {
    if (clockNanos < nowNanos - CLOCK_STEP_NANOS) {
      nowNanos = clockNanos;
      agenda.callOnAll(nowNanos);
    }
    nowNanos = Math.max(nowNanos, clockNanos);
    hear();
    for (Runnable step = inbox.poll(); step != null; step = inbox.poll()) {
      step.run();
    }
    agenda.perform(nowNanos);
    return agenda.nextNanos();
  }

  private void hear() {
    @Nullable Ringer ringer = ringers.getAndSet(null);
    while (ringer != null) {
      final Ringer following = ringer.next;
      ringer.next = null;
      ringer.rung = false;
      agenda.callOn(ringer, nowNanos);
      ringer = following;
    }
  }
}
