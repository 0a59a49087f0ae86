package io.tollgrid.client;

import static io.tollgrid.client.ScriptedInstance.ACCOUNT;
import static io.tollgrid.client.ScriptedInstance.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.tollgrid.admission.denial.Denial;
import io.tollgrid.admission.snapshot.SnapshotMap;
import io.tollgrid.client.Readiness.Reason;
import io.tollgrid.ledger.AccountPolicy;
import io.tollgrid.ledger.AccountStatus;
import io.tollgrid.ledger.AccountTerms;
import io.tollgrid.ledger.CapacityClass;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.Outcome;
import io.tollgrid.ledger.UsageVerdict;
import io.tollgrid.ledger.policy.PrincipalSnapshot;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Witnesses R39: ready means admissible now, and the answer carries the counts that made it. */
class ReadinessTest {
  private static final Id128 OTHER = new Id128(0xACC, 2);
  private static final Tracked ALL = new Tracked.All();

  private final ScriptedInstance it = new ScriptedInstance();

  @Test
  void whoTracksNobodyIsReady() {
    assertThat(ready(new Tracked.Fixed(Set.of()))).isEqualTo(new Readiness(Set.of(), 0, 0, 0));
    it.instance.admission().principals().evict(ACCOUNT);
    assertThat(ready(ALL).isReady()).isTrue();
  }

  @Test
  void withoutALeaseNobodyIsAdmissible() {
    assertThat(ready(ALL)).isEqualTo(new Readiness(Set.of(Reason.NOT_ADMISSIBLE), 1, 1, 0));

    it.leased(100, null);

    assertThat(ready(ALL)).isEqualTo(new Readiness(Set.of(), 1, 1, 1));
  }

  @Test
  void oneOfAllIsEnoughAndEveryoneOfAFixedSetIsNeeded() {
    it.leased(100, null);
    it.open(OTHER);

    assertThat(ready(ALL)).isEqualTo(new Readiness(Set.of(), 2, 2, 1));
    assertThat(ready(new Tracked.Fixed(Set.of(ACCOUNT))).isReady()).isTrue();
    assertThat(ready(new Tracked.Fixed(Set.of(ACCOUNT, OTHER))))
        .isEqualTo(new Readiness(Set.of(Reason.NOT_ADMISSIBLE), 2, 2, 1));
    assertThat(ready(new Tracked.Fixed(Set.of(ACCOUNT, new Id128(9, 9)))))
        .as("one that nobody has heard of")
        .isEqualTo(new Readiness(Set.of(Reason.NOT_ADMISSIBLE), 2, 1, 1));
  }

  /** One has funds and a stale snapshot, the other a fresh one and no funds. */
  @Test
  void freshnessOfOneAndFundsOfAnotherMakeNobodyAdmissible() {
    it.leased(100, null);
    it.open(OTHER);
    final long now = it.time.nowNanos();
    final SnapshotMap principals = it.instance.admission().principals();
    final Id128 stale = new Id128(7, 7);
    principals.resolved(PrincipalSnapshot.of(stale, "test", ACCOUNT), now, principals.readEpoch());

    assertThat(ready(new Tracked.Fixed(Set.of(stale)))).isEqualTo(notAdmissible(1, 0));
    principals.evict(ACCOUNT);
    assertThat(ready(ALL)).isEqualTo(notAdmissible(2, 1));
  }

  @Test
  void aLeaseThatLapsesOrIsSpentTakesReadinessWithIt() {
    it.leased(100, null);
    final Readiness before =
        it.instance.readiness(ALL, it.time.nowNanos() + it.settings.leases().ttlNanos());
    assertThat(before.isReady()).as("at the probe's own time").isFalse();
    final ScriptedInstance spent = new ScriptedInstance();
    spent.leased(100, null);
    spent.running(100).complete();
    assertThat(spent.instance.readiness(ALL, spent.time.nowNanos()).isReady()).isFalse();
  }

  @Test
  void roomForOverageCounts() {
    publish(2, AccountStatus.ACTIVE, AccountTerms.elastic(10));
    assertThat(ready(ALL).isReady()).isTrue();
    final var request = it.running(10);
    assertThat(ready(ALL).isReady()).isFalse();
    request.settle(9, it.time.nowNanos());
    assertThat(ready(ALL).isReady()).isTrue();
  }

  @Test
  void aSuspendedAccountIsNotFundable() {
    it.leased(100, null);
    publish(2, AccountStatus.SUSPENDED, AccountTerms.STRICT);

    assertThat(ready(ALL)).isEqualTo(notAdmissible(1, 1));
  }

  @Test
  void anIntegrityFaultAndAShutdownWithdrawIt() {
    it.leased(100, null);
    it.running(1).complete();
    it.untilSent(SECOND);
    it.ledgers.answer(
        it.ledgers.next(), new Outcome.UsageRecorded(List.of(UsageVerdict.BEYOND_LEASE)));
    it.run();
    assertThat(ready(ALL).reasons()).containsExactly(Reason.INTEGRITY_FAULT);

    final ScriptedInstance other = new ScriptedInstance();
    other.leased(100, null);
    other.instance.pause();
    assertThat(other.instance.readiness(ALL, other.time.nowNanos()).reasons())
        .containsExactly(Reason.SHUTTING_DOWN);
  }

  @Test
  @Timeout(30)
  void aDeadTaskWithdrawsReadinessBeforeRequestsAreToldToGo() throws InterruptedException {
    final ManualTime time = new ManualTime();
    try (InstanceRuntime runtime =
        InstanceRuntime.start(
            InstanceGrid.ledgersOnly(new ScriptedLedgers(time), time),
            time,
            new TestIds(1),
            InstanceSettings.DEFAULTS)) {
      runtime.account(ACCOUNT);
      TestPlan.admit(runtime.instance(), ACCOUNT);
      assertThat(runtime.readiness(new Tracked.Fixed(Set.of())).isReady()).isTrue();
      runtime.instance().admission().stop();
      assertThat(runtime.readiness(new Tracked.Fixed(Set.of())).reasons())
          .containsExactly(Reason.SHUTTING_DOWN);
    }
    final ManualTime broken = new ManualTime();
    final boolean[] fails = new boolean[1];
    try (InstanceRuntime runtime =
        InstanceRuntime.start(
            InstanceGrid.ledgersOnly(new ScriptedLedgers(broken), broken),
            () -> {
              if (fails[0] && Thread.currentThread().getName().startsWith("tollgrid-instance")) {
                throw new IllegalStateException("the clock is gone");
              }
              return broken.nowNanos();
            },
            new TestIds(2),
            InstanceSettings.DEFAULTS)) {
      runtime.account(ACCOUNT);
      TestPlan.admit(runtime.instance(), ACCOUNT);
      fails[0] = true;
      final var request = runtime.newRequest();
      Denial told = null;
      while (told != Denial.SHUTTING_DOWN) {
        told = request.begin(ACCOUNT, broken.nowNanos());
        if (told == null) {
          request.cancel();
        }
        Thread.sleep(1);
      }
      assertThat(runtime.readiness(ALL).reasons())
          .contains(Reason.TASK_DEAD)
          .doesNotContain(Reason.SHUTTING_DOWN);
    }
  }

  private Readiness ready(final Tracked tracked) {
    return it.instance.readiness(tracked, it.time.nowNanos());
  }

  private static Readiness notAdmissible(final int tracked, final int fresh) {
    return new Readiness(Set.of(Reason.NOT_ADMISSIBLE), tracked, fresh, 0);
  }

  private void publish(
      final long generation, final AccountStatus status, final AccountTerms terms) {
    assertThat(
            it.account()
                .publish(
                    new AccountPolicy(generation, status, CapacityClass.BEST_EFFORT, terms, true)))
        .isTrue();
  }
}
