package io.tollgrid.verification.simulation;

import io.tollgrid.ledger.AccountLedger;
import io.tollgrid.ledger.AccountStatus;
import io.tollgrid.ledger.BudgetSchedule;
import io.tollgrid.ledger.CapacityClass;
import io.tollgrid.ledger.LeaseStep;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What operators, sweepers and the rogue may do next, and how often. */
final class OperatorChoices {
  private static final CommandKind[] OPERATOR_KINDS = {
    CommandKind.CREATE,
    CommandKind.DEPOSIT,
    CommandKind.CREDIT,
    CommandKind.SET_SCHEDULE,
    CommandKind.SET_STATUS,
    CommandKind.SET_CLASS,
    CommandKind.SET_TERMS
  };

  private final Fleet fleet;
  private final SplittableRandom random;

  OperatorChoices(Fleet fleet, SplittableRandom random) {
    this.fleet = fleet;
    this.random = random;
  }

  Map<Supplier<@Nullable Event>, Integer> sources() {
    final Map<Supplier<@Nullable Event>, Integer> sources = new LinkedHashMap<>();
    sources.put(this::creates, 60);
    sources.put(this::deposits, 130);
    sources.put(this::credits, 90);
    sources.put(this::schedules, 60);
    sources.put(this::setsStatus, 60);
    sources.put(
        () ->
            new OperatorEvent.SetsClass(
                operator(),
                account(),
                random.nextBoolean() ? CapacityClass.ASSURED : CapacityClass.BEST_EFFORT),
        35);
    sources.put(() -> new OperatorEvent.SetsTerms(operator(), account(), random.nextBoolean()), 35);
    sources.put(this::reclaims, 350);
    sources.put(this::crosses, 200);
    sources.put(this::rogueSteps, 170);
    sources.put(() -> new OperatorEvent.RogueConsolidates(account(), flaw(), lease()), 60);
    sources.put(
        () -> new OperatorEvent.RogueAcquires(account(), random.nextInt(3) != 0, lease()), 40);
    sources.put(this::rogueReports, 100);
    sources.put(
        () ->
            new OperatorEvent.RogueReusesCommandId(
                account(), OPERATOR_KINDS[random.nextInt(OPERATOR_KINDS.length)]),
        50);
    return sources;
  }

  private Event creates() {
    final int account =
        random.nextInt(3) == 0 ? account() : random.nextInt(Scale.CREATED_ACCOUNTS, Scale.ACCOUNTS);
    return new OperatorEvent.Creates(operator(), account, random.nextBoolean());
  }

  private Event deposits() {
    final int account = account();
    final long units =
        account == Scale.VAST_ACCOUNT && random.nextInt(3) == 0 ? 100_000 : 1 + random.nextInt(40);
    return new OperatorEvent.Deposits(operator(), account, units);
  }

  private Event credits() {
    return new OperatorEvent.Credits(
        operator(), account(), random.nextInt(5), 1 + random.nextInt(10));
  }

  private Event schedules() {
    final int account = account();
    if (account == Scale.VAST_ACCOUNT && random.nextInt(3) != 0) {
      return new OperatorEvent.Schedules(
          operator(), account, BudgetSchedule.Kind.DAY, 100_000, true);
    }
    final BudgetSchedule.@Nullable Kind kind =
        switch (random.nextInt(6)) {
          case 0 -> null;
          case 1 -> BudgetSchedule.Kind.WEEK;
          case 2 -> BudgetSchedule.Kind.MONTH;
          default -> BudgetSchedule.Kind.DAY;
        };
    return new OperatorEvent.Schedules(
        operator(), account, kind, random.nextInt(50), random.nextInt(3) == 0);
  }

  /** Suspends and resumes; closes, which is for ever, mostly what was created during the run. */
  private Event setsStatus() {
    final int account = account();
    final int choice = random.nextInt(10);
    final boolean mayClose = account >= Scale.CREATED_ACCOUNTS || random.nextInt(8) == 0;
    final AccountStatus status;
    if (choice == 0 && mayClose) {
      status = AccountStatus.CLOSED;
    } else {
      status = choice < 4 ? AccountStatus.SUSPENDED : AccountStatus.ACTIVE;
    }
    return new OperatorEvent.SetsStatus(operator(), account, status);
  }

  private @Nullable Event reclaims() {
    final int account = account();
    if (!fleet.store().account(account).hasActiveLeases() && random.nextInt(8) != 0) {
      return null;
    }
    return new OperatorEvent.SweepReclaims(sweeper(), account);
  }

  /** Where a boundary is due, if it is anywhere: every other command would cross it as well. */
  private @Nullable Event crosses() {
    final int from = account();
    for (int i = 0; i < Scale.ACCOUNTS; i++) {
      final int account = (from + i) % Scale.ACCOUNTS;
      final AccountLedger ledger = fleet.store().load(account);
      if (ledger != null && ledger.period().endNanos() <= fleet.time().nowNanos()) {
        return new OperatorEvent.SweepCrosses(sweeper(), account);
      }
    }
    return random.nextInt(3) == 0 ? new OperatorEvent.SweepCrosses(sweeper(), from) : null;
  }

  private Event rogueSteps() {
    final LeaseStep.Kind[] kinds = LeaseStep.Kind.values();
    return new OperatorEvent.RogueSteps(
        account(), kinds[random.nextInt(kinds.length)], flaw(), lease());
  }

  private Event rogueReports() {
    final Rogue.UsageFlaw[] flaws = Rogue.UsageFlaw.values();
    final Rogue.UsageFlaw flaw = flaws[random.nextInt(flaws.length)];
    final int account = flaw == Rogue.UsageFlaw.OVERFLOW ? Scale.VAST_ACCOUNT : account();
    return new OperatorEvent.RogueReports(account, flaw, lease());
  }

  private Rogue.Flaw flaw() {
    final Rogue.Flaw[] flaws = Rogue.Flaw.values();
    return flaws[random.nextInt(flaws.length)];
  }

  /** Often the newest lease: the one an owner may not know of yet. */
  private int lease() {
    return random.nextBoolean() ? 0 : random.nextInt(8);
  }

  private int operator() {
    return random.nextInt(Scale.OPERATORS);
  }

  private int sweeper() {
    return random.nextInt(Scale.SWEEPERS);
  }

  private int account() {
    return random.nextInt(Scale.ACCOUNTS);
  }
}
