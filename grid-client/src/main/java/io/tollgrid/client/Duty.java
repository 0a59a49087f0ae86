package io.tollgrid.client;

/**
 * Work of an instance that comes due at times; performed by the instance's one thread, and listed
 * in its {@link Agenda} at most once. What the agenda needs to know is kept here, so that a duty
 * that waits costs no object of its own.
 */
abstract class Duty {
  /** The time at which nothing is due any more. */
  static final long NEVER = Long.MAX_VALUE;

  // The agenda's own

  /** When it is due; means something while it is listed. */
  long dueNanos;

  /** Tells duties of one time apart: whoever was listed first comes first. */
  long order;

  /** Its place in the agenda, from 1; 0 while it is not listed. */
  int place;

  /**
   * Does what is due.
   *
   * @return when to come back, epoch nanoseconds; {@link #NEVER} to wait until it is called upon
   */
  abstract long perform(long nowNanos);
}
