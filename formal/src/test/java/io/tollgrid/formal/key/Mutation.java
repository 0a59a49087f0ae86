package io.tollgrid.formal.key;

import io.tollgrid.formal.UnusableProofsException;

/**
 * A change to a shipped source under which the contract of one method must stay open.
 *
 * @param subject the method, as {@code Class#method}
 * @param name what the change takes away
 * @param original the text to replace; it must occur exactly once
 * @param replacement the text in its place
 */
record Mutation(String subject, String name, String original, String replacement) {
  /** The class whose source it changes. */
  String type() {
    return subject.substring(0, subject.indexOf('#'));
  }

  /**
   * The source with the change.
   *
   * @throws UnusableProofsException if the text is not there, or there more than once
   */
  String applyTo(String source) {
    final int at = source.indexOf(original);
    if (at < 0 || source.indexOf(original, at + 1) >= 0) {
      throw new UnusableProofsException(
          "the mutant "
              + name
              + " of "
              + subject
              + " does not apply: its text must occur once in "
              + type()
              + ".java, and occurs "
              + (at < 0 ? "nowhere" : "more often"));
    }
    return source.substring(0, at) + replacement + source.substring(at + original.length());
  }
}
