package io.tollgrid.client;

import io.tollgrid.grid.LedgerAnswer;
import io.tollgrid.grid.LedgerClient;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.LeaseStep;
import io.tollgrid.ledger.LedgerCommand;
import io.tollgrid.ledger.LedgerRequest;
import io.tollgrid.ledger.Outcome;
import io.tollgrid.ledger.Recall;
import io.tollgrid.ledger.UsageVerdict;
import io.tollgrid.ledger.port.LedgerClock;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Ledgers that do at once whatever they are asked, until they fall silent. Thread-safe. */
final class WillingLedgers implements LedgerClient {
  /** What every grant is. */
  static final long GRANT_UNITS = 100;

  private final LedgerClock clock;
  private final List<LedgerCommand> commands = new ArrayList<>();
  private long fences;
  private volatile boolean silent;

  WillingLedgers(LedgerClock clock) {
    this.clock = clock;
  }

  /** From now on nobody gets an answer. */
  void fallSilent() {
    silent = true;
  }

  /** What was asked so far. */
  synchronized List<LedgerCommand> commands() {
    return List.copyOf(commands);
  }

  @Override
  public CompletionStage<LedgerAnswer> submit(Id128 account, LedgerCommand command) {
    throw new UnsupportedOperationException("an instance names its own deadlines");
  }

  @Override
  public synchronized CompletionStage<LedgerAnswer> submit(LedgerRequest request) {
    commands.add(request.command());
    return silent
        ? new CompletableFuture<>()
        : CompletableFuture.completedFuture(
            new LedgerAnswer(outcome(request.command()), commands.size(), clock.nowNanos(), null));
  }

  private Outcome outcome(LedgerCommand command) {
    if (command instanceof LedgerCommand.Acquire acquire) {
      return granted(acquire.leaseId(), acquire.ttlNanos(), 0);
    }
    if (command instanceof LedgerCommand.Consolidate fold) {
      return granted(fold.leaseId(), fold.ttlNanos(), fold.freeUnits());
    }
    if (command instanceof LedgerCommand.RecordUsage usage) {
      return new Outcome.UsageRecorded(
          Collections.nCopies(usage.events().size(), UsageVerdict.LEASED));
    }
    final LedgerCommand.LeaseStepCommand step = (LedgerCommand.LeaseStepCommand) command;
    return new Outcome.Stepped(step.leaseId(), receipt(step));
  }

  private Outcome granted(Id128 lease, long ttlNanos, long restored) {
    return new Outcome.Granted(
        lease, ++fences, GRANT_UNITS, clock.nowNanos() + ttlNanos, restored, null);
  }

  private LeaseStep receipt(LedgerCommand.LeaseStepCommand step) {
    if (step instanceof LedgerCommand.Renew renew) {
      return new LeaseStep(
          step.step(),
          LeaseStep.Kind.RENEW,
          renew.ttlNanos(),
          0,
          0,
          0,
          clock.nowNanos() + renew.ttlNanos());
    }
    if (step instanceof LedgerCommand.Release release) {
      final long units = release.unspentUnits();
      return new LeaseStep(
          step.step(), LeaseStep.Kind.RELEASE, units, units, 0, 0, clock.nowNanos());
    }
    final long units = ((LedgerCommand.Return) step).units();
    return new LeaseStep(step.step(), LeaseStep.Kind.RETURN, units, units, 0, 0, clock.nowNanos());
  }

  @Override
  public CompletionStage<Optional<Recall>> recall(Id128 account) {
    return CompletableFuture.completedFuture(Optional.empty());
  }

  @Override
  public void close() {}
}
