package io.tollgrid.pipelines.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.tollgrid.grid.LedgerAnswer;
import io.tollgrid.grid.LedgerClient;
import io.tollgrid.ledger.LedgerCommand;
import io.tollgrid.ledger.Outcome;
import io.tollgrid.ledger.Refusal;
import io.tollgrid.pipelines.testing.ManualClock;
import io.tollgrid.pipelines.testing.ScriptedDue;
import io.tollgrid.pipelines.testing.ScriptedLedgers;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Witnesses R19 and R40: how a member serves due accounts, and what one that fails costs. */
class AccountSweepTest {
  private static final Outcome SUSPENDED = new Outcome.Refused(Refusal.ACCOUNT_SUSPENDED, null);
  private static final SweepSettings SETTINGS =
      new SweepSettings(
          3, 1, 1, 5, 2, Duration.ofSeconds(1).toNanos(), Duration.ofSeconds(8).toNanos(), 4, 1);

  private final ManualClock clock = new ManualClock();
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final SweepReport report = new SweepReport(Sweep.RECLAIM, clock, registry);
  private final ScriptedLedgers ledgers = new ScriptedLedgers(command -> new CompletableFuture<>());
  private @Nullable LedgerClient client = ledgers;
  private final AccountSweep accounts =
      new AccountSweep(Sweep.RECLAIM, () -> client, clock, SETTINGS, report);

  @Test
  void nobodyIsServedBeforeLedgersCanBeReached() {
    client = null;

    assertThat(offer(1)).isFalse();
    assertThat(ledgers.commands).isEmpty();
  }

  @Test
  void theCommandCarriesTheCutoffOfThePass() {
    accounts.offer(ScriptedDue.account(1), 42);

    assertThat(ledgers.commands)
        .containsExactly(
            new ScriptedLedgers.Command(ScriptedDue.account(1), new LedgerCommand.Reclaim(42)));
  }

  @Test
  void anAccountHasOneCommandUnderWay() {
    assertThat(offer(1)).isTrue();
    assertThat(offer(1)).isTrue();

    assertThat(ledgers.commands).hasSize(1);
    assertThat(accountsCounted("held-back")).isEqualTo(1);
  }

  @Test
  void whereThereIsNoRoomAnAccountIsOfferedAgain() {
    final Queue<CompletableFuture<LedgerAnswer>> answers = new ArrayDeque<>();
    ledgers.follow(
        command -> {
          answers.add(new CompletableFuture<>());
          return answers.element();
        });
    assertThat(List.of(offer(1), offer(2), offer(3))).containsOnly(true);
    assertThat(offer(4)).isFalse();

    answers.element().complete(reclaimed(1, false));

    assertThat(offer(4)).isTrue();
  }

  @Test
  void moreThanOneCommandCanTakeIsTakenByTheNext() {
    final Queue<LedgerAnswer> answers =
        new ArrayDeque<>(List.of(reclaimed(256, true), reclaimed(256, true), reclaimed(3, false)));
    ledgers.follow(command -> CompletableFuture.completedFuture(answers.remove()));

    offer(1);

    assertThat(answers).isEmpty();
    assertThat(registry.get("tollgrid.sweep.leases.reclaimed").counter().count()).isEqualTo(515);
    assertThat(accountsCounted("served")).isEqualTo(1);
  }

  @Test
  void anAccountWhereSomebodyWasFirstIsNoFailure() {
    ledgers.follow(
        command -> ScriptedLedgers.answer(new Outcome.Refused(Refusal.NOTHING_DUE, null)));

    offer(1);

    assertThat(accountsCounted("nothing-left")).isEqualTo(1);
    assertThat(accounts.waiting()).isZero();
  }

  @Test
  void anAccountThatFailsWaitsLongerEachTimeAndIsStuckAtTheFourth() {
    ledgers.follow(command -> ScriptedLedgers.answer(SUSPENDED));
    final List<Long> pauses = new ArrayList<>();
    long before = clock.nowNanos();
    int seen = 0;
    for (int millis = 0; millis < 40_000; millis += 100) {
      offer(1);
      if (ledgers.commands.size() > seen) {
        seen = ledgers.commands.size();
        pauses.add(Duration.ofNanos(clock.nowNanos() - before).toMillis());
        before = clock.nowNanos();
        assertThat(accounts.stuck()).isEqualTo(seen >= 4 ? 1 : 0);
      }
      clock.pass(Duration.ofMillis(100));
    }

    assertThat(pauses.get(1)).isBetween(500L, 1_000L);
    assertThat(pauses.get(2)).isBetween(1_000L, 2_000L);
    assertThat(pauses.get(3)).isBetween(2_000L, 4_000L);
    assertThat(pauses.subList(4, pauses.size()))
        .allMatch(pause -> pause >= 4_000 && pause <= 8_000);
    assertThat(
            registry
                .get("tollgrid.sweep.failures")
                .tag("code", "ACCOUNT_SUSPENDED")
                .counter()
                .count())
        .isEqualTo(seen);
  }

  @Test
  void anAccountThatIsServedAtLastIsForgotten() {
    ledgers.follow(command -> ScriptedLedgers.answer(SUSPENDED));
    offer(1);
    assertThat(accounts.waiting()).isEqualTo(1);

    ledgers.follow(command -> CompletableFuture.completedFuture(reclaimed(1, false)));
    clock.pass(Duration.ofSeconds(1));
    offer(1);

    assertThat(accounts.waiting()).isZero();
  }

  @Test
  void whatIsNotOfferedAnyMoreIsForgotten() {
    ledgers.follow(command -> ScriptedLedgers.answer(SUSPENDED));
    offer(1);
    clock.pass(Duration.ofSeconds(7));
    assertThat(accounts.waiting()).isEqualTo(1);

    clock.pass(Duration.ofSeconds(2));

    assertThat(accounts.waiting()).isZero();
  }

  @Test
  void noMoreFailuresAreKeptThanTheBound() {
    ledgers.follow(command -> ScriptedLedgers.answer(SUSPENDED));
    for (int n = 0; n < 9; n++) {
      offer(n);
    }

    assertThat(accounts.waiting()).isEqualTo(4);
  }

  @Test
  void thoseThatFailedTakeTheirShareAndNoMore() {
    ledgers.follow(command -> ScriptedLedgers.answer(SUSPENDED));
    for (int n = 0; n < 4; n++) {
      offer(n);
    }
    clock.pass(Duration.ofSeconds(1));
    ledgers.follow(command -> new CompletableFuture<>());
    ledgers.commands.clear();

    for (int n = 0; n < 4; n++) {
      assertThat(offer(n)).isTrue();
    }
    assertThat(ledgers.commands).hasSize(2);
    assertThat(List.of(offer(5), offer(6), offer(7))).containsOnly(true);
    assertThat(ledgers.commands).hasSize(5);
  }

  @Test
  void aClientThatThrowsIsAFailureLikeAnyOther() {
    ledgers.follow(AccountSweepTest::broken);

    assertThat(offer(1)).isTrue();

    assertThat(registry.get("tollgrid.sweep.failures").tag("code", "UNKNOWN").counter().count())
        .isEqualTo(1);
    assertThat(accounts.waiting()).isEqualTo(1);
  }

  private static CompletionStage<LedgerAnswer> broken(ScriptedLedgers.Command command) {
    throw new IllegalStateException("no command leaves, as the test wants: " + command);
  }

  private boolean offer(int n) {
    return accounts.offer(ScriptedDue.account(n), clock.nowNanos());
  }

  private static LedgerAnswer reclaimed(int leases, boolean saturated) {
    return new LedgerAnswer(new Outcome.Reclaimed(leases, 5L * leases, saturated), 1, 1, null);
  }

  private double accountsCounted(String result) {
    return registry.get("tollgrid.sweep.accounts").tag("result", result).counter().count();
  }
}
