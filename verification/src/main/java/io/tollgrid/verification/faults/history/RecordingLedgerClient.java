package io.tollgrid.verification.faults.history;

import io.tollgrid.grid.LedgerAnswer;
import io.tollgrid.grid.LedgerCallException;
import io.tollgrid.grid.LedgerClient;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.LedgerCommand;
import io.tollgrid.ledger.LedgerRequest;
import io.tollgrid.ledger.Recall;
import io.tollgrid.ledger.port.LedgerClock;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/**
 * Submits requests to a ledger client and records each of them before it is sent and before its
 * answer is seen by the caller.
 *
 * <p>Thread-safe. Does not own the client or the writer.
 */
public final class RecordingLedgerClient implements LedgerClient {
  private final LedgerClient client;
  private final HistoryWriter history;
  private final LedgerClock clock;

  /** Records what {@code client} is asked and answers. */
  public RecordingLedgerClient(LedgerClient client, HistoryWriter history, LedgerClock clock) {
    this.client = client;
    this.history = history;
    this.clock = clock;
  }

  /**
   * Runs a request.
   *
   * @return the answer; fails with {@link LedgerCallException} when the client gave up. Any other
   *     failure is left without an ending, which a checker reads as "unknown"
   */
  @Override
  public CompletableFuture<LedgerAnswer> submit(LedgerRequest request) {
    final long number = history.submitted(request, clock.nowNanos());
    return client
        .submit(request)
        .toCompletableFuture()
        .whenComplete(
            (answer, failure) -> {
              if (answer != null) {
                history.answered(
                    number,
                    clock.nowNanos(),
                    answer.outcome(),
                    answer.version(),
                    answer.ledgerTimeNanos());
              } else if (gaveUp(failure) instanceof LedgerCallException e) {
                history.gaveUp(number, clock.nowNanos(), e.code(), e.mayHaveHappened());
              }
            });
  }

  /** Not offered: a request without a deadline of its own could not be recorded. */
  @Override
  public CompletableFuture<LedgerAnswer> submit(Id128 account, LedgerCommand command) {
    throw new UnsupportedOperationException("a recorded request names its own deadline");
  }

  @Override
  public CompletionStage<Optional<Recall>> recall(Id128 account) {
    return client.recall(account);
  }

  /** Closes neither: they are not its own. */
  @Override
  public void close() {}

  private static Throwable gaveUp(Throwable failure) {
    return failure instanceof CompletionException && failure.getCause() != null
        ? failure.getCause()
        : failure;
  }
}
