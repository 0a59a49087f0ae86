package io.tollgrid.verification.simulation;

import io.tollgrid.ledger.AccountStatus;
import io.tollgrid.ledger.AccountTerms;
import io.tollgrid.ledger.BudgetSchedule;
import io.tollgrid.ledger.CapacityClass;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.LeaseStep;
import io.tollgrid.ledger.LedgerCommand;
import io.tollgrid.ledger.RowKey;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What operators, sweepers and the rogue ask. */
sealed interface OperatorEvent extends Event {

  /** An account is created. */
  record Creates(int operator, int account, boolean elastic) implements OperatorEvent {
    @Override
    public boolean happen(Fleet fleet) {
      final Id128 id = fleet.operators().nextId();
      return ask(
          fleet,
          operator,
          account,
          new LedgerCommand.Create(
              id, AccountStatus.ACTIVE, CapacityClass.BEST_EFFORT, terms(elastic)));
    }
  }

  /** Units are deposited. */
  record Deposits(int operator, int account, long units) implements OperatorEvent {
    @Override
    public boolean happen(Fleet fleet) {
      final Id128 id = fleet.operators().nextId();
      return ask(fleet, operator, account, new LedgerCommand.Deposit(id, units));
    }
  }

  /** A part that was accepted is credited; one that never was, if there is none. */
  record Credits(int operator, int account, int part, long units) implements OperatorEvent {
    @Override
    public boolean happen(Fleet fleet) {
      final List<RowKey.UsageKey> parts = fleet.store().account(account).acceptedParts();
      final Id128 id = fleet.operators().nextId();
      if (parts.isEmpty()) {
        return ask(fleet, operator, account, new LedgerCommand.Credit(id, id, 0, units));
      }
      final RowKey.UsageKey key = parts.get(parts.size() - 1 - Math.min(part, parts.size() - 1));
      return ask(
          fleet,
          operator,
          account,
          new LedgerCommand.Credit(id, key.requestId(), key.part(), units));
    }
  }

  /** The schedule is set, replaced or, without units, cleared. */
  record Schedules(
      int operator, int account, BudgetSchedule.@Nullable Kind kind, long units, boolean now)
      implements OperatorEvent {
    @Override
    public boolean happen(Fleet fleet) {
      final BudgetSchedule daily = Founding.daily(account, units);
      final @Nullable BudgetSchedule schedule =
          kind == null ? null : new BudgetSchedule(kind, daily.zone(), 1, units);
      final Id128 id = fleet.operators().nextId();
      return ask(
          fleet,
          operator,
          account,
          new LedgerCommand.SetSchedule(
              id,
              schedule,
              now && schedule != null
                  ? LedgerCommand.SetSchedule.Effective.NOW
                  : LedgerCommand.SetSchedule.Effective.BOUNDARY));
    }
  }

  /** The status is set. */
  record SetsStatus(int operator, int account, AccountStatus status) implements OperatorEvent {
    @Override
    public boolean happen(Fleet fleet) {
      final Id128 id = fleet.operators().nextId();
      return ask(fleet, operator, account, new LedgerCommand.SetStatus(id, status));
    }
  }

  /** The capacity class is set. */
  record SetsClass(int operator, int account, CapacityClass capacityClass)
      implements OperatorEvent {
    @Override
    public boolean happen(Fleet fleet) {
      final Id128 id = fleet.operators().nextId();
      return ask(fleet, operator, account, new LedgerCommand.SetCapacityClass(id, capacityClass));
    }
  }

  /** The terms are replaced. */
  record SetsTerms(int operator, int account, boolean elastic) implements OperatorEvent {
    @Override
    public boolean happen(Fleet fleet) {
      final Id128 id = fleet.operators().nextId();
      return ask(fleet, operator, account, new LedgerCommand.SetTerms(id, terms(elastic)));
    }
  }

  /** A sweep reclaims, with its own clock as the cutoff. */
  record SweepReclaims(int sweeper, int account) implements OperatorEvent {
    @Override
    public boolean happen(Fleet fleet) {
      final int lane = Lanes.sweeper(sweeper);
      return fleet
          .operators()
          .ask(lane, account, new LedgerCommand.Reclaim(fleet.clientClock(lane)));
    }
  }

  /** A sweep crosses. */
  record SweepCrosses(int sweeper, int account) implements OperatorEvent {
    @Override
    public boolean happen(Fleet fleet) {
      return fleet.operators().ask(Lanes.sweeper(sweeper), account, new LedgerCommand.Cross());
    }
  }

  /** The rogue takes a step it may not take; {@code which} counts leases, newest first. */
  record RogueSteps(int account, LeaseStep.Kind kind, Rogue.Flaw flaw, int which)
      implements OperatorEvent {
    @Override
    public boolean happen(Fleet fleet) {
      return fleet.rogue().step(account, kind, flaw, which);
    }
  }

  /** The rogue consolidates what it may not. */
  record RogueConsolidates(int account, Rogue.Flaw flaw, int which) implements OperatorEvent {
    @Override
    public boolean happen(Fleet fleet) {
      return fleet.rogue().consolidate(account, flaw, which);
    }
  }

  /** The rogue acquires for too long, or under an id that is taken. */
  record RogueAcquires(int account, boolean takenId, int which) implements OperatorEvent {
    @Override
    public boolean happen(Fleet fleet) {
      return fleet.rogue().acquire(account, takenId, which);
    }
  }

  /** The rogue reports usage that nobody granted. */
  record RogueReports(int account, Rogue.UsageFlaw flaw, int which) implements OperatorEvent {
    @Override
    public boolean happen(Fleet fleet) {
      return fleet.rogue().usage(account, flaw, which);
    }
  }

  /** The rogue sends another command under an operator's id. */
  record RogueReusesCommandId(int account, CommandKind kind) implements OperatorEvent {
    @Override
    public boolean happen(Fleet fleet) {
      return fleet.rogue().reuseCommandId(account, kind);
    }
  }

  private static boolean ask(Fleet fleet, int operator, int account, LedgerCommand command) {
    return fleet.operators().ask(Lanes.operator(operator), account, command);
  }

  private static AccountTerms terms(boolean elastic) {
    return elastic ? AccountTerms.elastic(Scale.OVERAGE_CAP_UNITS) : AccountTerms.STRICT;
  }

  /** A command of this kind that nobody else sends, under this id. */
  static LedgerCommand impossible(Id128 id, CommandKind kind) {
    return switch (kind) {
      case CREATE ->
          new LedgerCommand.Create(
              id, AccountStatus.SUSPENDED, CapacityClass.ASSURED, AccountTerms.elastic(1));
      case DEPOSIT -> new LedgerCommand.Deposit(id, 777);
      case CREDIT -> new LedgerCommand.Credit(id, id, 7, 7);
      case SET_SCHEDULE ->
          new LedgerCommand.SetSchedule(
              id, BudgetSchedule.monthlyUtc(7), LedgerCommand.SetSchedule.Effective.NOW);
      case SET_STATUS -> new LedgerCommand.SetStatus(id, AccountStatus.CLOSED);
      case SET_CLASS -> new LedgerCommand.SetCapacityClass(id, CapacityClass.ASSURED);
      default -> new LedgerCommand.SetTerms(id, AccountTerms.elastic(7));
    };
  }
}
