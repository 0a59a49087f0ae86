package io.tollgrid.client;

/** Work of an instance that comes due at times; performed by the instance's one thread. */
@FunctionalInterface
interface Duty {
  /** The time at which nothing is due any more. */
  long NEVER = Long.MAX_VALUE;

  /**
   * Does what is due.
   *
   * @return when to come back, epoch nanoseconds; {@link #NEVER} to wait until it is called upon
   */
  long perform(long nowNanos);
}
