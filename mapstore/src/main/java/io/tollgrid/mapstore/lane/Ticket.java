package io.tollgrid.mapstore.lane;

import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * One caller's place in a {@link Line}.
 *
 * @param <Q> what is asked
 * @param <A> what is answered
 */
public final class Ticket<Q, A> {
  private final Q question;
  private final Thread caller;
  private final long sinceNanos;

  /** Guarded by the line's lock. */
  private boolean taken;

  private volatile @Nullable A answer;

  Ticket(Q question, Thread caller, long sinceNanos) {
    this.question = question;
    this.caller = caller;
    this.sinceNanos = sinceNanos;
  }

  /** What is asked. */
  public Q question() {
    return question;
  }

  /** Lets the caller go. Only the lane that took the ticket answers it, and only once. */
  public void answer(A value) {
    if (answer != null) {
      throw new IllegalStateException("answered twice: " + question);
    }
    answer = value;
    LockSupport.unpark(caller);
  }

  /** Whether the caller was let go. */
  public boolean isAnswered() {
    return answer != null;
  }

  @Nullable A answerOrNull() {
    return answer;
  }

  long sinceNanos() {
    return sinceNanos;
  }

  boolean taken() {
    return taken;
  }

  void take() {
    taken = true;
  }
}
