package io.tollgrid.client.config;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** Finds the valid name that someone probably meant. */
final class Spelling {
  private Spelling() {}

  /** The candidate fewest edits away, ties by order; empty only if there is no candidate. */
  static Optional<String> nearest(final String written, final Collection<String> candidates) {
    final String lower = written.toLowerCase(Locale.ROOT);
    return candidates.stream()
        .min(Comparator.comparingInt(name -> edits(lower, name.toLowerCase(Locale.ROOT))));
  }

  /** Levenshtein distance: insertions, deletions and substitutions, one each. */
  static int edits(final String from, final String to) {
    int[] previous = new int[to.length() + 1];
    for (int j = 0; j <= to.length(); j++) {
      previous[j] = j;
    }
    for (int i = 1; i <= from.length(); i++) {
      final int[] current = new int[to.length() + 1];
      current[0] = i;
      for (int j = 1; j <= to.length(); j++) {
        final int substituted = previous[j - 1] + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
        current[j] = Math.min(substituted, Math.min(previous[j], current[j - 1]) + 1);
      }
      previous = current;
    }
    return previous[to.length()];
  }
}
