package io.tollgrid.grid.usage;

import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * Where a writer leaves its usage.
 *
 * <p>What was left is recorded, also when the writer goes away; what was asked about and is not
 * there any more may be neither, and is left again under another number. Every stage ends within a
 * bound; one that fails says nothing about the batch. Thread-safe.
 */
public interface UsageInbox extends AutoCloseable {
  /**
   * Leaves a batch, or finds that it is there.
   *
   * @return what is known of its events
   */
  CompletionStage<UsageVerdicts> leave(UsageBatch batch);

  /**
   * Asks about a batch.
   *
   * @param known how many of its events were known to be classified
   * @return what is known of its events, as soon as that is more or after a while; empty if the
   *     batch is not there
   */
  CompletionStage<Optional<UsageVerdicts>> ask(UsageBatch batch, int known);

  /** Takes a batch away whose writer knows all it can know of it. Nothing depends on it. */
  void forget(UsageBatch batch);

  /** Answers nothing any more. */
  @Override
  void close();
}
