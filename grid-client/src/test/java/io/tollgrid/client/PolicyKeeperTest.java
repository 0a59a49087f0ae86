package io.tollgrid.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tollgrid.admission.denial.Denial;
import io.tollgrid.admission.request.AdmissionRequest;
import io.tollgrid.grid.Change;
import io.tollgrid.grid.ChangeFeed;
import io.tollgrid.grid.usage.LocalUsageInbox;
import io.tollgrid.ledger.AccountStatus;
import io.tollgrid.ledger.AccountTerms;
import io.tollgrid.ledger.EnforcementMode;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.LedgerCommand;
import io.tollgrid.ledger.RateLimits;
import io.tollgrid.ledger.policy.Introduction;
import io.tollgrid.ledger.policy.PolicyQuery;
import io.tollgrid.ledger.policy.Subject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Witnesses R18, R36, R37 and R38 on an instance that reads its policies: what was published is
 * felt after one word and one read, or within the refresh interval without a word, and never
 * backward; and that it gets ready by itself (R39) and takes in nothing unsafe (R42).
 */
class PolicyKeeperTest {
  private static final Id128 ACCOUNT = new Id128(0xACC, 1);
  private static final Id128 OTHER = new Id128(0xACC, 2);
  private static final Id128 ALICE = new Id128(0xA, 1);
  private static final Id128 BOB = new Id128(0xB, 1);
  private static final long MILLI = 1_000_000L;
  private static final long SECOND = 1_000 * MILLI;
  private static final long REFRESH = Duration.ofSeconds(30).toNanos();

  private final ManualTime time = new ManualTime();
  private final ScriptedLedgers ledgers = new ScriptedLedgers(time);
  private final ScriptedPolicies policies = new ScriptedPolicies();
  private Instance instance = tracking(new Tracked.All());

  private Instance tracking(Tracked whom) {
    return new Instance(
        TestGrids.of(ledgers, policies, time),
        new TestIds(1),
        InstanceSettings.DEFAULTS.with(PolicySettings.DEFAULTS.tracking(whom)),
        () -> {});
  }

  @BeforeEach
  void publish() {
    policies.account(ACCOUNT, 1, AccountStatus.ACTIVE);
    policies.plan("open", 1, 1);
    policies.snapshot(ALICE, 1, "open", ACCOUNT);
  }

  private void run() {
    for (int i = 0; i < 8; i++) {
      instance.run(time.nowNanos());
    }
  }

  private void later(long nanos) {
    time.advance(nanos);
    run();
  }

  private @Nullable Denial told(Id128 principal) {
    final AdmissionRequest request = instance.newRequest();
    final Denial begun = request.begin(principal, time.nowNanos());
    final Denial denial =
        begun != null ? begun : request.admit(instance.operation("work"), 1, time.nowNanos());
    if (denial == null) {
      request.cancel();
    }
    return denial;
  }

  /** Answers what is asked of the ledgers with leases of 100 units. */
  private void grantAll() {
    run();
    while (ledgers.waiting() > 0) {
      final ScriptedLedgers.Sent sent = ledgers.next();
      if (sent.request().command() instanceof LedgerCommand.Acquire) {
        ledgers.grant(sent, 100, null, LeaseSettings.DEFAULTS.ttlNanos());
      }
      run();
    }
  }

  @Test
  void whoIsPublishedIsReadAtTheStartAndAnybodyMakesItReady() {
    assertThat(instance.readiness(new Tracked.All(), time.nowNanos()).reasons())
        .contains(Readiness.Reason.POLICIES_UNREAD);
    run();
    assertThat(told(ALICE)).isEqualTo(Denial.NO_LEASE);
    grantAll();

    assertThat(told(ALICE)).isNull();
    assertThat(instance.readiness(new Tracked.All(), time.nowNanos()).isReady()).isTrue();
  }

  @Test
  void anInstanceBecomesReadyWithoutARequest() {
    run();
    grantAll();

    assertThat(instance.readiness(new Tracked.All(), time.nowNanos()).isReady()).isTrue();
  }

  @Test
  void ofAllWhomItMayServeItPreparesOneAndTwiceAsManyEachTimeThatWasInVain() {
    for (int i = 2; i <= 5; i++) {
      policies.account(new Id128(0xACC, i), 1, AccountStatus.ACTIVE);
      policies.snapshot(new Id128(0xB, i), 1, "open", new Id128(0xACC, i));
    }
    run();
    assertThat(ledgers.waiting()).isEqualTo(1);
    later(SECOND);
    assertThat(ledgers.waiting()).isEqualTo(2);
    later(SECOND);
    assertThat(ledgers.waiting()).isEqualTo(4);

    grantAll();
    later(SECOND);

    assertThat(instance.readiness(new Tracked.All(), time.nowNanos()).isReady()).isTrue();
    assertThat(ledgers.sent).hasSize(4);
  }

  @Test
  void everyoneOfAFixedSetIsPreparedAndNobodyElseIsLookedUp() {
    policies.account(OTHER, 1, AccountStatus.ACTIVE);
    policies.snapshot(BOB, 1, "open", OTHER);
    instance = tracking(new Tracked.Fixed(Set.of(ALICE, BOB)));
    grantAll();
    assertThat(instance.readiness(new Tracked.Fixed(Set.of(ALICE, BOB)), time.nowNanos()).isReady())
        .isTrue();

    final Id128 stranger = new Id128(0xC, 1);
    policies.snapshot(stranger, 1, "open", OTHER);
    assertThat(told(stranger)).isEqualTo(Denial.UNKNOWN_PRINCIPAL);
    instance.changes().changed(new Change.PrincipalChanged(stranger));
    run();

    assertThat(told(stranger)).isEqualTo(Denial.UNKNOWN_PRINCIPAL);
  }

  @Test
  void aSuspensionIsFeltAfterOneWordAndOneRead() {
    run();
    grantAll();
    policies.account(ACCOUNT, 2, AccountStatus.SUSPENDED);
    assertThat(told(ALICE)).isNull();

    instance.changes().changed(new Change.AccountChanged(ACCOUNT));
    run();

    assertThat(told(ALICE)).isEqualTo(Denial.ACCOUNT_SUSPENDED);
  }

  @Test
  void aSuspensionOfWhichNoWordCameIsFeltWithinTheRefreshInterval() {
    run();
    grantAll();
    policies.account(ACCOUNT, 2, AccountStatus.SUSPENDED);

    for (long waited = 0; waited < REFRESH; waited += 100 * MILLI) {
      later(100 * MILLI);
      grantAll();
    }

    assertThat(told(ALICE)).isEqualTo(Denial.ACCOUNT_SUSPENDED);
  }

  @Test
  void aRevocationOfWhichNoWordCameIsFeltWithinTheRefreshIntervalThoughNoPageListsIt() {
    policies.snapshot(BOB, 1, "open", ACCOUNT);
    run();
    grantAll();
    policies.revoked(ALICE, 2);

    for (long waited = 0; waited < REFRESH; waited += 100 * MILLI) {
      later(100 * MILLI);
      grantAll();
    }

    assertThat(told(ALICE)).isEqualTo(Denial.PRINCIPAL_REVOKED);
    assertThat(told(BOB)).isNull();
  }

  @Test
  void aRevocationIsFeltAfterOneWordAndAnOlderAnswerDoesNotUndoIt() {
    run();
    grantAll();
    policies.holding = true;
    instance.changes().changed(new Change.PrincipalChanged(ALICE));
    run();
    final ScriptedPolicies.Held old = policies.held.remove();
    policies.revoked(ALICE, 2);
    policies.holding = false;

    old.release();
    run();
    instance.changes().changed(new Change.PrincipalChanged(ALICE));
    run();
    assertThat(told(ALICE)).isEqualTo(Denial.PRINCIPAL_REVOKED);

    policies.snapshot(ALICE, 1, "open", ACCOUNT);
    instance.changes().changed(new Change.PrincipalChanged(ALICE));
    run();
    assertThat(told(ALICE)).isEqualTo(Denial.PRINCIPAL_REVOKED);
  }

  @Test
  void whoIsNotKnownIsLookedUpAfterTheFirstRequestAndNotAgainForAWhile() {
    run();
    policies.asked.clear();
    assertThat(told(BOB)).isEqualTo(Denial.UNKNOWN_PRINCIPAL);
    run();
    assertThat(policies.asked).hasSize(1);
    assertThat(told(BOB)).isEqualTo(Denial.UNKNOWN_PRINCIPAL);
    run();
    assertThat(policies.asked).hasSize(1);

    policies.snapshot(BOB, 1, "open", ACCOUNT);
    later(5 * SECOND);
    assertThat(told(BOB)).isNotEqualTo(Denial.UNKNOWN_PRINCIPAL);
  }

  @Test
  void aPublicationIsFeltAfterOneWordEvenIfThePrincipalWasUnknown() {
    run();
    assertThat(told(BOB)).isEqualTo(Denial.UNKNOWN_PRINCIPAL);
    run();
    policies.snapshot(BOB, 1, "open", ACCOUNT);

    instance.changes().changed(new Change.PrincipalChanged(BOB));
    run();

    assertThat(told(BOB)).isNotEqualTo(Denial.UNKNOWN_PRINCIPAL);
  }

  @Test
  void aDearerPlanIsFeltAfterOneWord() {
    run();
    grantAll();
    policies.plan("open", 2, 1_000);

    instance.changes().changed(new Change.PlanChanged("open"));
    run();

    assertThat(told(ALICE)).isEqualTo(Denial.INSUFFICIENT_LEASE);
  }

  /** Found beside the model of generations: whoever asks for nobodies must not stop the refresh. */
  @Test
  void aFloodOfUnknownPrincipalsDoesNotKeepTheRefreshFromItsTurn() {
    run();
    grantAll();
    policies.revoked(ALICE, 2);
    long nobody = 0;
    for (long waited = 0; waited < REFRESH; waited += 100 * MILLI) {
      for (int i = 0; i < 400; i++) {
        nobody++;
        told(new Id128(nobody * 0x9E3779B97F4A7C15L, nobody));
      }
      time.advance(100 * MILLI);
      instance.run(time.nowNanos());
    }

    assertThat(told(ALICE)).isEqualTo(Denial.PRINCIPAL_REVOKED);
  }

  @Test
  void aGapIsFollowedByAReadOfEverything() {
    run();
    grantAll();
    policies.account(ACCOUNT, 2, AccountStatus.CLOSED);

    instance.changes().lost();
    run();
    later(PolicySettings.DEFAULTS.firstBackoffNanos());

    assertThat(told(ALICE)).isEqualTo(Denial.ACCOUNT_CLOSED);
    assertThat(instance.policies().gaps()).isEqualTo(1);
  }

  @Test
  void anAuthorityThatIsAwayDeniesNobodyUntilSnapshotsAreStaleAndIsAskedAgainForEver() {
    run();
    grantAll();
    policies.away = true;
    final long stale = PolicySettings.DEFAULTS.staleAfterNanos();
    for (long waited = 0; waited < stale - SECOND; waited += SECOND) {
      assertThat(told(ALICE)).as("after %d s", waited / SECOND).isNotEqualTo(Denial.SNAPSHOT_STALE);
      later(SECOND);
      grantAll();
    }
    later(2 * SECOND);
    assertThat(told(ALICE)).isEqualTo(Denial.SNAPSHOT_STALE);
    assertThat(instance.policies().failedReads()).isBetween(50L, 1_000L);

    policies.away = false;
    later(PolicySettings.DEFAULTS.maxBackoffNanos());
    assertThat(told(ALICE)).isIn(null, Denial.NO_LEASE);
  }

  @Test
  void aSnapshotIsGoodFromWhenItWasAskedForAndNotFromWhenTheAnswerCame() {
    policies.holding = true;
    run();
    final ScriptedPolicies.Held page = policies.held.remove();
    time.advance(PolicySettings.DEFAULTS.staleAfterNanos());
    page.release();
    run();

    assertThat(told(ALICE)).isEqualTo(Denial.SNAPSHOT_STALE);
  }

  @Test
  void whatContradictsItsAccountDoesNotComeIntoForceAndWhatIsInForceStays() {
    run();
    grantAll();
    policies.account(
        OTHER,
        1,
        AccountStatus.ACTIVE,
        new AccountTerms(EnforcementMode.STRICT, 0, new RateLimits(0, 0, 10, 10), 0));
    policies.snapshot(ALICE, 2, "open", OTHER);

    instance.changes().changed(new Change.PrincipalChanged(ALICE));
    run();

    assertThat(instance.policies().unsafe()).isEqualTo(1);
    assertThat(told(ALICE)).isNull();
  }

  @Test
  void anAccountThatNoSnapshotNamesAnyMoreLingersThenBringsItsLeaseHomeAndComesBack() {
    policies.account(OTHER, 1, AccountStatus.ACTIVE);
    run();
    grantAll();
    policies.snapshot(ALICE, 2, "open", OTHER);
    instance.changes().changed(new Change.PrincipalChanged(ALICE));
    run();
    final long lingered = PolicySettings.DEFAULTS.retireAfterNanos();
    boolean released = false;
    for (long waited = 0; waited < lingered + 2 * REFRESH; waited += SECOND) {
      later(SECOND);
      while (ledgers.waiting() > 0) {
        final ScriptedLedgers.Sent sent = ledgers.next();
        if (sent.request().account().equals(ACCOUNT)
            && sent.request().command() instanceof LedgerCommand.Release) {
          released = true;
          assertThat(waited).as("it lingers").isGreaterThanOrEqualTo(lingered / 2);
        }
      }
    }
    assertThat(released).isTrue();

    policies.snapshot(ALICE, 3, "open", ACCOUNT);
    instance.changes().changed(new Change.PrincipalChanged(ALICE));
    run();
    assertThat(told(ALICE)).isIn(null, Denial.NO_LEASE, Denial.LEASE_EXPIRED);
  }

  @Test
  void manyPrincipalsAreReadInPages() {
    for (int i = 0; i < 1_200; i++) {
      policies.snapshot(new Id128(0xD, i + 1), 1, "open", ACCOUNT);
    }
    instance = tracking(new Tracked.All());
    for (int i = 0; i < 10; i++) {
      run();
    }

    assertThat(instance.admission().principals().activePrincipals()).isEqualTo(1_201);
    assertThat(policies.asked.stream().filter(PolicyQuery.Page.class::isInstance)).hasSize(3);
  }

  @Test
  void whoIsIntroducedIsReadAtOnceThoughJustFoundUnknown() {
    final Subject bob = Subject.of("acme/bob");
    final List<Change> words = new ArrayList<>();
    instance = hearing(words);
    grantAll();
    assertThat(told(bob.principal())).isEqualTo(Denial.UNKNOWN_PRINCIPAL);
    run();
    assertThat(instance.introduce(bob)).isCompletedWithValue(Introduction.NO_PLAN);
    run();
    assertThat(told(bob.principal())).isEqualTo(Denial.UNKNOWN_PRINCIPAL);
    assertThat(words).doesNotContain(new Change.PrincipalChanged(bob.principal()));

    policies.introducing =
        subject -> {
          policies.snapshot(subject.principal(), 1, "open", ACCOUNT);
          return Introduction.PUBLISHED;
        };
    assertThat(instance.introduce(bob)).isCompletedWithValue(Introduction.PUBLISHED);
    run();

    assertThat(told(bob.principal())).isNull();
    assertThat(words).contains(new Change.PrincipalChanged(bob.principal()));
  }

  @Test
  void anIntroductionThatGotNoAnswerFailsAndIsLookedUpAllTheSame() {
    run();
    policies.away = true;
    assertThat(instance.introduce(Subject.of("acme/bob"))).isCompletedExceptionally();
    policies.away = false;
    policies.asked.clear();
    run();

    assertThat(policies.asked)
        .contains(new PolicyQuery.ByPrincipal(List.of(Subject.of("acme/bob").principal())));
    final Instance alone =
        new Instance(
            InstanceGrid.ledgersOnly(ledgers, time),
            new TestIds(1),
            InstanceSettings.DEFAULTS,
            () -> {});
    assertThatThrownBy(() -> alone.introduce(Subject.of("acme/bob")))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("source of policies");
  }

  private Instance hearing(List<Change> words) {
    return new Instance(
        new InstanceGrid(
            ledgers,
            policies,
            new ChangeFeed() {
              @Override
              public void publish(Change change) {
                words.add(change);
              }

              @Override
              public Subscription subscribe(Listener listener) {
                return () -> {};
              }
            },
            new LocalUsageInbox(ledgers, time)),
        new TestIds(1),
        InstanceSettings.DEFAULTS,
        () -> {});
  }
}
