package io.tollgrid.verification.planted;

import io.tollgrid.grid.LedgerAnswer;
import io.tollgrid.grid.LedgerClient;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.LedgerCommand;
import io.tollgrid.ledger.LedgerRequest;
import io.tollgrid.ledger.Outcome;
import io.tollgrid.ledger.Recall;
import io.tollgrid.ledger.Refusal;
import io.tollgrid.ledger.port.LedgerClock;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/**
 * A way to the ledgers with a planted bug: a consolidation that is not answered soon is taken to
 * have been refused, so the units it carried are spent again. Thread-safe.
 */
public final class HastyLedgerClient implements LedgerClient {
  private static final Duration PATIENCE = Duration.ofMillis(300);

  private final LedgerClient client;
  private final LedgerClock clock;

  /** Plants it before {@code client}. */
  public HastyLedgerClient(LedgerClient client, LedgerClock clock) {
    this.client = client;
    this.clock = clock;
  }

  @Override
  public CompletionStage<LedgerAnswer> submit(LedgerRequest request) {
    final CompletableFuture<LedgerAnswer> answer = client.submit(request).toCompletableFuture();
    if (!(request.command() instanceof LedgerCommand.Consolidate)) {
      return answer;
    }
    // A copy: nobody but the ledger completes its answer.
    return answer
        .copy()
        .completeOnTimeout(
            new LedgerAnswer(
                new Outcome.Refused(Refusal.BALANCE_INSUFFICIENT, null), 0, clock.nowNanos(), null),
            PATIENCE.toMillis(),
            TimeUnit.MILLISECONDS);
  }

  @Override
  public CompletionStage<LedgerAnswer> submit(Id128 account, LedgerCommand command) {
    return client.submit(account, command);
  }

  @Override
  public CompletionStage<Optional<Recall>> recall(Id128 account) {
    return client.recall(account);
  }

  @Override
  public void close() {
    client.close();
  }
}
