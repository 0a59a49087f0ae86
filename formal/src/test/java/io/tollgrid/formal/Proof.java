package io.tollgrid.formal;

import java.util.List;
import java.util.Optional;

/**
 * What came of one subject and of its mutants.
 *
 * <p>A subject without a mutant does not hold: a proof that cannot fail is no evidence.
 *
 * @param subject its name
 * @param states how many states were examined, or how many steps the proof has
 * @param failure why it is not proved; empty if it is
 * @param mutants what became of each weakened form of it
 */
public record Proof(String subject, long states, Optional<String> failure, List<Mutant> mutants) {
  /**
   * A form of the subject with one guard left out.
   *
   * @param name the guard
   * @param caught whether the property that needs the guard was seen to fail
   * @param verdict what was seen
   */
  public record Mutant(String name, boolean caught, String verdict) {}

  /** Whether the subject is proved and every mutant of it was caught. */
  public boolean holds() {
    return failure.isEmpty() && !mutants.isEmpty() && mutants.stream().allMatch(Mutant::caught);
  }

  /** {@code pass}, or why it is not proved. */
  public String result() {
    return failure.map(why -> "fail: " + why).orElse("pass");
  }
}
