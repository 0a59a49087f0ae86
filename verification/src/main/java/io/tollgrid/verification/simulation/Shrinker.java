package io.tollgrid.verification.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * Takes elements out of a failing list for as long as it still fails (delta debugging, Zeller and
 * Hildebrandt 2002).
 *
 * <p>Chunks are dropped, halving their size whenever none could be. The result fails, and if the
 * budget lasted, no single element can be taken out of it.
 */
final class Shrinker {
  private int budget;

  /**
   * A shrinker.
   *
   * @param budget how many lists it may try
   */
  Shrinker(int budget) {
    this.budget = budget;
  }

  /** The smaller list; {@code failing} itself if nothing could be taken out. */
  <T> List<T> shrink(List<T> failing, Predicate<List<T>> fails) {
    List<T> smallest = failing;
    int chunk = Math.max(1, smallest.size() / 2);
    while (budget > 0) {
      final List<T> smaller = dropChunks(smallest, chunk, fails);
      final boolean progress = smaller.size() < smallest.size();
      smallest = smaller;
      if (chunk > 1) {
        chunk = Math.max(1, Math.min(chunk / 2, smallest.size()));
      } else if (!progress) {
        return smallest;
      }
    }
    return smallest;
  }

  /** One pass over the list from its end, where most of what does not matter is. */
  private <T> List<T> dropChunks(List<T> list, int chunk, Predicate<List<T>> fails) {
    List<T> kept = list;
    for (int end = kept.size(); end > 0 && budget > 0; end -= chunk) {
      final int from = Math.max(0, end - chunk);
      final List<T> candidate = new ArrayList<>(kept.subList(0, from));
      candidate.addAll(kept.subList(Math.min(end, kept.size()), kept.size()));
      budget--;
      if (fails.test(candidate)) {
        kept = candidate;
      }
    }
    return kept;
  }
}
