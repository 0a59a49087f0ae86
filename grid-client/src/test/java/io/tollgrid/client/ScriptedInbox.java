package io.tollgrid.client;

import io.tollgrid.grid.usage.UsageBatch;
import io.tollgrid.grid.usage.UsageInbox;
import io.tollgrid.grid.usage.UsageVerdicts;
import io.tollgrid.ledger.UsageEvent;
import io.tollgrid.ledger.UsageVerdict;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** An inbox that answers nothing by itself: a test looks at what came and says what is known. */
final class ScriptedInbox implements UsageInbox {
  /** A batch that was left, or asked about. */
  record Visit(
      UsageBatch batch,
      int known,
      @Nullable CompletableFuture<UsageVerdicts> left,
      @Nullable CompletableFuture<Optional<UsageVerdicts>> asked) {
    List<UsageEvent> events() {
      return batch.deliveries().stream().map(delivery -> delivery.event()).toList();
    }

    boolean isQuestion() {
      return asked != null;
    }

    /** So many events are classified so, from the first on; the others are open. */
    void knows(int howMany, UsageVerdict verdict) {
      says(new VerdictsOf(batch.deliveries().size()).first(howMany, verdict).verdicts());
    }

    void says(UsageVerdicts verdicts) {
      if (left != null) {
        left.complete(verdicts);
      } else if (asked != null) {
        asked.complete(Optional.of(verdicts));
      }
    }

    /** The batch is not there. */
    void isAbsent() {
      if (asked == null) {
        throw new AssertionError("only a question finds nothing");
      }
      asked.complete(Optional.empty());
    }

    void fails() {
      final IllegalStateException failure = new IllegalStateException("no answer");
      if (left != null) {
        left.completeExceptionally(failure);
      } else if (asked != null) {
        asked.completeExceptionally(failure);
      }
    }
  }

  private final List<Visit> visits = new CopyOnWriteArrayList<>();
  final List<String> forgotten = new CopyOnWriteArrayList<>();
  private int taken;

  @Override
  public CompletionStage<UsageVerdicts> leave(UsageBatch batch) {
    final CompletableFuture<UsageVerdicts> answer = new CompletableFuture<>();
    visits.add(new Visit(batch, 0, answer, null));
    return answer;
  }

  @Override
  public CompletionStage<Optional<UsageVerdicts>> ask(UsageBatch batch, int known) {
    final CompletableFuture<Optional<UsageVerdicts>> answer = new CompletableFuture<>();
    visits.add(new Visit(batch, known, null, answer));
    return answer;
  }

  @Override
  public void forget(UsageBatch batch) {
    forgotten.add(batch.key());
  }

  @Override
  public void close() {}

  int waiting() {
    return visits.size() - taken;
  }

  Visit next() {
    if (waiting() == 0) {
      throw new AssertionError("nobody came");
    }
    return visits.get(taken++);
  }
}
