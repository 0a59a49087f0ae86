package io.tollgrid.verification.simulation;

import io.tollgrid.ledger.AccountLedger;
import io.tollgrid.ledger.AccountPolicy;
import io.tollgrid.ledger.Balances;
import io.tollgrid.ledger.BudgetSchedule;
import io.tollgrid.ledger.CapacityClass;
import io.tollgrid.ledger.Effects;
import io.tollgrid.ledger.EnforcementMode;
import io.tollgrid.ledger.GrantPolicy;
import io.tollgrid.ledger.LeaseState;
import io.tollgrid.ledger.LeaseStep;
import io.tollgrid.ledger.LedgerCommand;
import io.tollgrid.ledger.Outcome;
import io.tollgrid.ledger.Period;
import io.tollgrid.ledger.RowKey;
import io.tollgrid.ledger.StoredRow;
import io.tollgrid.ledger.UsageVerdict;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What each command may do to an account, stated apart from the ledger (R2, R12, R14, R18, R20).
 */
final class TransitionRules {
  private final ReferenceAccount account;
  private final Effects effects;
  private final AccountRows rows;

  private TransitionRules(ReferenceAccount account, Effects effects, AccountRows rows) {
    this.account = account;
    this.effects = effects;
    this.rows = rows;
  }

  /**
   * Refuses a write that is not what the rules make of the command.
   *
   * @param before the ledger as committed, null if there is none
   * @param rows its rows, not yet written
   * @param next what is about to be written
   */
  static void require(
      @Nullable AccountLedger before, AccountRows rows, Effects effects, AccountLedger next) {
    if (before == null) {
      requireCreated(effects, next);
      return;
    }
    final ReferenceAccount account = new ReferenceAccount(before, rows, effects.ledgerTimeNanos());
    account.crossIfDue();
    new TransitionRules(account, effects, rows).apply();
    account.requireEquals(next);
  }

  private static void requireCreated(Effects effects, AccountLedger next) {
    if (!(effects.request().command() instanceof LedgerCommand.Create create)
        || !next.balances().equals(Balances.ZERO)
        || next.nextFence() != 1
        || !next.period().equals(Period.UNSCHEDULED)
        || !next.active().isEmpty()
        || next.policy().generation() != 1
        || next.policy().status() != create.status()
        || next.policy().capacityClass() != create.capacityClass()
        || !next.policy().terms().equals(create.terms())
        || next.policy().everElastic() != (create.terms().mode() == EnforcementMode.ELASTIC)) {
      throw new Violation("R17", "an account is created empty, as asked", next.toString());
    }
  }

  private void apply() {
    final LedgerCommand command = effects.request().command();
    if (effects.outcome() instanceof Outcome.Refused) {
      if (!account.crossed) {
        throw new Violation("R16", "a refusal moves nothing but a due boundary", what());
      }
    } else if (command instanceof LedgerCommand.OperatorCommand operator) {
      operator(operator);
    } else if (command instanceof LedgerCommand.Acquire acquire) {
      final long units = grant(acquire.policy());
      account.grant(acquire.leaseId(), acquire.holder(), units, acquire.ttlNanos());
      requireOutcome(effects.outcome() instanceof Outcome.Granted g && g.units() == units);
    } else if (command instanceof LedgerCommand.Consolidate consolidate) {
      consolidate(consolidate);
    } else if (command instanceof LedgerCommand.LeaseStepCommand step) {
      step(step);
    } else if (command instanceof LedgerCommand.RecordUsage) {
      usage();
    } else if (command instanceof LedgerCommand.Reclaim reclaim) {
      reclaim(reclaim);
    } else {
      requireOutcome(
          account.crossed
              && effects.outcome() instanceof Outcome.Crossed c
              && c.periodNumber() == account.periodNumber);
    }
  }

  private void operator(LedgerCommand.OperatorCommand command) {
    final AccountPolicy old = account.policy;
    if (command instanceof LedgerCommand.Deposit deposit) {
      fund(deposit.units());
    } else if (command instanceof LedgerCommand.Credit credit) {
      final StoredRow row = rows.row(new RowKey.UsageKey(credit.requestId(), credit.part()));
      requireOutcome(
          row instanceof StoredRow.UsageRow original
              && original.verdict() != UsageVerdict.UNFUNDED
              && original.creditedUnits() + credit.units() <= original.units());
      fund(credit.units());
    } else if (command instanceof LedgerCommand.SetSchedule schedule) {
      schedule(schedule);
    } else if (command instanceof LedgerCommand.SetStatus status) {
      account.policy =
          new AccountPolicy(
              old.generation() + (status.status() == old.status() ? 0 : 1),
              status.status(),
              old.capacityClass(),
              old.terms(),
              old.everElastic());
    } else if (command instanceof LedgerCommand.SetCapacityClass capacity) {
      final CapacityClass next = capacity.capacityClass();
      account.policy =
          new AccountPolicy(
              old.generation() + (next == old.capacityClass() ? 0 : 1),
              old.status(),
              next,
              old.terms(),
              old.everElastic());
    } else if (command instanceof LedgerCommand.SetTerms terms) {
      account.policy =
          new AccountPolicy(
              old.generation() + (terms.terms().equals(old.terms()) ? 0 : 1),
              old.status(),
              old.capacityClass(),
              terms.terms(),
              old.everElastic() || terms.terms().mode() == EnforcementMode.ELASTIC);
    } else {
      throw new Violation("R17", "an account that exists is not created again", what());
    }
  }

  private void fund(long units) {
    account.deposited += units;
    account.topUp += units;
    requireOutcome(effects.outcome() instanceof Outcome.Funded f && f.units() == units);
  }

  private void schedule(LedgerCommand.SetSchedule command) {
    final BudgetSchedule schedule = command.schedule();
    if (schedule != null && command.effective() == LedgerCommand.SetSchedule.Effective.NOW) {
      account.begin(schedule, true);
    } else if (account.schedule != null) {
      account.changePending = true;
      account.afterChange = schedule;
    } else if (schedule != null) {
      account.begin(schedule, account.isUnfunded(schedule));
    } else {
      throw new Violation("R14", "there is a schedule to clear", what());
    }
  }

  /** {@code min(want, cap(b), b, max_grant)} with {@code cap(b) = max(minimum, ⌊b / shrink⌋)}. */
  private long grant(GrantPolicy policy) {
    final long balance = account.balance();
    final long cap = Math.max(policy.minimumUnits(), balance / policy.shrink());
    final long share = Math.min(Math.min(policy.targetUnits(), cap), balance);
    return Math.min(share, policy.maxGrantUnits());
  }

  private void consolidate(LedgerCommand.Consolidate command) {
    final ReferenceLease old = account.lease(command.oldLeaseId());
    if (old == null
        || old.state != LeaseState.ACTIVE
        || old.fence != command.oldFence()
        || old.left() < command.freeUnits()) {
      throw new Violation("R3", "a consolidation folds a lease that can be folded", what());
    }
    final long restored = account.giveBack(old, command.freeUnits());
    final long balance = account.balance();
    final GrantPolicy policy = command.policy();
    final long cap = Math.max(policy.minimumUnits(), balance / policy.shrink());
    long units = Math.max(restored, Math.min(Math.min(policy.targetUnits(), cap), balance));
    if (command.demandUnits() <= balance) {
      units = Math.max(units, command.demandUnits());
    }
    if (old.left() == 0) {
      account.end(old);
    }
    account.grant(command.leaseId(), command.holder(), units, command.ttlNanos());
    final long granted = units;
    requireOutcome(
        effects.outcome() instanceof Outcome.Granted g
            && g.units() == granted
            && g.restoredUnits() == restored);
  }

  private void step(LedgerCommand.LeaseStepCommand command) {
    final ReferenceLease lease = account.lease(command.leaseId());
    if (lease == null
        || lease.state != LeaseState.ACTIVE
        || lease.fence != command.fence()
        || lease.step() + 1 != command.step()) {
      throw new Violation("R11", "a step needs its capability and the next number", what());
    }
    if (command instanceof LedgerCommand.Renew renew) {
      lease.expiresAtNanos = Math.max(lease.expiresAtNanos, account.nowNanos() + renew.ttlNanos());
      lease.lastStep =
          new LeaseStep(
              renew.step(), LeaseStep.Kind.RENEW, renew.ttlNanos(), 0, 0, 0, lease.expiresAtNanos);
    } else {
      giveBack(lease, command);
    }
    requireOutcome(
        effects.outcome() instanceof Outcome.Stepped s && s.receipt().equals(lease.lastStep));
  }

  private void giveBack(ReferenceLease lease, LedgerCommand.LeaseStepCommand command) {
    final boolean ends = command instanceof LedgerCommand.Release;
    final long units =
        command instanceof LedgerCommand.Return back
            ? back.units()
            : ((LedgerCommand.Release) command).unspentUnits();
    if (lease.left() < units) {
      throw new Violation("R12", "no more is given back than is left", what());
    }
    final long restored = account.giveBack(lease, units);
    lease.lastStep =
        new LeaseStep(
            command.step(),
            ends ? LeaseStep.Kind.RELEASE : LeaseStep.Kind.RETURN,
            units,
            restored,
            units - restored,
            ends ? lease.left() : 0,
            lease.expiresAtNanos);
    if (ends) {
      account.end(lease);
    }
  }

  private void reclaim(LedgerCommand.Reclaim command) {
    final List<ReferenceLease> due =
        account.dueBy(Math.min(command.cutoffNanos(), account.nowNanos()));
    final int taken = Math.min(due.size(), Scale.LIMITS.maxReclaimed());
    long lost = 0;
    for (final ReferenceLease lease : due.subList(0, taken)) {
      lost += lease.left();
      account.end(lease);
    }
    requireOutcome(
        taken > 0
            && effects.outcome().equals(new Outcome.Reclaimed(taken, lost, due.size() > taken)));
  }

  private void usage() {
    final UsageRules rules = new UsageRules(account, effects.ledgerTimeNanos());
    rules.require(effects, rows);
  }

  private void requireOutcome(boolean holds) {
    if (!holds) {
      throw new Violation("R12", "an answer says what was done", what());
    }
  }

  private String what() {
    return effects.request().command() + " was answered " + effects.outcome() + " on " + account;
  }
}
