package io.tollgrid.grid.usage;

import io.tollgrid.grid.GivenUp;
import io.tollgrid.grid.LedgerAnswer;
import io.tollgrid.grid.LedgerClient;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.LedgerCommand;
import io.tollgrid.ledger.LedgerRequest;
import io.tollgrid.ledger.Outcome;
import io.tollgrid.ledger.Recall;
import io.tollgrid.ledger.Refusal;
import io.tollgrid.ledger.UsageEvent;
import io.tollgrid.ledger.UsageVerdict;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Ledgers that answer when a test says so. */
final class ScriptedRecords implements LedgerClient {
  record Sent(LedgerRequest request, CompletableFuture<LedgerAnswer> reply) {
    Id128 account() {
      return request.account();
    }

    List<UsageEvent> events() {
      return ((LedgerCommand.RecordUsage) request.command()).events();
    }

    void classify(UsageVerdict verdict) {
      answer(new Outcome.UsageRecorded(Collections.nCopies(events().size(), verdict)));
    }

    void refuse(Refusal reason) {
      answer(new Outcome.Refused(reason, null));
    }

    void answer(Outcome outcome) {
      reply.complete(new LedgerAnswer(outcome, 1, 1, null));
    }

    void isUnknown() {
      reply.completeExceptionally(GivenUp.perhaps());
    }
  }

  final Deque<Sent> sent = new ArrayDeque<>();

  /** While set, nothing is taken. */
  boolean closed;

  Sent next() {
    return sent.remove();
  }

  @Override
  public CompletionStage<LedgerAnswer> submit(Id128 account, LedgerCommand command) {
    throw new UnsupportedOperationException("the recorder names its own deadlines");
  }

  @Override
  public CompletionStage<LedgerAnswer> submit(LedgerRequest request) {
    if (closed) {
      return CompletableFuture.failedStage(GivenUp.forSure());
    }
    final CompletableFuture<LedgerAnswer> reply = new CompletableFuture<>();
    sent.add(new Sent(request, reply));
    return reply;
  }

  @Override
  public CompletionStage<Optional<Recall>> recall(Id128 account) {
    throw new UnsupportedOperationException("nobody who records needs units");
  }

  @Override
  public void close() {}
}
