package io.tollgrid.verification.faults.run;

import java.time.Duration;

/** When a run must be over, whatever it waits for then. Immutable. */
final class Deadline {
  private final Duration limit;
  private final long atNanos;

  private Deadline(Duration limit) {
    this.limit = limit;
    this.atNanos = System.nanoTime() + limit.toNanos();
  }

  /** A deadline so far from now. */
  static Deadline in(Duration limit) {
    return new Deadline(limit);
  }

  /** Throws once the deadline is past. */
  void check() throws OverdueException {
    if (System.nanoTime() - atNanos > 0) {
      throw new OverdueException("it was not over after " + limit.toSeconds() + " s");
    }
  }

  /** A run that did not end by itself. */
  static final class OverdueException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    OverdueException(String message) {
      super(message);
    }
  }
}
