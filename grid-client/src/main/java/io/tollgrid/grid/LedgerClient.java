package io.tollgrid.grid;

import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.LedgerCommand;
import io.tollgrid.ledger.LedgerRequest;
import io.tollgrid.ledger.Recall;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * Runs commands on ledgers, wherever they live, and hides that owners move, stores fail and answers
 * get lost.
 *
 * <p>A stage completes normally with a definite {@link LedgerAnswer}, or exceptionally with {@link
 * LedgerCallException} once the command's deadline has passed. Commands of one account act one
 * after the other, as a rule in the order they were submitted; lease commands that wait for one
 * account may travel and be stored together, each with an answer of its own. Callbacks run on the
 * client's own threads and must not block.
 */
public interface LedgerClient extends AutoCloseable {
  /** Runs a command that may act until the client's default deadline from now. */
  CompletionStage<LedgerAnswer> submit(Id128 account, LedgerCommand command);

  /**
   * Runs a request with its own actor and deadline. Submitting an equal request again is the same
   * command (R16).
   */
  CompletionStage<LedgerAnswer> submit(LedgerRequest request);

  /** The recall beside an account's ledger, if someone needs units held elsewhere (R2). */
  CompletionStage<Optional<Recall>> recall(Id128 account);

  /**
   * Refuses new commands and completes those that wait exceptionally; running attempts are not
   * interrupted.
   */
  @Override
  void close();
}
