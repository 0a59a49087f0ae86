package io.tollgrid.grid.usage;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.IMap;
import io.tollgrid.grid.GridNames;
import io.tollgrid.ledger.LedgerCodec;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The inbox of a grid, seen from a member, a lite member or a client. Nobody is told when an event
 * is classified, so it asks, at first often and then seldom, and the more batches there are the
 * seldomer about each: questions are work for the members that are to classify.
 */
public final class GridUsageInbox implements UsageInbox {
  private static final Logger LOG = LoggerFactory.getLogger(GridUsageInbox.class);
  private static final long FIRST_PAUSE_NANOS = Duration.ofMillis(3).toNanos();
  private static final long LONGEST_PAUSE_NANOS = Duration.ofMillis(100).toNanos();

  /** Time between two questions, whatever batches they are about, when many are open. */
  private static final long QUESTION_NANOS = Duration.ofMillis(2).toNanos();

  private final IMap<String, InboxEntry> batches;
  private final long answerWithinNanos;
  private final ScheduledThreadPoolExecutor questions;
  private final Set<Question> open = ConcurrentHashMap.newKeySet();

  /**
   * The inbox of a grid whose members and clients are configured with {@link UsageForms}.
   *
   * @param answerWithin after how long what got no answer has failed, and after how long a question
   *     is answered with what is known
   */
  public GridUsageInbox(HazelcastInstance hazelcast, Duration answerWithin) {
    this.batches = hazelcast.getMap(GridNames.USAGE_INBOX);
    this.answerWithinNanos = answerWithin.toNanos();
    this.questions =
        new ScheduledThreadPoolExecutor(
            1,
            task -> {
              final Thread thread = new Thread(task, "tollgrid-usage-inbox");
              thread.setDaemon(true);
              return thread;
            });
  }

  @Override
  public CompletionStage<UsageVerdicts> leave(UsageBatch batch) {
    return bounded(
            batches.submitToKey(
                batch.key(),
                new LeaveUsage(
                    LedgerCodec.encodeDeliveries(batch.deliveries()),
                    batch.deliveries().size(),
                    true)))
        .thenApply(UsageVerdicts::of);
  }

  @Override
  public CompletionStage<Optional<UsageVerdicts>> ask(UsageBatch batch, int known) {
    final CompletableFuture<Optional<UsageVerdicts>> answer = new CompletableFuture<>();
    final Question question = new Question(batch.key(), known, answer);
    open.add(question);
    final var unused = answer.whenComplete((verdicts, failure) -> open.remove(question));
    // A batch of which something is known is being worked on: the rest comes bit by bit.
    question.later(known == 0 ? FIRST_PAUSE_NANOS : LONGEST_PAUSE_NANOS, 0);
    return answer;
  }

  @Override
  public void forget(UsageBatch batch) {
    try {
      final var unused = batches.submitToKey(batch.key(), new ForgetUsage());
    } catch (RuntimeException e) {
      // It goes by itself after a while.
      LOG.debug("usage batch {} could not be taken away", batch.key(), e);
    }
  }

  @Override
  public void close() {
    questions.shutdownNow();
    open.forEach(Question::fail);
  }

  private <T> CompletableFuture<T> bounded(CompletionStage<T> stage) {
    return stage.toCompletableFuture().copy().orTimeout(answerWithinNanos, TimeUnit.NANOSECONDS);
  }

  private final class Question {
    private final String key;
    private final int known;
    private final CompletableFuture<Optional<UsageVerdicts>> answer;

    Question(String key, int known, CompletableFuture<Optional<UsageVerdicts>> answer) {
      this.key = key;
      this.known = known;
      this.answer = answer;
    }

    void fail() {
      answer.completeExceptionally(new IllegalStateException("the inbox was closed"));
    }

    /** Asks after a pause; {@code waitedNanos} are the pauses so far. */
    void later(long pauseNanos, long waitedNanos) {
      final long turnNanos = Math.max(pauseNanos, open.size() * QUESTION_NANOS);
      try {
        final var unused =
            questions.schedule(
                () -> ask(pauseNanos, waitedNanos + turnNanos), turnNanos, TimeUnit.NANOSECONDS);
      } catch (RejectedExecutionException e) {
        answer.completeExceptionally(e);
      }
    }

    private void ask(long pauseNanos, long waitedNanos) {
      try {
        final var unused =
            bounded(batches.submitToKey(key, new AskUsage()))
                .whenComplete(
                    (bytes, failure) -> answered(bytes, failure, pauseNanos, waitedNanos));
      } catch (RuntimeException e) {
        answer.completeExceptionally(e);
      }
    }

    private void answered(
        byte @Nullable [] bytes, @Nullable Throwable failure, long pauseNanos, long waitedNanos) {
      try {
        if (failure != null) {
          answer.completeExceptionally(failure);
          return;
        }
        final Optional<UsageVerdicts> verdicts = Optional.ofNullable(bytes).map(UsageVerdicts::of);
        if (verdicts.isEmpty()
            || verdicts.get().known() > known
            || waitedNanos >= answerWithinNanos) {
          answer.complete(verdicts);
        } else {
          later(Math.min(2 * pauseNanos, LONGEST_PAUSE_NANOS), waitedNanos);
        }
      } catch (RuntimeException e) {
        answer.completeExceptionally(e);
      }
    }
  }
}
