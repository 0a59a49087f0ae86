package io.tollgrid.client;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** Questions to whoever is outside: what is thrown while one is asked is its answer too (R40). */
final class Questions {
  private Questions() {}

  /** The answer to a question; failed if it could not be asked. */
  static <T> CompletionStage<T> ask(final Supplier<CompletionStage<T>> question) {
    try {
      return question.get();
    } catch (RuntimeException e) {
      return CompletableFuture.failedStage(e);
    }
  }
}
