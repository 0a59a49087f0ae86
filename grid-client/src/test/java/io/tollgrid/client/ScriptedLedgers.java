package io.tollgrid.client;

import io.tollgrid.grid.GivenUp;
import io.tollgrid.grid.LedgerAnswer;
import io.tollgrid.grid.LedgerClient;
import io.tollgrid.ledger.Evidence;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.LeaseStep;
import io.tollgrid.ledger.LedgerCommand;
import io.tollgrid.ledger.LedgerRequest;
import io.tollgrid.ledger.Outcome;
import io.tollgrid.ledger.Recall;
import io.tollgrid.ledger.Refusal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A ledger client that answers nothing by itself: a test looks at what was sent and says what came
 * of it. Fences and versions count up from 1.
 */
final class ScriptedLedgers implements LedgerClient {
  /** A command on its way. */
  record Sent(LedgerRequest request, CompletableFuture<LedgerAnswer> reply) {
    /** The command, which must be of this kind. */
    <C extends LedgerCommand> C command(Class<C> kind) {
      if (!kind.isInstance(request.command())) {
        throw new AssertionError("expected a " + kind.getSimpleName() + ", sent " + request);
      }
      return kind.cast(request.command());
    }

    /** The client gave up; something of it may have happened. */
    void isUnknown() {
      reply.completeExceptionally(GivenUp.perhaps());
    }

    /** The client gave up; nothing of it happened. */
    void failed() {
      reply.completeExceptionally(GivenUp.forSure());
    }
  }

  final List<Sent> sent = new ArrayList<>();
  private final ManualTime time;
  private int taken;
  private long versions;
  private long fences;
  private @Nullable Recall recall;
  private int looks;

  ScriptedLedgers(ManualTime time) {
    this.time = time;
  }

  /** The next command that was sent and not taken yet. */
  Sent next() {
    if (taken == sent.size()) {
      throw new AssertionError("nothing was sent");
    }
    return sent.get(taken++);
  }

  /** Commands that were sent and not taken yet. */
  int waiting() {
    return sent.size() - taken;
  }

  /** What a look at the account's recall shows from now on, and answers do too. */
  void recall(Recall shown) {
    recall = shown;
  }

  /** The recall was met. */
  void noRecall() {
    recall = null;
  }

  /** How often the recall was looked at. */
  int looks() {
    return looks;
  }

  void answer(Sent command, Outcome outcome) {
    command.reply().complete(new LedgerAnswer(outcome, ++versions, time.nowNanos(), recall));
  }

  /** Grants what an acquire or a consolidation asked for. */
  Outcome.Granted grant(Sent command, long units, @Nullable Evidence evidence, long ttlNanos) {
    final Id128 lease =
        command.request().command() instanceof LedgerCommand.Acquire acquire
            ? acquire.leaseId()
            : command.command(LedgerCommand.Consolidate.class).leaseId();
    final long restored =
        command.request().command() instanceof LedgerCommand.Consolidate fold
            ? fold.freeUnits()
            : 0;
    final Outcome.Granted granted =
        new Outcome.Granted(lease, ++fences, units, time.nowNanos() + ttlNanos, restored, evidence);
    answer(command, granted);
    return granted;
  }

  /** Takes a step, with everything restored and nothing lost. */
  void step(Sent command) {
    final LedgerCommand.LeaseStepCommand step =
        command.command(LedgerCommand.LeaseStepCommand.class);
    final LeaseStep receipt;
    if (step instanceof LedgerCommand.Renew renew) {
      receipt =
          new LeaseStep(
              step.step(),
              LeaseStep.Kind.RENEW,
              renew.ttlNanos(),
              0,
              0,
              0,
              time.nowNanos() + renew.ttlNanos());
    } else {
      final boolean ends = step instanceof LedgerCommand.Release;
      final long units =
          step instanceof LedgerCommand.Return back
              ? back.units()
              : ((LedgerCommand.Release) step).unspentUnits();
      receipt =
          new LeaseStep(
              step.step(),
              ends ? LeaseStep.Kind.RELEASE : LeaseStep.Kind.RETURN,
              units,
              units,
              0,
              0,
              time.nowNanos());
    }
    answer(command, new Outcome.Stepped(step.leaseId(), receipt));
  }

  void refuse(Sent command, Refusal reason, @Nullable Evidence evidence) {
    answer(command, new Outcome.Refused(reason, evidence));
  }

  @Override
  public CompletionStage<LedgerAnswer> submit(Id128 account, LedgerCommand command) {
    throw new UnsupportedOperationException("an instance names its own deadlines");
  }

  @Override
  public CompletionStage<LedgerAnswer> submit(LedgerRequest request) {
    final Sent command = new Sent(request, new CompletableFuture<>());
    sent.add(command);
    return command.reply();
  }

  @Override
  public CompletionStage<Optional<Recall>> recall(Id128 account) {
    looks++;
    return CompletableFuture.completedFuture(Optional.ofNullable(recall));
  }

  @Override
  public void close() {}
}
