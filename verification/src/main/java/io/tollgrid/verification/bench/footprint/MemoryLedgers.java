package io.tollgrid.verification.bench.footprint;

import io.tollgrid.grid.LedgerAnswer;
import io.tollgrid.grid.LedgerClient;
import io.tollgrid.ledger.AccountLedger;
import io.tollgrid.ledger.AccountStatus;
import io.tollgrid.ledger.AccountTerms;
import io.tollgrid.ledger.CapacityClass;
import io.tollgrid.ledger.Decision;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.Ledger;
import io.tollgrid.ledger.LedgerCodec;
import io.tollgrid.ledger.LedgerCommand;
import io.tollgrid.ledger.LedgerLimits;
import io.tollgrid.ledger.LedgerRequest;
import io.tollgrid.ledger.Outcome;
import io.tollgrid.ledger.Recall;
import io.tollgrid.ledger.RowKey;
import io.tollgrid.ledger.StoredRow;
import io.tollgrid.ledger.port.LedgerClock;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * The product's own ledgers, in memory and without a store, that answer at once. Commands and
 * outcomes go through their canonical bytes, as over a grid: whoever asked shares no object with
 * them. Thread-safe.
 */
final class MemoryLedgers implements LedgerClient {
  private static final String OPERATOR = "operator";
  private static final long OPERATOR_HIGH = 0x6F70657261746F72L;

  private final LedgerClock clock;
  private final Map<Id128, AccountLedger> ledgers = new HashMap<>();
  private long operatorCommands;
  private long commands;
  private long looks;

  MemoryLedgers(LedgerClock clock) {
    this.clock = clock;
  }

  /** Creates an account with so many units. */
  synchronized void create(Id128 account, long units) {
    operate(
        account,
        new LedgerCommand.Create(
            operatorId(), AccountStatus.ACTIVE, CapacityClass.BEST_EFFORT, AccountTerms.STRICT));
    operate(account, new LedgerCommand.Deposit(operatorId(), units));
  }

  private void operate(Id128 account, LedgerCommand command) {
    apply(new LedgerRequest(account, OPERATOR, Long.MAX_VALUE, command));
  }

  private Id128 operatorId() {
    return new Id128(OPERATOR_HIGH, ++operatorCommands);
  }

  /** Commands of instances so far. */
  synchronized long commands() {
    return commands;
  }

  /** Looks for a recall so far. */
  synchronized long looks() {
    return looks;
  }

  /** Leases that are not settled. */
  synchronized long activeLeases() {
    return ledgers.values().stream().mapToLong(ledger -> ledger.active().size()).sum();
  }

  @Override
  public CompletionStage<LedgerAnswer> submit(Id128 account, LedgerCommand command) {
    throw new UnsupportedOperationException("an instance names its own deadlines");
  }

  @Override
  public synchronized CompletionStage<LedgerAnswer> submit(LedgerRequest request) {
    commands++;
    final Decision decision = apply(LedgerCodec.decodeRequest(LedgerCodec.encodeRequest(request)));
    final Outcome outcome =
        LedgerCodec.decodeOutcome(LedgerCodec.encodeOutcome(decision.outcome()));
    return CompletableFuture.completedFuture(
        new LedgerAnswer(outcome, commands, clock.nowNanos(), null));
  }

  private Decision apply(LedgerRequest request) {
    final AccountLedger before = ledgers.get(request.account());
    Decision decision = Ledger.apply(before, request, clock.nowNanos(), LedgerLimits.DEFAULTS);
    if (decision.outcome() instanceof Outcome.NeedsRows needs) {
      final Map<RowKey, Optional<StoredRow>> none = new HashMap<>();
      needs.keys().forEach(key -> none.put(key, Optional.empty()));
      decision =
          Ledger.apply(before, request.withRows(none), clock.nowNanos(), LedgerLimits.DEFAULTS);
    }
    if (decision.next() != null) {
      ledgers.put(request.account(), decision.next());
    }
    return decision;
  }

  @Override
  public synchronized CompletionStage<Optional<Recall>> recall(Id128 account) {
    looks++;
    return CompletableFuture.completedFuture(Optional.empty());
  }

  @Override
  public void close() {}
}
