package io.tollgrid.grid.usage;

import io.tollgrid.grid.LedgerClient;
import io.tollgrid.ledger.UsageVerdict;
import io.tollgrid.ledger.port.LedgerClock;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * An inbox in this process, whose usage goes straight to the ledgers; for a service that has
 * ledgers and no grid. What was left is lost with the process, and what could not be recorded is
 * tried again with the next question about it.
 */
public final class LocalUsageInbox implements UsageInbox, UsageRecorder.Ends {
  private static final class Left {
    final UsageBatch batch;
    final Set<Integer> heldBack = new HashSet<>();
    UsageVerdicts verdicts;
    int asked;
    @Nullable CompletableFuture<Optional<UsageVerdicts>> question;

    Left(UsageBatch batch) {
      this.batch = batch;
      this.verdicts = UsageVerdicts.none(batch.deliveries().size());
    }

    /** Whether somebody who knew of {@code known} events is to be told. */
    boolean isNews(int known) {
      return verdicts.known() > known || !heldBack.isEmpty() || verdicts.isComplete();
    }
  }

  private final UsageRecorder recorder;

  /** Guarded by itself, like each batch in it. */
  private final Map<String, Left> batches = new HashMap<>();

  /** An inbox before these ledgers. */
  public LocalUsageInbox(LedgerClient ledgers, LedgerClock clock) {
    this.recorder = new UsageRecorder(() -> ledgers, clock, RecorderSettings.DEFAULTS, this);
  }

  @Override
  public CompletionStage<UsageVerdicts> leave(UsageBatch batch) {
    final Left left;
    synchronized (batches) {
      final @Nullable Left there = batches.get(batch.key());
      if (there != null) {
        return CompletableFuture.completedStage(there.verdicts);
      }
      left = new Left(batch);
      batches.put(batch.key(), left);
    }
    for (int i = 0; i < batch.deliveries().size(); i++) {
      offer(left, i);
    }
    recorder.work();
    synchronized (batches) {
      return CompletableFuture.completedStage(left.verdicts);
    }
  }

  private void offer(Left left, int position) {
    final TakenUsage taken =
        new TakenUsage(left.batch.key(), position, left.batch.deliveries().get(position));
    if (!recorder.offer(taken)) {
      heldBack(List.of(taken));
    }
  }

  @Override
  public CompletionStage<Optional<UsageVerdicts>> ask(UsageBatch batch, int known) {
    final Left left;
    final List<Integer> again;
    synchronized (batches) {
      final @Nullable Left there = batches.get(batch.key());
      if (there == null) {
        return CompletableFuture.completedStage(Optional.empty());
      }
      left = there;
      again = List.copyOf(left.heldBack);
      left.heldBack.clear();
    }
    again.forEach(position -> offer(left, position));
    recorder.work();
    synchronized (batches) {
      if (left.isNews(known)) {
        return CompletableFuture.completedStage(Optional.of(left.verdicts));
      }
      left.asked = known;
      left.question = new CompletableFuture<>();
      return left.question;
    }
  }

  @Override
  public void forget(UsageBatch batch) {
    synchronized (batches) {
      batches.remove(batch.key());
    }
  }

  @Override
  public void close() {}

  @Override
  public void classified(List<TakenUsage> taken, List<UsageVerdict> verdicts) {
    synchronized (batches) {
      for (int i = 0; i < taken.size(); i++) {
        final @Nullable Left left = batches.get(taken.get(i).key());
        if (left != null) {
          left.verdicts = left.verdicts.with(taken.get(i).position(), verdicts.get(i));
        }
      }
    }
    answer(taken);
  }

  @Override
  public void heldBack(List<TakenUsage> taken) {
    synchronized (batches) {
      for (final TakenUsage each : taken) {
        final @Nullable Left left = batches.get(each.key());
        if (left != null) {
          left.heldBack.add(each.position());
        }
      }
    }
    answer(taken);
  }

  @Override
  public void failed(String code) {}

  /** Answers the questions about batches of which something has ended. */
  private void answer(List<TakenUsage> ended) {
    final Map<CompletableFuture<Optional<UsageVerdicts>>, UsageVerdicts> answers = new HashMap<>();
    synchronized (batches) {
      for (final TakenUsage each : ended) {
        final @Nullable Left left = batches.get(each.key());
        if (left != null && left.question != null && left.isNews(left.asked)) {
          answers.put(left.question, left.verdicts);
          left.question = null;
        }
      }
    }
    answers.forEach((question, verdicts) -> question.complete(Optional.of(verdicts)));
  }
}
