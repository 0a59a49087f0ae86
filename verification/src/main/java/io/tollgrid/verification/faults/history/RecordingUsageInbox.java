package io.tollgrid.verification.faults.history;

import io.tollgrid.grid.usage.UsageBatch;
import io.tollgrid.grid.usage.UsageInbox;
import io.tollgrid.grid.usage.UsageRecorder;
import io.tollgrid.grid.usage.UsageVerdicts;
import io.tollgrid.ledger.LedgerCommand;
import io.tollgrid.ledger.LedgerRequest;
import io.tollgrid.ledger.Outcome;
import io.tollgrid.ledger.UsageDelivery;
import io.tollgrid.ledger.UsageVerdict;
import io.tollgrid.ledger.port.LedgerClock;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * Leaves usage in an inbox and records each classification before its writer sees it: as a command
 * of one event that was answered, which is what it comes to. An event may be recorded several
 * times. Thread-safe. Owns neither the inbox nor the writer of the history.
 */
public final class RecordingUsageInbox implements UsageInbox {
  private final UsageInbox inbox;
  private final HistoryWriter history;
  private final LedgerClock clock;

  /** Records what {@code inbox} answers. */
  public RecordingUsageInbox(UsageInbox inbox, HistoryWriter history, LedgerClock clock) {
    this.inbox = inbox;
    this.history = history;
    this.clock = clock;
  }

  @Override
  public CompletionStage<UsageVerdicts> leave(UsageBatch batch) {
    return inbox
        .leave(batch)
        .thenApply(
            verdicts -> {
              record(batch, verdicts);
              return verdicts;
            });
  }

  @Override
  public CompletionStage<Optional<UsageVerdicts>> ask(UsageBatch batch, int known) {
    return inbox
        .ask(batch, known)
        .thenApply(
            answer -> {
              if (answer.isPresent() && answer.get().known() > known) {
                record(batch, answer.get());
              }
              return answer;
            });
  }

  @Override
  public void forget(UsageBatch batch) {
    inbox.forget(batch);
  }

  /** Closes neither: they are not its own. */
  @Override
  public void close() {}

  private void record(UsageBatch batch, UsageVerdicts verdicts) {
    for (int i = 0; i < batch.deliveries().size(); i++) {
      final UsageVerdict verdict = verdicts.get(i);
      if (verdict != null) {
        final UsageDelivery delivery = batch.deliveries().get(i);
        final long now = clock.nowNanos();
        final long number =
            history.submitted(
                new LedgerRequest(
                    delivery.account(),
                    UsageRecorder.ACTOR,
                    Long.MAX_VALUE,
                    new LedgerCommand.RecordUsage(List.of(delivery.event()))),
                now);
        history.answered(number, now, new Outcome.UsageRecorded(List.of(verdict)), 0, now);
      }
    }
  }
}
