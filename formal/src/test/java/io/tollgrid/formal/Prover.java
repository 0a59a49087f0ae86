package io.tollgrid.formal;

import java.io.IOException;
import java.util.List;

/** One way to prove something about Tollgrid: a model checker, a program prover. */
public interface Prover {
  /** The field of the JSON answer that lists its proofs, such as {@code specs}. */
  String section();

  /**
   * Tries to prove everything in the scope, and tries to disprove every mutant of it.
   *
   * @param progress is told what began and how it ended, one line each
   * @throws UnusableProofsException if what is to be proved cannot be read
   */
  List<Proof> prove(Scope scope, Progress progress) throws IOException, InterruptedException;

  /**
   * What to prove.
   *
   * @param deep in the larger configurations, which take hours
   * @param subjects names of what to prove; empty for everything
   */
  record Scope(boolean deep, List<String> subjects) {
    /** Everything, in the configurations that every build can afford. */
    public static final Scope EVERYTHING = new Scope(false, List.of());

    /** Whether a subject is to be proved. */
    public boolean includes(String subject) {
      return subjects.isEmpty() || subjects.contains(subject);
    }
  }

  /** Where a prover says how far it is. Called from several threads. */
  @FunctionalInterface
  interface Progress {
    /** Takes one line, or a report of several. */
    void say(String line);
  }
}
