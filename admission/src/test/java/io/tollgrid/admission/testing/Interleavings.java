package io.tollgrid.admission.testing;

import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Options;
import org.jetbrains.lincheck.datastructures.StressOptions;

/** How Lincheck interleaves two threads, and for how long unless a test says otherwise. */
public final class Interleavings {
  private static final int MODEL_ITERATIONS = 8;
  private static final int STRESS_ITERATIONS = 2;
  private static final int INVOCATIONS = 60;

  private Interleavings() {}

  /**
   * Every order of steps that the model checker comes to.
   *
   * @param actors operations of each thread
   * @param before operations before the threads start
   * @param after operations after they have ended
   */
  public static ModelCheckingOptions models(final int actors, final int before, final int after) {
    return twoThreads(new ModelCheckingOptions(), actors, before, after)
        .iterations(MODEL_ITERATIONS);
  }

  /** The orders that the machine comes to; the numbers are those of {@link #models}. */
  public static StressOptions stress(final int actors, final int before, final int after) {
    return twoThreads(new StressOptions(), actors, before, after).iterations(STRESS_ITERATIONS);
  }

  private static <O extends Options<O, ?>> O twoThreads(
      final O options, final int actors, final int before, final int after) {
    return options
        .threads(2)
        .actorsPerThread(actors)
        .actorsBefore(before)
        .actorsAfter(after)
        .invocationsPerIteration(INVOCATIONS);
  }
}
