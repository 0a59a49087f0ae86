package io.tollgrid.verification.faults.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.LedgerCommand;
import io.tollgrid.ledger.LedgerLimits;
import io.tollgrid.ledger.LedgerRequest;
import io.tollgrid.ledger.Outcome;
import io.tollgrid.ledger.Refusal;
import io.tollgrid.ledger.UsageVerdict;
import io.tollgrid.ledger.store.Verdict;
import io.tollgrid.ledger.testing.InMemoryLedger;
import io.tollgrid.ledger.testing.InMemoryLedgerStore;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * Witnesses that the load asks for everything a ledger can do and refuse (R3, R11, R12, R15, R16,
 * R18, R20), and that two processes submit the same shared commands.
 */
class WorkloadTest {
  private static final long SEED = 7;
  private static final long SECOND = 1_000_000_000L;
  private static final int COMMANDS = 40_000;

  private final Population population = new Population(SEED, 200);
  private final SharedCommands shared = new SharedCommands(SEED, population);
  private final InMemoryLedger ledger =
      new InMemoryLedger(new InMemoryLedgerStore(), shortGrace(), SECOND / 2);
  private final Set<String> commands = new TreeSet<>();
  private final Set<Refusal> refusals = EnumSet.noneOf(Refusal.class);
  private final Set<UsageVerdict> verdicts = EnumSet.noneOf(UsageVerdict.class);
  private long nowNanos = 1_772_625_600L * SECOND;

  @Test
  void everyCommandEveryVerdictAndTheRefusalsThatMatterOccur() {
    final Workload workload =
        new Workload(population, shared, () -> nowNanos, "load-1", new Id128(1, 1));
    final SplittableRandom random = new SplittableRandom(SEED);
    for (Errand errand = workload.found(); errand != null; errand = workload.found()) {
      run(errand);
    }
    for (int i = 0; i < COMMANDS; i++) {
      run(workload.next(random));
    }

    assertThat(commands)
        .containsExactlyInAnyOrder(
            "Create",
            "Deposit",
            "Credit",
            "SetSchedule",
            "SetStatus",
            "SetCapacityClass",
            "SetTerms",
            "Acquire",
            "Consolidate",
            "Return",
            "Renew",
            "Release",
            "RecordUsage",
            "Reclaim",
            "Cross");
    assertThat(verdicts)
        .contains(
            UsageVerdict.LEASED,
            UsageVerdict.STRAGGLER,
            UsageVerdict.OVERAGE,
            UsageVerdict.UNFUNDED,
            UsageVerdict.DUPLICATE,
            UsageVerdict.BEYOND_LOSS,
            UsageVerdict.OVERAGE_FORBIDDEN);
    assertThat(refusals)
        .contains(
            Refusal.UNKNOWN_ACCOUNT,
            Refusal.CONFLICT,
            Refusal.EXPIRED,
            Refusal.ACCOUNT_SUSPENDED,
            Refusal.CAPABILITY,
            Refusal.LEASE_ENDED,
            Refusal.STEP_GAP,
            Refusal.BEYOND_LEASE,
            Refusal.BEYOND_BILLED,
            Refusal.BALANCE_EXHAUSTED,
            Refusal.BALANCE_INSUFFICIENT,
            Refusal.NOTHING_DUE,
            Refusal.NOT_DUE,
            Refusal.NO_SCHEDULE);
  }

  @Test
  void twoProcessesSubmitTheSameSharedCommandsAndNothingElseAlike() {
    final List<LedgerCommand> first = founding(new Id128(1, 1));
    final List<LedgerCommand> second = founding(new Id128(2, 2));

    assertThat(first).hasSize(shared.founding()).isEqualTo(second).doesNotHaveDuplicates();
    assertThat(new SharedCommands(SEED, population).get(12_345)).isEqualTo(shared.get(12_345));
    assertThat(new SharedCommands(SEED + 1, population).get(12_345))
        .isNotEqualTo(shared.get(12_345));
  }

  private List<LedgerCommand> founding(Id128 self) {
    final Workload workload = new Workload(population, shared, () -> nowNanos, "load", self);
    final List<LedgerCommand> founding = new ArrayList<>();
    for (Errand errand = workload.found(); errand != null; errand = workload.found()) {
      founding.add(errand.request().command());
    }
    return founding;
  }

  private void run(Errand errand) {
    nowNanos += SECOND / 500;
    final LedgerRequest request = errand.request();
    final InMemoryLedger.Answer answer = ledger.submit(request, nowNanos);
    assertThat(answer.verdict()).isIn(Verdict.COMMIT, Verdict.CONFIRMED);
    final Outcome outcome = answer.outcome();
    commands.add(request.command().getClass().getSimpleName());
    if (outcome instanceof Outcome.Refused refused) {
      refusals.add(refused.reason());
    } else if (outcome instanceof Outcome.UsageRecorded recorded) {
      verdicts.addAll(recorded.verdicts());
    }
    errand.answered().accept(outcome);
  }

  private static LedgerLimits shortGrace() {
    final LedgerLimits limits = LedgerLimits.DEFAULTS;
    return new LedgerLimits(
        limits.maxTtlNanos(),
        SECOND,
        limits.maxActiveLeases(),
        limits.settledKept(),
        limits.lossKept(),
        limits.stragglerHorizonNanos(),
        limits.requestIdHorizonNanos(),
        limits.requestIdAheadNanos(),
        limits.maxReclaimed(),
        limits.recallNanos());
  }
}
