package io.tollgrid.client;

import io.tollgrid.grid.LedgerAnswer;
import io.tollgrid.grid.LedgerCallException;
import io.tollgrid.grid.LedgerClient;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.LedgerCommand;
import io.tollgrid.ledger.LedgerRequest;
import io.tollgrid.ledger.Outcome;
import io.tollgrid.ledger.Recall;
import io.tollgrid.ledger.RowKey;
import io.tollgrid.ledger.UsageEvent;
import io.tollgrid.ledger.UsageVerdict;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Hears what one instance asks of ledgers and what it is told, and holds it to what one owner of an
 * account's leases may do (R3, R20, R35, R36, R41).
 */
final class FleetTap implements LedgerClient {
  /** A lease command that was given up although it may have acted. */
  private record Parked(LedgerCommand command, long mayActUntilNanos) {}

  private final LedgerClient ledgers;
  private final FleetAudit audit;
  private final FleetCoverage coverage;
  private final Map<Id128, LedgerCommand> underWay = new HashMap<>();
  private final Map<Id128, Parked> parked = new HashMap<>();
  private final Set<Id128> neverCurrentAgain = new HashSet<>();
  private final Map<Id128, Map<RowKey.UsageKey, Long>> acknowledged = new HashMap<>();
  private long acknowledgedUnits;
  private @Nullable FleetNode node;

  FleetTap(LedgerClient ledgers, FleetAudit audit, FleetCoverage coverage) {
    this.ledgers = ledgers;
    this.audit = audit;
    this.coverage = coverage;
  }

  void of(FleetNode its) {
    node = its;
  }

  boolean isAsking() {
    return !underWay.isEmpty();
  }

  boolean foldUnderWay() {
    return underWay.values().stream().anyMatch(LedgerCommand.Consolidate.class::isInstance);
  }

  boolean isParked() {
    return !parked.isEmpty();
  }

  /** Leases whose uncertain fold turned out not to have happened: they only go home (R35). */
  Set<Id128> neverCurrentAgain() {
    return neverCurrentAgain;
  }

  /** Units of the events whose record was acknowledged. */
  long acknowledgedUnits() {
    return acknowledgedUnits;
  }

  /** The events whose record was acknowledged, with their units. */
  Map<Id128, Map<RowKey.UsageKey, Long>> acknowledged() {
    return acknowledged;
  }

  @Override
  public CompletionStage<LedgerAnswer> submit(Id128 account, LedgerCommand command) {
    throw new UnsupportedOperationException("an instance names its own deadlines");
  }

  @Override
  public CompletionStage<LedgerAnswer> submit(LedgerRequest request) {
    if (request.command() instanceof LedgerCommand.LeaseCommand) {
      asked(request);
    }
    final CompletionStage<LedgerAnswer> stage = ledgers.submit(request);
    final var unused = stage.whenComplete((answer, failure) -> heard(request, answer, failure));
    return stage;
  }

  private void asked(LedgerRequest request) {
    final Id128 account = request.account();
    final LedgerCommand command = request.command();
    final LedgerCommand other = underWay.put(account, command);
    if (other != null) {
      audit.fail(
          "R36", "an account has one manager and that one command", command + " beside " + other);
    }
    final Parked waiting = parked.get(account);
    if (waiting != null && !waiting.command().equals(command)) {
      audit.fail(
          "R35",
          "a command of unknown outcome is repeated before anything else is asked",
          command + " while this may have acted: " + waiting.command());
    }
    final boolean takes =
        command instanceof LedgerCommand.Acquire || command instanceof LedgerCommand.Consolidate;
    if (takes && waiting == null && node != null && node.stoppedBefore(audit.now())) {
      audit.fail("R41", "an instance that stops takes no lease", command.toString());
    }
  }

  private void heard(
      LedgerRequest request, @Nullable LedgerAnswer answer, @Nullable Throwable failure) {
    final LedgerCommand command = request.command();
    if (command instanceof LedgerCommand.RecordUsage usage) {
      if (answer != null && answer.outcome() instanceof Outcome.UsageRecorded recorded) {
        recorded(request.account(), usage.events(), recorded.verdicts());
      }
    } else if (command instanceof LedgerCommand.LeaseCommand) {
      underWay.remove(request.account());
      settle(request, command, answer, failure);
    }
  }

  private void settle(
      LedgerRequest request,
      LedgerCommand command,
      @Nullable LedgerAnswer answer,
      @Nullable Throwable failure) {
    final Id128 account = request.account();
    final Parked waiting = parked.get(account);
    if (answer == null) {
      // Once unknown, an attempt that surely failed settles nothing about those before it.
      final boolean unknown =
          waiting != null
              || !(failure instanceof LedgerCallException call)
              || call.mayHaveHappened();
      if (unknown) {
        parked.put(account, new Parked(command, request.notAfterNanos()));
      }
      return;
    }
    if (waiting == null) {
      return;
    }
    final boolean refused = answer.outcome() instanceof Outcome.Refused;
    if (refused
        && answer.ledgerTimeNanos() - waiting.mayActUntilNanos() <= Ledgers.SETTLED_AFTER_NANOS) {
      return;
    }
    parked.remove(account);
    if (command instanceof LedgerCommand.Consolidate fold) {
      coverage.saw(
          refused
              ? FleetScenario.FOLD_PARKED_THEN_REFUSED
              : FleetScenario.FOLD_PARKED_THEN_GRANTED);
      if (refused) {
        neverCurrentAgain.add(fold.oldLeaseId());
      }
    }
  }

  private void recorded(Id128 account, List<UsageEvent> events, List<UsageVerdict> verdicts) {
    for (int i = 0; i < events.size(); i++) {
      final UsageEvent event = events.get(i);
      if (verdicts.get(i).kind() != UsageVerdict.Kind.ACCEPTED) {
        audit.fail("R20", "every event is accepted", event + " was " + verdicts.get(i));
        continue;
      }
      if (verdicts.get(i) == UsageVerdict.STRAGGLER) {
        coverage.saw(FleetScenario.STRAGGLER_BILLED);
      }
      final var key = new RowKey.UsageKey(event.requestId(), event.part());
      final Long before =
          acknowledged.computeIfAbsent(account, it -> new HashMap<>()).put(key, event.units());
      if (before != null) {
        audit.fail("R20", "an acknowledged event is not sent again", event.toString());
      }
      acknowledgedUnits += event.units();
    }
  }

  @Override
  public CompletionStage<Optional<Recall>> recall(Id128 account) {
    return ledgers.recall(account);
  }

  @Override
  public void close() {
    ledgers.close();
  }
}
