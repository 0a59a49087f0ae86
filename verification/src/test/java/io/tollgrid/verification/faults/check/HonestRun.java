package io.tollgrid.verification.faults.check;

import io.tollgrid.ledger.AccountLedger;
import io.tollgrid.ledger.AccountStatus;
import io.tollgrid.ledger.AccountTerms;
import io.tollgrid.ledger.Bits256;
import io.tollgrid.ledger.BudgetSchedule;
import io.tollgrid.ledger.CapacityClass;
import io.tollgrid.ledger.Effects;
import io.tollgrid.ledger.Funding;
import io.tollgrid.ledger.GrantPolicy;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.LedgerCommand;
import io.tollgrid.ledger.LedgerLimits;
import io.tollgrid.ledger.LedgerRequest;
import io.tollgrid.ledger.LegRole;
import io.tollgrid.ledger.Outcome;
import io.tollgrid.ledger.RowKey;
import io.tollgrid.ledger.StoredRow;
import io.tollgrid.ledger.UsageEvent;
import io.tollgrid.ledger.testing.InMemoryLedger;
import io.tollgrid.ledger.testing.InMemoryLedgerStore;
import io.tollgrid.verification.faults.history.Operation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * One account's life on the reference store, with everything a real run would leave behind.
 *
 * <p>Each command takes a microsecond; clients, members and store share one clock.
 */
final class HonestRun {
  static final Id128 ACCOUNT = new Id128(0xACC, 1);
  static final LedgerLimits LIMITS = LedgerLimits.DEFAULTS;
  private static final Id128 HOLDER = new Id128(0x401, 1);
  private static final Id128 WRITER = new Id128(0x317, 1);
  private static final long SECOND = 1_000_000_000L;
  private static final long TTL = 60 * SECOND;

  private final InMemoryLedger owner =
      new InMemoryLedger(new InMemoryLedgerStore(), LIMITS, SECOND / 2);
  private final List<Operation> operations = new ArrayList<>();
  private final Map<Long, AccountNumbers> numbers = new HashMap<>();
  private final Map<Long, Long> commits = new HashMap<>();
  private long nowNanos = 1_772_625_600L * SECOND;
  private long lastId = 100;
  private long sequence;

  /** A life in which every kind of command took effect and several were refused. */
  static HonestRun ofEveryKind() {
    final HonestRun run = new HonestRun();
    run.ask(run.acquire(run.id(), 5));
    run.ask(
        new LedgerCommand.Create(
            run.id(), AccountStatus.ACTIVE, CapacityClass.BEST_EFFORT, AccountTerms.elastic(50)));
    run.ask(run.acquire(run.id(), 10));
    run.ask(new LedgerCommand.Deposit(run.id(), 1_000));
    final Outcome.Granted first = run.granted(run.acquire(run.id(), 100));
    run.ask(run.acquire(first.leaseId(), 100));
    run.ask(new LedgerCommand.RecordUsage(List.of(run.event(first, 30), run.event(first, 10))));
    run.ask(new LedgerCommand.Return(first.leaseId(), first.fence(), 1, 20));
    run.ask(new LedgerCommand.Return(first.leaseId(), first.fence(), 1, 20));
    run.ask(new LedgerCommand.Return(first.leaseId(), first.fence() + 7, 2, 20));
    run.ask(new LedgerCommand.Renew(first.leaseId(), first.fence(), 2, TTL));
    final Outcome.Granted second =
        run.granted(
            new LedgerCommand.Consolidate(
                run.id(),
                HOLDER,
                first.leaseId(),
                first.fence(),
                20,
                GrantPolicy.of(40, 40),
                TTL,
                0));
    run.ask(
        new LedgerCommand.SetSchedule(
            run.id(),
            BudgetSchedule.monthlyUtc(500),
            LedgerCommand.SetSchedule.Effective.BOUNDARY));
    run.ask(new LedgerCommand.SetStatus(run.id(), AccountStatus.SUSPENDED));
    run.ask(run.acquire(run.id(), 10));
    run.ask(new LedgerCommand.SetStatus(run.id(), AccountStatus.ACTIVE));
    run.ask(new LedgerCommand.Cross());
    final UsageEvent billed = run.event(second, 5);
    run.ask(new LedgerCommand.RecordUsage(List.of(billed)));
    run.ask(new LedgerCommand.RecordUsage(List.of(billed, run.event(second, 1_000_000))));
    run.ask(new LedgerCommand.Credit(run.id(), billed.requestId(), 0, 3));
    run.nowNanos += TTL + 20 * SECOND;
    run.ask(new LedgerCommand.Reclaim(run.nowNanos));
    run.ask(new LedgerCommand.RecordUsage(List.of(run.event(second, 2))));
    final Outcome.Granted third = run.granted(run.acquire(run.id(), 1_000_000));
    run.ask(run.acquire(run.id(), 1_000_000));
    run.ask(new LedgerCommand.Release(third.leaseId(), third.fence(), 1, third.units() - 1));
    run.owner.forget(ACCOUNT);
    run.ask(new LedgerCommand.Release(third.leaseId(), third.fence(), 1, third.units() - 1));
    run.drain();
    run.ask(new LedgerCommand.Deposit(run.id(), 10));
    run.granted(run.acquire(run.id(), 4));
    return run;
  }

  /** A run that has done nothing yet. */
  HonestRun() {}

  LedgerCommand.Acquire acquire(Id128 leaseId, long units) {
    return new LedgerCommand.Acquire(
        leaseId, HOLDER, new GrantPolicy(units, units, 1, Long.MAX_VALUE), TTL, units);
  }

  Outcome.Granted granted(LedgerCommand command) {
    return (Outcome.Granted) ask(command);
  }

  /** Runs a command and records it as a client would. */
  Outcome ask(LedgerCommand command) {
    nowNanos += 1_000;
    final LedgerRequest request =
        new LedgerRequest(ACCOUNT, "honest", nowNanos + 10 * SECOND, command);
    final long submittedAt = nowNanos;
    nowNanos += 1_000;
    final InMemoryLedger.Answer answer = owner.submit(request, nowNanos);
    final Effects effects = answer.effects();
    final AccountLedger ledger = owner.ledger(ACCOUNT);
    if (ledger != null && effects.writes()) {
      numbers.put(ledger.version(), AccountNumbers.of(ledger));
      commits.put(ledger.version(), nowNanos);
    }
    nowNanos += 1_000;
    operations.add(
        new Operation(
            "load-1",
            operations.size() + 1,
            submittedAt,
            request,
            new Operation.Answered(
                nowNanos, answer.outcome(), effects.nextVersion(), effects.ledgerTimeNanos())));
    return answer.outcome();
  }

  Id128 id() {
    return new Id128(0x1D, ++lastId);
  }

  UsageEvent event(Outcome.Granted lease, long units) {
    return new UsageEvent(
        Id128.timeOrdered(nowNanos / 1_000_000, 0, ++lastId),
        0,
        LegRole.BILLING,
        new Funding.Leased(lease.leaseId(), lease.fence()),
        units,
        1,
        List.of(),
        Id128.ZERO,
        Bits256.ZERO,
        nowNanos,
        WRITER,
        ++sequence);
  }

  /** Takes and bills everything, so that nothing remains. */
  private void drain() {
    final Outcome.Granted all = granted(acquire(id(), Long.MAX_VALUE));
    ask(new LedgerCommand.RecordUsage(List.of(event(all, all.units()))));
    ask(acquire(id(), 10));
  }

  AccountEvidence evidence() {
    final InMemoryLedgerStore store = owner.store();
    final List<JournalRow> journal = new ArrayList<>();
    final Map<RowKey, StoredRow> rows = new HashMap<>();
    long funded = 0;
    for (final Effects effects : store.journal(ACCOUNT)) {
      final long version = effects.nextVersion();
      journal.add(
          new JournalRow(
              ACCOUNT,
              version,
              effects.request(),
              effects.outcome(),
              effects.ledgerTimeNanos(),
              numbers.get(version),
              commits.get(version)));
      for (final Effects.FundingEntry entry : effects.funding()) {
        funded += entry.units();
      }
      if (effects.request().command() instanceof LedgerCommand.OperatorCommand command) {
        keep(rows, new RowKey.CommandKey(command.commandId()));
      }
      effects.inserted().forEach(lease -> keep(rows, new RowKey.LeaseKey(lease.id())));
      effects
          .usage()
          .forEach(
              entry ->
                  keep(rows, new RowKey.UsageKey(entry.event().requestId(), entry.event().part())));
      effects
          .rejected()
          .forEach(
              entry ->
                  keep(
                      rows,
                      new RowKey.DeliveryKey(entry.event().writer(), entry.event().sequence())));
    }
    final AccountLedger head = store.load(ACCOUNT).orElseThrow();
    return new AccountEvidence(
        ACCOUNT,
        operations,
        journal,
        new StoredAccount(
            ACCOUNT,
            head.version(),
            head.asOfNanos(),
            AccountNumbers.of(head),
            head.policy().status(),
            head.period().endNanos(),
            rows,
            funded));
  }

  private void keep(Map<RowKey, StoredRow> rows, RowKey key) {
    final StoredRow row = owner.store().row(ACCOUNT, key);
    if (row != null) {
      rows.put(key, row);
    }
  }
}
