package io.tollgrid.verification.faults.run;

/** Where a run says what it is doing, for a person who waits. */
@FunctionalInterface
public interface Progress {
  /** One line. */
  void say(String line);
}
