package io.tollgrid.verification.faults.ingest;

import io.tollgrid.grid.usage.UsageBatch;
import io.tollgrid.grid.usage.UsageInbox;
import io.tollgrid.grid.usage.UsageVerdicts;
import io.tollgrid.ledger.UsageDelivery;
import io.tollgrid.ledger.UsageVerdict;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * An inbox behind a bad network: by a seed it loses answers after they were given, sends batches
 * late, and sends some again long after. An answer that got lost may have been the last one: then
 * the batch is gone as if it had been fetched. Thread-safe.
 */
final class LossyInbox implements UsageInbox {
  private static final int LOST_PERCENT = 4;
  private static final int LATE_PERCENT = 2;
  private static final int AGAIN_PERCENT = 3;
  private static final int LATEST_MILLIS = 200;
  private static final int AGAIN_WITHIN_MILLIS = 3_000;

  /** Takes what was answered and got lost. */
  interface LostAnswers {
    /** An event was classified, and its writer does not hear of it this time. */
    void lost(UsageDelivery delivery, UsageVerdict verdict);
  }

  /** Only to be told from a real failure. */
  private static final class LostException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    LostException() {
      super("the answer got lost", null, false, false);
    }
  }

  private final UsageInbox inbox;
  private final SplittableRandom random;
  private volatile LostAnswers listener = (delivery, verdict) -> {};
  final LongAdder acknowledgements = new LongAdder();
  final LongAdder acknowledgementsLost = new LongAdder();
  final LongAdder sentAgain = new LongAdder();

  LossyInbox(UsageInbox inbox, long seed) {
    this.inbox = inbox;
    this.random = new SplittableRandom(seed);
  }

  /** Has somebody told what gets lost from now on. */
  void listen(LostAnswers to) {
    listener = to;
  }

  private synchronized int draw(int bound) {
    return random.nextInt(bound);
  }

  private boolean happens(int percent) {
    return draw(100) < percent;
  }

  @Override
  public CompletionStage<UsageVerdicts> leave(UsageBatch batch) {
    if (happens(AGAIN_PERCENT)) {
      sentAgain.increment();
      final var unused = later(batch, AGAIN_WITHIN_MILLIS);
    }
    final CompletionStage<UsageVerdicts> left =
        happens(LATE_PERCENT) ? later(batch, LATEST_MILLIS) : inbox.leave(batch);
    return left.thenApply(
        verdicts -> {
          acknowledgements.increment();
          if (happens(LOST_PERCENT)) {
            lose(batch, verdicts);
          }
          return verdicts;
        });
  }

  private CompletionStage<UsageVerdicts> later(UsageBatch batch, int withinMillis) {
    return CompletableFuture.supplyAsync(
            () -> inbox.leave(batch),
            CompletableFuture.delayedExecutor(1L + draw(withinMillis), TimeUnit.MILLISECONDS))
        .thenCompose(stage -> stage);
  }

  @Override
  public CompletionStage<Optional<UsageVerdicts>> ask(UsageBatch batch, int known) {
    return inbox
        .ask(batch, known)
        .thenApply(
            answer -> {
              acknowledgements.increment();
              if (happens(LOST_PERCENT)) {
                if (answer.isPresent() && answer.get().isComplete() && happens(50)) {
                  inbox.forget(batch);
                }
                lose(batch, answer.orElse(UsageVerdicts.none(batch.deliveries().size())));
              }
              return answer;
            });
  }

  private void lose(UsageBatch batch, UsageVerdicts verdicts) {
    acknowledgementsLost.increment();
    for (int i = 0; i < Math.min(verdicts.size(), batch.deliveries().size()); i++) {
      final UsageVerdict verdict = verdicts.get(i);
      if (verdict != null) {
        listener.lost(batch.deliveries().get(i), verdict);
      }
    }
    throw new LostException();
  }

  @Override
  public void forget(UsageBatch batch) {
    inbox.forget(batch);
  }

  @Override
  public void close() {
    inbox.close();
  }
}
