package io.tollgrid.pipelines.testing;

import io.tollgrid.grid.LedgerAnswer;
import io.tollgrid.grid.LedgerClient;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.LedgerCommand;
import io.tollgrid.ledger.LedgerRequest;
import io.tollgrid.ledger.Outcome;
import io.tollgrid.ledger.Recall;
import io.tollgrid.ledger.Refusal;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

/** Ledgers that answer as the test says; the commands they got are remembered. */
public final class ScriptedLedgers implements LedgerClient {
  /** A command as it came. */
  public record Command(Id128 account, LedgerCommand command) {}

  /** Every command so far. */
  public final List<Command> commands = new CopyOnWriteArrayList<>();

  private volatile Function<Command, CompletionStage<LedgerAnswer>> script;

  /** Ledgers that follow a script. */
  public ScriptedLedgers(Function<Command, CompletionStage<LedgerAnswer>> script) {
    this.script = script;
  }

  /** Ledgers that do what is due, five units lost with each lease. */
  public static ScriptedLedgers willing(ScriptedDue due) {
    return new ScriptedLedgers(command -> serve(due, command));
  }

  /** Does what is due. */
  public static CompletionStage<LedgerAnswer> serve(ScriptedDue due, Command command) {
    final int served = due.settle(command.account());
    if (command.command() instanceof LedgerCommand.Reclaim) {
      return answer(
          served == 0
              ? new Outcome.Refused(Refusal.NOTHING_DUE, null)
              : new Outcome.Reclaimed(served, 5L * served, false));
    }
    return answer(
        served == 0 ? new Outcome.Refused(Refusal.NOT_DUE, null) : new Outcome.Crossed(2, 2));
  }

  /** A definite answer. */
  public static CompletionStage<LedgerAnswer> answer(Outcome outcome) {
    return CompletableFuture.completedFuture(new LedgerAnswer(outcome, 1, 1, null));
  }

  /** From now on another script. */
  public void follow(Function<Command, CompletionStage<LedgerAnswer>> other) {
    script = other;
  }

  @Override
  public CompletionStage<LedgerAnswer> submit(Id128 account, LedgerCommand command) {
    final Command came = new Command(account, command);
    commands.add(came);
    return script.apply(came);
  }

  @Override
  public CompletionStage<LedgerAnswer> submit(LedgerRequest request) {
    return submit(request.account(), request.command());
  }

  @Override
  public CompletionStage<Optional<Recall>> recall(Id128 account) {
    return CompletableFuture.completedFuture(Optional.empty());
  }

  @Override
  public void close() {}
}
