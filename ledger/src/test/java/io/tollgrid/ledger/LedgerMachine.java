package io.tollgrid.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.tollgrid.ledger.oracle.OracleAccount;
import io.tollgrid.ledger.oracle.OracleAccount.Expected;
import io.tollgrid.ledger.store.Verdict;
import io.tollgrid.ledger.testing.InMemoryLedger;
import io.tollgrid.ledger.testing.InMemoryLedger.Answer;
import io.tollgrid.ledger.testing.InMemoryLedgerStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Two accounts in one store, driven by a script of choices, each compared with its oracle after
 * every step.
 */
final class LedgerMachine {
  private static final Duration MAX_SKEW = Duration.ofMillis(500);
  private static final LedgerLimits LIMITS =
      Limits.with(
          limits -> {
            limits.maxActiveLeases = 6;
            limits.settledKept = 3;
            limits.lossKept = 3;
            limits.maxReclaimed = 2;
          });
  private static final List<Id128> ACCOUNTS = List.of(new Id128(0xA, 1), new Id128(0xA, 2));
  private static final long SECOND = 1_000_000_000L;

  private final InMemoryLedger owner =
      new InMemoryLedger(new InMemoryLedgerStore(), LIMITS, MAX_SKEW.toNanos());
  private final Map<Id128, OracleAccount> oracles = new LinkedHashMap<>();
  private final Map<Id128, List<LedgerRequest>> history = new LinkedHashMap<>();
  private final ScriptedCommands commands = new ScriptedCommands(LIMITS);
  private final Set<String> seen = new LinkedHashSet<>();
  private long clock = OneAccount.NOON;
  private long storeClock = OneAccount.NOON;

  LedgerMachine() {
    for (final Id128 account : ACCOUNTS) {
      oracles.put(account, new OracleAccount(account, LIMITS));
      history.put(account, new ArrayList<>());
    }
    final LedgerCommand create =
        new LedgerCommand.Create(
            commands.nextId(),
            AccountStatus.ACTIVE,
            CapacityClass.BEST_EFFORT,
            AccountTerms.elastic(100));
    submit(new LedgerRequest(ACCOUNTS.get(0), "machine", clock, create), 0);
  }

  /** What was reached so far: commands with their outcomes, verdicts, refusals. */
  Set<String> seen() {
    return seen;
  }

  /** What a good generator reaches. */
  static List<String> labelsToReach() {
    final List<String> labels = new ArrayList<>();
    for (final Class<?> command : SealedTypes.leavesOf(LedgerCommand.class)) {
      labels.add(command.getSimpleName() + " applied");
      if (command != LedgerCommand.RecordUsage.class) {
        labels.add(command.getSimpleName() + " refused");
      }
      if (command != LedgerCommand.Reclaim.class && command != LedgerCommand.Cross.class) {
        labels.add(command.getSimpleName() + " answered from its receipt");
      }
    }
    for (final Refusal refusal : Refusal.values()) {
      if (refusal != Refusal.UNAUTHENTICATED) {
        labels.add(refusal.name());
      }
    }
    for (final UsageVerdict verdict : UsageVerdict.values()) {
      labels.add(verdict.name());
    }
    labels.add("a crossing with a refusal");
    labels.add("a straggler on a row");
    labels.add("memory that missed a commit");
    labels.add("a clock ahead");
    labels.add("a recall");
    labels.add("a fold across a boundary");
    return labels;
  }

  void run(ScriptedCommands.Step step) {
    passTime(step);
    final boolean second =
        step.d() % 8 == 0 || (step.op() == ScriptedCommands.Op.CREATE && step.d() % 8 < 6);
    final Id128 account = ACCOUNTS.get(second ? 1 : 0);
    switch (step.op()) {
      case FORGET -> {
        owner.forget(account);
        check(account);
      }
      case TAKE_OVER -> {
        owner.takeOver();
        check(account);
      }
      case RETRY -> {
        final List<LedgerRequest> earlier = history.get(account);
        if (!earlier.isEmpty()) {
          submit(earlier.get(ScriptedCommands.recent(step.a(), earlier.size())), step.fault());
        }
      }
      default -> {
        final LedgerCommand command =
            commands.of(step, oracles.get(account), history.get(account), clock);
        if (command != null) {
          final boolean late = step.b() % 23 == 0;
          submit(
              new LedgerRequest(
                  account, "machine", late ? clock - 1 : storeClock + 10 * SECOND, command),
              step.fault());
        }
      }
    }
  }

  // Time

  private void passTime(ScriptedCommands.Step step) {
    final OracleAccount oracle = oracles.get(ACCOUNTS.get(0));
    final long a = step.time();
    clock =
        switch (step.time() % 16) {
          case 0, 1, 2, 3, 4 -> clock;
          case 5, 6, 7 -> clock + a % (2 * SECOND);
          case 8 -> clock + a % (90 * SECOND) * 1_000;
          case 9 -> clock - a % 5 * SECOND;
          case 10 -> near(oracle.nextReclaim(), a);
          case 11 -> near(oracle.periodEnd(), a);
          case 12 -> clock + a % 40 * 24 * 3_600 * SECOND / (1 + a % 3 * 20);
          case 13 -> clock + a % 90 * SECOND;
          default -> clock;
        };
    storeClock = Math.max(storeClock, clock);
  }

  /** Just before, at, or just after an instant that is not too far away. */
  private long near(long instant, long choice) {
    return instant == Long.MAX_VALUE || instant < clock ? clock : instant - 1 + choice % 3;
  }

  // Running and comparing

  private void submit(LedgerRequest request, int fault) {
    final OracleAccount oracle = oracles.get(request.account());
    if (fault % 37 == 0) {
      assertAheadOfTheStore(request);
    }
    final AccountLedger before = owner.store().load(request.account()).orElse(null);
    final Expected expected = oracle.apply(request, clock);
    history.get(request.account()).add(request);
    final boolean unnoticed = fault % 19 == 0 && expected.writes();
    final Answer answer =
        unnoticed
            ? owner.submitUnnoticed(request, clock, storeClock)
            : owner.submit(request, clock, storeClock);

    assertThat(answer.verdict().stands()).as("%s stands, for %s", answer, request).isTrue();
    assertThat(answer.outcome()).as("the answer to %s", request).isEqualTo(expected.outcome());
    assertThat(answer.unmetDemandUnits())
        .as("the recall after %s", request)
        .isEqualTo(expected.unmetDemand());
    assertThat(answer.effects().writes())
        .as("whether %s writes", request)
        .isEqualTo(expected.writes());
    note(request, answer, before, unnoticed);
    check(request.account());
    assertMovesOnlyForward(before, owner.store().load(request.account()).orElse(null));
    assertSecondTimeChangesNothing(request, expected.outcome());
  }

  /** R57: nothing is written under a clock too far ahead, whatever was asked. */
  private void assertAheadOfTheStore(LedgerRequest request) {
    final long version = owner.store().version(request.account());
    final long ahead = storeClock + MAX_SKEW.toNanos() + 1;
    assertThat(owner.submit(request, ahead, storeClock).verdict()).isEqualTo(Verdict.CLOCK_AHEAD);
    assertThat(owner.store().version(request.account())).isEqualTo(version);
    see("a clock ahead");
  }

  private void check(Id128 account) {
    final OracleAccount oracle = oracles.get(account);
    final InMemoryLedgerStore store = owner.store();
    final AccountLedger stored = store.load(account).orElse(null);
    assertThat(oracle.differences(stored, store.leases(account))).isEmpty();
    assertThat(oracle.conserves()).isTrue();
    assertThat(store.verify(account)).isEmpty();
    if (stored != null) {
      assertMemory(stored, owner.ledger(account));
    }
  }

  private static void assertMemory(AccountLedger stored, AccountLedger memory) {
    if (memory.version() == stored.version()) {
      assertThat(memory.balances()).isEqualTo(stored.balances());
      assertThat(memory.active()).isEqualTo(stored.active());
      assertThat(memory.losses()).isEqualTo(stored.losses());
      assertThat(memory.losses()).hasSizeLessThanOrEqualTo(LIMITS.lossKept());
      assertThat(memory.settled()).hasSizeLessThanOrEqualTo(LIMITS.settledKept());
    } else {
      assertThat(memory.version()).as("memory is never ahead").isLessThan(stored.version());
    }
  }

  private static void assertMovesOnlyForward(
      @Nullable AccountLedger before, @Nullable AccountLedger after) {
    if (before == null || after == null) {
      return;
    }
    assertThat(after.version()).isBetween(before.version(), before.version() + 1);
    assertThat(after.asOfNanos()).isGreaterThanOrEqualTo(before.asOfNanos());
    assertThat(after.nextFence()).isGreaterThanOrEqualTo(before.nextFence());
    assertThat(after.period().number()).isGreaterThanOrEqualTo(before.period().number());
    final Balances now = after.balances();
    final Balances then = before.balances();
    assertThat(now.deposited()).isGreaterThanOrEqualTo(then.deposited());
    assertThat(now.billed()).as("billed is monotone (R23)").isGreaterThanOrEqualTo(then.billed());
    assertThat(now.overage()).isGreaterThanOrEqualTo(then.overage());
    assertThat(now.expired()).isGreaterThanOrEqualTo(then.expired());
    assertThat(now.unfunded()).isGreaterThanOrEqualTo(then.unfunded());
    assertThat(now.billed() - now.overage())
        .as("never more than was allocated (R1)")
        .isLessThanOrEqualTo(now.deposited());
  }

  /** R16: the same command again. By state only for reclaim and crossing. */
  private void assertSecondTimeChangesNothing(LedgerRequest request, Outcome first) {
    if (request.command() instanceof LedgerCommand.Reclaim
        || request.command() instanceof LedgerCommand.Cross) {
      return;
    }
    final long version = owner.store().version(request.account());
    final Answer again = owner.submit(request, clock, storeClock);
    assertThat(again.outcome()).as("%s again", request).isEqualTo(asReceipt(first));
    assertThat(again.effects().writes()).isFalse();
    assertThat(owner.store().version(request.account())).isEqualTo(version);
  }

  private static Outcome asReceipt(Outcome outcome) {
    return outcome instanceof Outcome.Granted granted
        ? new Outcome.Granted(
            granted.leaseId(), granted.fence(), granted.units(), granted.expiresAtNanos(), 0, null)
        : outcome;
  }

  private void note(
      LedgerRequest request, Answer answer, @Nullable AccountLedger before, boolean unnoticed) {
    final String command = request.command().getClass().getSimpleName();
    final boolean writes = answer.effects().writes();
    if (answer.outcome() instanceof Outcome.Refused refused) {
      see(command + " refused");
      see(refused.reason().name());
      if (writes) {
        see("a crossing with a refusal");
      }
    } else {
      see(command + (writes ? " applied" : " answered from its receipt"));
    }
    if (answer.outcome() instanceof Outcome.UsageRecorded recorded) {
      recorded.verdicts().forEach(verdict -> see(verdict.name()));
      if (answer.effects().updated().stream()
          .anyMatch(lease -> before != null && before.lease(lease.id()) == null)) {
        see("a straggler on a row");
      }
    }
    if (answer.outcome() instanceof Outcome.Granted granted
        && request.command() instanceof LedgerCommand.Consolidate fold
        && writes
        && granted.restoredUnits() < fold.freeUnits()) {
      see("a fold across a boundary");
    }
    if (answer.unmetDemandUnits() > 0) {
      see("a recall");
    }
    if (unnoticed) {
      see("memory that missed a commit");
    }
  }

  private void see(String label) {
    seen.add(label.toLowerCase(Locale.ROOT));
  }
}
