package io.tollgrid.verification.simulation;

import io.tollgrid.ledger.AccountLedger;
import io.tollgrid.ledger.AccountStatus;
import io.tollgrid.ledger.AccountTerms;
import io.tollgrid.ledger.BudgetSchedule;
import io.tollgrid.ledger.CapacityClass;
import io.tollgrid.ledger.Decision;
import io.tollgrid.ledger.Effects;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.LedgerCommand;
import io.tollgrid.ledger.LedgerRequest;
import io.tollgrid.ledger.store.Transition;
import java.util.List;

/** The accounts a run begins with, written through the store like everything else. */
final class Founding {
  private static final int FOUNDER = 99;
  private static final long PLAIN_UNITS = 120;
  private static final long ALLOWANCE_UNITS = 60;
  private static final long VAST_UNITS = Long.MAX_VALUE - 60;

  private final Fleet fleet;
  private long numbers;

  private Founding(Fleet fleet) {
    this.fleet = fleet;
  }

  static void fund(Fleet fleet) {
    final Founding founding = new Founding(fleet);
    founding.create(0, AccountTerms.STRICT);
    founding.schedule(0, ALLOWANCE_UNITS);
    founding.deposit(0, PLAIN_UNITS / 2);
    founding.create(1, AccountTerms.STRICT);
    founding.deposit(1, PLAIN_UNITS);
    founding.create(2, AccountTerms.elastic(Scale.OVERAGE_CAP_UNITS));
    founding.schedule(2, ALLOWANCE_UNITS);
    founding.create(Scale.VAST_ACCOUNT, AccountTerms.elastic(Scale.OVERAGE_CAP_UNITS));
    founding.deposit(Scale.VAST_ACCOUNT, VAST_UNITS);
  }

  private void create(int account, AccountTerms terms) {
    run(
        account,
        new LedgerCommand.Create(nextId(), AccountStatus.ACTIVE, CapacityClass.ASSURED, terms));
  }

  private void deposit(int account, long units) {
    run(account, new LedgerCommand.Deposit(nextId(), units));
  }

  private void schedule(int account, long units) {
    run(
        account,
        new LedgerCommand.SetSchedule(
            nextId(), daily(account, units), LedgerCommand.SetSchedule.Effective.BOUNDARY));
  }

  /** Each account's days begin a few seconds after another's. */
  static BudgetSchedule daily(int account, long units) {
    return new BudgetSchedule(BudgetSchedule.Kind.DAY, "-00:00:" + (10 + 7 * account), 1, units);
  }

  private Id128 nextId() {
    return Ids.command(FOUNDER, ++numbers);
  }

  private void run(int account, LedgerCommand command) {
    final SimulatedStore store = fleet.store();
    final AccountLedger before = store.load(account);
    final LedgerRequest request =
        new LedgerRequest(
            Ids.account(account),
            "founder",
            fleet.time().nowNanos() + Scale.NOT_AFTER_NANOS,
            command);
    final Decision decision =
        fleet.ledger().apply(before, request, fleet.time().nowNanos(), Scale.LIMITS);
    final Effects effects = decision.effects();
    if (effects == null || !effects.writes()) {
      throw new IllegalStateException("a founding command was answered " + decision.outcome());
    }
    final int partition = Scale.partitionOf(account);
    final Transition transition =
        new Transition(
            request.account(), partition, store.fence(partition), decision.next(), effects);
    store.commit(store.begin(0, List.of(transition)));
  }
}
