package io.tollgrid.admission.request;

/**
 * The 64 bits that decide what becomes of a request (R6), as pure functions over the word.
 *
 * <pre>
 * bits  0– 1  phase: RELEASED, PENDING, STARTED, SETTLED
 * bit   2     busy: the one who runs the started request is changing its parts
 * bit   3     stop: someone asked for the request to stop, whether or not it came in time
 * bits  8–23  funding of each of up to 8 legs, two bits each: none, lease, overage
 * bits 24–63  generation of the slot: one more each time it is used, so a late handle is refused
 * </pre>
 *
 * <p>Every move is one compare-and-set of the whole word: start against cancel, settle against the
 * sweep of abandoned requests. Exactly one of two racing moves wins, because both name the word
 * they saw.
 */
final class PhaseWord {
  /** The request is over and cost nothing; also the phase of a slot that was never used. */
  static final int RELEASED = 0;

  /** Funded, not started: can still be undone for zero. */
  static final int PENDING = 1;

  /** The charge is irrevocable; only its amount is open. */
  static final int STARTED = 2;

  /** The amount is fixed. */
  static final int SETTLED = 3;

  /** Nothing funds the leg; its quote is zero. */
  static final int FUNDED_BY_NONE = 0;

  /** A lease funds the leg. */
  static final int FUNDED_BY_LEASE = 1;

  /** The instance's overage funds the leg. */
  static final int FUNDED_BY_OVERAGE = 2;

  /** The most legs a word has room for. */
  static final int MAX_LEGS = 8;

  private static final long PHASE_MASK = 3;
  private static final long BUSY = 1L << 2;
  private static final long STOP = 1L << 3;
  private static final int FUNDING_SHIFT = 8;
  private static final long FUNDING_BITS = 3;
  private static final long ALL_FUNDING = 0xFFFFL << FUNDING_SHIFT;
  private static final int GENERATION_SHIFT = 24;
  private static final long GENERATION_MASK = -1L << GENERATION_SHIFT;

  private PhaseWord() {}

  static int phase(final long word) {
    return (int) (word & PHASE_MASK);
  }

  static boolean isBusy(final long word) {
    return (word & BUSY) != 0;
  }

  static boolean isStopRequested(final long word) {
    return (word & STOP) != 0;
  }

  static long generation(final long word) {
    return word >>> GENERATION_SHIFT;
  }

  /** What funds {@code leg}. */
  static int funding(final long word, final int leg) {
    return (int) (word >>> shiftOf(leg) & FUNDING_BITS);
  }

  /** The same word with another funding of one leg. */
  static long withFunding(final long word, final int leg, final int funding) {
    return (word & ~(FUNDING_BITS << shiftOf(leg))) | ((long) funding << shiftOf(leg));
  }

  /** The word of the slot's next use, pending, with no leg funded yet. */
  static long nextUse(final long word) {
    return ((word >>> GENERATION_SHIFT) + 1) << GENERATION_SHIFT | PENDING;
  }

  /**
   * Pending to started, keeping a stop request; fundings and the busy bit become those of {@code
   * funded}, a word whose other bits do not matter.
   */
  static long started(final long word, final long funded) {
    return (word & ~(PHASE_MASK | ALL_FUNDING | BUSY)) | (funded & (ALL_FUNDING | BUSY)) | STARTED;
  }

  /** Pending to released. */
  static long released(final long word) {
    return (word & ~PHASE_MASK) | RELEASED;
  }

  /** Started to settled. */
  static long settled(final long word) {
    return (word & ~PHASE_MASK) | SETTLED;
  }

  static long busy(final long word) {
    return word | BUSY;
  }

  static long idle(final long word) {
    return word & ~BUSY;
  }

  static long stopRequested(final long word) {
    return word | STOP;
  }

  /** Whether two words are of the same use of the slot. */
  static boolean sameUse(final long one, final long other) {
    return ((one ^ other) & GENERATION_MASK) == 0;
  }

  private static int shiftOf(final int leg) {
    assert leg >= 0 && leg < MAX_LEGS : leg;
    return FUNDING_SHIFT + 2 * leg;
  }
}
