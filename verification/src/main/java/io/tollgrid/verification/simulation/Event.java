package io.tollgrid.verification.simulation;

/**
 * One thing that happens to a fleet.
 *
 * <p>An event names what it touches by role and position and carries every choice that was made for
 * it, so that executing it again needs no randomness. One that means nothing in the state it meets
 * does nothing.
 */
interface Event {
  /** Lets it happen; false if it means nothing now. */
  boolean happen(Fleet fleet);

  /**
   * Time passes for everyone.
   *
   * @param nanos how much
   */
  record TimePasses(long nanos) implements Event {
    @Override
    public boolean happen(Fleet fleet) {
      fleet.time().advance(nanos);
      return true;
    }
  }
}
