package io.tollgrid.node.local;

import io.tollgrid.grid.LedgerAnswer;
import io.tollgrid.grid.LedgerClient;
import io.tollgrid.ledger.AccountStatus;
import io.tollgrid.ledger.AccountTerms;
import io.tollgrid.ledger.CapacityClass;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.LedgerCommand;
import io.tollgrid.ledger.Outcome;
import io.tollgrid.ledger.port.IdSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Semaphore;

/** Creates and funds accounts as an operator, many at once. Safe for use from any thread. */
public final class Founder {
  private static final int IN_FLIGHT = 256;

  private final LedgerClient operator;
  private final IdSource ids;
  private final Semaphore room = new Semaphore(IN_FLIGHT);

  /** A founder that acts through {@code operator}, a client that holds the operator key. */
  public Founder(LedgerClient operator, IdSource ids) {
    this.operator = operator;
    this.ids = ids;
  }

  /**
   * Creates an account with this top-up; 0 leaves it unfunded.
   *
   * @return completes when both are durable, exceptionally if either was refused
   */
  public CompletableFuture<Void> found(Id128 account, AccountTerms terms, long topUpUnits)
      throws InterruptedException {
    room.acquire();
    return applied(
            operator.submit(
                account,
                new LedgerCommand.Create(
                    ids.randomId(), AccountStatus.ACTIVE, CapacityClass.BEST_EFFORT, terms)))
        .thenCompose(
            created ->
                topUpUnits == 0
                    ? CompletableFuture.<Void>completedFuture(null)
                    : applied(
                        operator.submit(
                            account, new LedgerCommand.Deposit(ids.randomId(), topUpUnits))))
        .whenComplete((founded, failure) -> room.release());
  }

  /** Adds a top-up. */
  public CompletableFuture<Void> deposit(Id128 account, long units) {
    return applied(operator.submit(account, new LedgerCommand.Deposit(ids.randomId(), units)));
  }

  private static CompletableFuture<Void> applied(CompletionStage<LedgerAnswer> answer) {
    return answer
        .toCompletableFuture()
        .thenAccept(
            given -> {
              if (!(given.outcome() instanceof Outcome.Applied)) {
                throw new IllegalStateException(
                    "an operator command was answered with " + given.outcome());
              }
            });
  }
}
