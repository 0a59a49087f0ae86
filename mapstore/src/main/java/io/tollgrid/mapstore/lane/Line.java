package io.tollgrid.mapstore.lane;

import io.micrometer.core.instrument.Clock;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * A bounded line of blocked callers, from which lanes take batches.
 *
 * <p>There is no artificial delay: a batch is whatever waited while a lane was busy. The line is
 * bounded twice: by how many callers are in it, waiting or being served, and by the age of the
 * oldest of them. Beyond either bound a caller is turned away at once, and one that has waited in
 * vain for the whole age leaves by itself; a ticket that a lane has taken is the lane's to answer.
 *
 * <p>Thread-safe. Ages are measured with the monotonic side of the given clock.
 *
 * @param <Q> what is asked
 * @param <A> what is answered
 */
public final class Line<Q, A> {
  private final int maxCallers;
  private final long maxAgeNanos;
  private final Clock clock;
  private final Function<String, A> turnedAway;
  private final Function<Q, ?> identity;
  private final ToIntFunction<Q> weight;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition waiting = lock.newCondition();
  private final Deque<Ticket<Q, A>> queue = new ArrayDeque<>();

  /** Every caller in the line, oldest first; served ones are dropped when they reach the head. */
  private final Deque<Ticket<Q, A>> present = new ArrayDeque<>();

  /** Callers waiting or being served, which is fewer than are {@link #present}. */
  private final AtomicInteger callers = new AtomicInteger();

  private boolean closed;

  /**
   * An open, empty line.
   *
   * @param maxCallers callers waiting or being served, 1 or more
   * @param maxAgeNanos how old the oldest of them may be, 1 or more
   * @param clock measures ages
   * @param turnedAway the answer for a caller the line cannot serve, from the reason
   * @param identity what must not be twice in one batch
   * @param weight how much of a batch's capacity a question takes, 1 or more
   */
  public Line(
      int maxCallers,
      long maxAgeNanos,
      Clock clock,
      Function<String, A> turnedAway,
      Function<Q, ?> identity,
      ToIntFunction<Q> weight) {
    this.maxCallers = maxCallers;
    this.maxAgeNanos = maxAgeNanos;
    this.clock = clock;
    this.turnedAway = turnedAway;
    this.identity = identity;
    this.weight = weight;
  }

  /**
   * Waits until a lane has answered.
   *
   * <p>Interrupts are swallowed, not postponed: the grid's threads call this, and one that returned
   * with its flag set would fail the next lock it takes and hold its partition for ever.
   */
  public A ask(Q question) {
    final Ticket<Q, A> ticket = new Ticket<>(question, Thread.currentThread(), now());
    final String refusal = join(ticket);
    if (refusal != null) {
      return turnedAway.apply(refusal);
    }
    try {
      return await(ticket);
    } finally {
      callers.decrementAndGet();
    }
  }

  /**
   * Takes what waits, oldest first, once something does: at most one ticket per identity, at most
   * {@code maxWeight} in all (but always one ticket).
   *
   * @return null once the line is closed and empty
   */
  public @Nullable List<Ticket<Q, A>> take(int maxWeight) {
    lock.lock();
    try {
      while (queue.isEmpty()) {
        if (closed) {
          return null;
        }
        waiting.awaitUninterruptibly();
      }
      return takeWaiting(maxWeight);
    } finally {
      lock.unlock();
    }
  }

  /** Callers waiting for a lane. */
  public int waitingCallers() {
    lock.lock();
    try {
      return queue.size();
    } finally {
      lock.unlock();
    }
  }

  /** Turns away new callers and lets the lanes finish those that wait. */
  public void close() {
    lock.lock();
    try {
      closed = true;
      waiting.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private @Nullable String join(Ticket<Q, A> ticket) {
    lock.lock();
    try {
      if (closed) {
        return "it is closed";
      }
      forgetServed();
      final Ticket<Q, A> oldest = present.peekFirst();
      if (oldest != null && ticket.sinceNanos() - oldest.sinceNanos() > maxAgeNanos) {
        return "the oldest of " + callers + " callers waits for longer than it may";
      }
      if (callers.get() >= maxCallers) {
        return maxCallers + " callers wait already";
      }
      callers.incrementAndGet();
      present.addLast(ticket);
      queue.addLast(ticket);
      waiting.signal();
      return null;
    } finally {
      lock.unlock();
    }
  }

  private A await(Ticket<Q, A> ticket) {
    boolean mayLeave = true;
    for (; ; ) {
      final A answer = ticket.answerOrNull();
      if (answer != null) {
        swallowInterrupt();
        return answer;
      }
      if (!mayLeave) {
        LockSupport.park(this);
      } else {
        final long leftNanos = maxAgeNanos - (now() - ticket.sinceNanos());
        if (leftNanos > 0) {
          LockSupport.parkNanos(this, leftNanos);
        } else if (leave(ticket)) {
          swallowInterrupt();
          return turnedAway.apply("nobody took the question in time");
        } else {
          mayLeave = false;
        }
      }
      swallowInterrupt();
    }
  }

  private boolean leave(Ticket<Q, A> ticket) {
    lock.lock();
    try {
      if (ticket.taken()) {
        return false;
      }
      queue.remove(ticket);
      present.remove(ticket);
      return true;
    } finally {
      lock.unlock();
    }
  }

  private List<Ticket<Q, A>> takeWaiting(int maxWeight) {
    final List<Ticket<Q, A>> batch = new ArrayList<>();
    final Set<Object> identities = new HashSet<>();
    int left = maxWeight;
    for (final Iterator<Ticket<Q, A>> rest = queue.iterator(); rest.hasNext() && left > 0; ) {
      final Ticket<Q, A> ticket = rest.next();
      final int weighs = weight.applyAsInt(ticket.question());
      if (weighs > left && !batch.isEmpty()) {
        break;
      }
      if (identities.add(identity.apply(ticket.question()))) {
        ticket.take();
        batch.add(ticket);
        left -= weighs;
        rest.remove();
      }
    }
    if (!queue.isEmpty()) {
      waiting.signal();
    }
    return batch;
  }

  private void forgetServed() {
    for (Ticket<Q, A> oldest = present.peekFirst();
        oldest != null && oldest.isAnswered();
        oldest = present.peekFirst()) {
      present.removeFirst();
    }
  }

  private long now() {
    return clock.monotonicTime();
  }

  @SuppressWarnings("InterruptedExceptionSwallowed")
  private static void swallowInterrupt() {
    final boolean unused = Thread.interrupted();
  }
}
