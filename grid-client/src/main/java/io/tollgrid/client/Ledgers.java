package io.tollgrid.client;

import io.tollgrid.grid.LedgerAnswer;
import io.tollgrid.grid.LedgerCallException;
import io.tollgrid.grid.LedgerClient;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.LedgerCode;
import io.tollgrid.ledger.LedgerCommand;
import io.tollgrid.ledger.LedgerRequest;
import io.tollgrid.ledger.Recall;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The ledger client, with its answers brought back to the instance's thread. */
final class Ledgers {
  /**
   * How much later than a command's {@code not_after} a ledger must have refused it before no
   * earlier attempt of it can act any more; twice the skew that members may have (R57).
   */
  static final long SETTLED_AFTER_NANOS = 2_000_000_000L;

  /** Where an answer goes; called on the instance's thread. */
  interface Reply {
    /** The answer is definite. */
    void answered(LedgerAnswer answer);

    /**
     * The client gave up.
     *
     * @param mayHaveHappened whether the command may have taken effect, or may yet
     */
    void failed(LedgerCode code, boolean mayHaveHappened, Throwable failure);
  }

  private final LedgerClient client;
  private final InstanceLoop loop;
  private final String actor;

  Ledgers(final LedgerClient client, final InstanceLoop loop, final String actor) {
    this.client = client;
    this.loop = loop;
    this.actor = actor;
  }

  void send(
      final Id128 account,
      final LedgerCommand command,
      final long notAfterNanos,
      final Reply reply) {
    final CompletionStage<LedgerAnswer> stage;
    try {
      stage = client.submit(new LedgerRequest(account, actor, notAfterNanos, command));
    } catch (RuntimeException e) {
      // Nothing says how far it came, so it is taken to have happened (R3).
      loop.post(() -> reply.failed(LedgerCode.UNKNOWN, true, e));
      return;
    }
    final var unused =
        stage.whenComplete((answer, failure) -> loop.post(() -> deliver(reply, answer, failure)));
  }

  /** Looks for a recall; {@code onRecall} gets none if it could not be read, for it is a hint. */
  void recall(final Id128 account, final Consumer<@Nullable Recall> onRecall) {
    final CompletionStage<Optional<Recall>> stage;
    try {
      stage = client.recall(account);
    } catch (RuntimeException e) {
      loop.post(() -> onRecall.accept(null));
      return;
    }
    final var unused =
        stage.whenComplete(
            (recall, failure) ->
                loop.post(() -> onRecall.accept(recall == null ? null : recall.orElse(null))));
  }

  private static void deliver(
      final Reply reply, final @Nullable LedgerAnswer answer, final @Nullable Throwable failure) {
    if (answer != null) {
      reply.answered(answer);
      return;
    }
    final Throwable cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    if (cause instanceof LedgerCallException call) {
      reply.failed(call.code(), call.mayHaveHappened(), call);
    } else {
      reply.failed(
          LedgerCode.UNKNOWN,
          true,
          cause == null ? new IllegalStateException("a stage ended with nothing") : cause);
    }
  }
}
