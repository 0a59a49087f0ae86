package io.tollgrid.admission.snapshot;

import static io.tollgrid.admission.snapshot.TestMap.ALICE;
import static io.tollgrid.admission.snapshot.TestMap.BOB;
import static io.tollgrid.admission.snapshot.TestMap.CAROL;
import static io.tollgrid.admission.snapshot.TestMap.HOME;
import static io.tollgrid.admission.snapshot.TestMap.PARENT;
import static io.tollgrid.admission.snapshot.TestMap.snapshot;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tollgrid.admission.concurrency.ConcurrencyGauge;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.policy.PrincipalSnapshot;
import io.tollgrid.ledger.policy.SnapshotLeg;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Witnesses R37 (generations, tombstones, history), R38 (negatives), R30 (occupancy outlives
 * snapshots).
 */
class SnapshotMapTest {
  private final TestMap test = new TestMap();
  private final SnapshotMap map = test.map;

  @Test
  void whatWasNeverHeardOfIsNotThere() {
    assertThat(test.find(ALICE)).isNull();
  }

  @Test
  void aSnapshotThatWasReadIsInForce() {
    assertThat(test.resolved(ALICE, 3)).isEqualTo(Publication.ACCEPTED);

    final Principal alice = test.known(ALICE);
    assertThat(alice.id()).isEqualTo(ALICE);
    assertThat(test.standing(ALICE).generation()).isEqualTo(3);
    assertThat(test.standing(ALICE).plan().current().plan().name()).isEqualTo(TestMap.PLAN);
    assertThat(alice.freshUntilNanos()).isEqualTo(1_000);
    assertThat(alice.isRevoked()).isFalse();
    assertThat(map.activePrincipals()).isEqualTo(1);
  }

  @Test
  void itsOwnGenerationConfirmsItAndNeverShortensIt() {
    test.resolved(ALICE, 3);
    final Standing standing = test.standing(ALICE);

    assertThat(map.pushed(snapshot(ALICE, 3), 2_000)).isEqualTo(Publication.CONFIRMED);
    assertThat(map.pushed(snapshot(ALICE, 3), 1_500)).isEqualTo(Publication.CONFIRMED);
    assertThat(test.known(ALICE).freshUntilNanos()).isEqualTo(2_000);
    assertThat(test.standing(ALICE)).isSameAs(standing);
    assertThat(map.refusedPublications()).isZero();
  }

  @Test
  void anOlderGenerationTouchesNothingAndIsCounted() {
    test.resolved(ALICE, 3);
    final Standing standing = test.standing(ALICE);

    assertThat(map.pushed(snapshot(ALICE, 2, 7, SnapshotLeg.of(PARENT)), 9_000))
        .isEqualTo(Publication.OLDER);
    assertThat(map.resolved(snapshot(ALICE, 1, 7, SnapshotLeg.of(HOME)), 9_000, map.readEpoch()))
        .isEqualTo(Publication.OLDER);
    assertThat(map.revoked(ALICE, 2, 0, map.readEpoch())).isEqualTo(Publication.OLDER);
    assertThat(test.standing(ALICE)).isSameAs(standing);
    assertThat(test.known(ALICE).freshUntilNanos()).isEqualTo(1_000);
    assertThat(test.known(ALICE).gauge().ceiling()).isZero();
    assertThat(map.refusedPublications()).isEqualTo(3);
    assertThat(test.pushed(ALICE, 4)).isEqualTo(Publication.ACCEPTED);
  }

  @Test
  void anOlderGenerationIsRefusedBeforeAnythingIsMadeOfIt() {
    test.resolved(ALICE, 3);
    final PrincipalSnapshot nonsense =
        new PrincipalSnapshot(ALICE, 2, "no such plan", List.of(SnapshotLeg.of(ALICE)), 0);

    assertThat(map.pushed(nonsense, 9_000)).isEqualTo(Publication.OLDER);
  }

  @Test
  void aTombstoneRefusesItsOwnGenerationBack() {
    test.resolved(ALICE, 3);

    assertThat(map.revoked(ALICE, 3, 100, map.readEpoch())).isEqualTo(Publication.ACCEPTED);
    assertThat(test.known(ALICE).standing()).isNull();
    assertThat(test.known(ALICE).isRevoked()).isTrue();
    assertThat(test.resolved(ALICE, 3)).isEqualTo(Publication.REVOKED);
    assertThat(test.pushed(ALICE, 2)).isEqualTo(Publication.REVOKED);
    assertThat(map.refusedPublications()).isEqualTo(2);
    assertThat(test.known(ALICE).standing()).isNull();

    assertThat(test.resolved(ALICE, 4)).isEqualTo(Publication.ACCEPTED);
    assertThat(test.known(ALICE).isRevoked()).isFalse();
  }

  @Test
  void anAbsenceTakesItsOwnGenerationBack() {
    test.resolved(ALICE, 3);

    assertThat(map.unknown(ALICE, 100, map.readEpoch())).isEqualTo(Publication.ACCEPTED);
    assertThat(test.known(ALICE).standing()).isNull();
    assertThat(test.known(ALICE).isRevoked()).isFalse();
    assertThat(test.pushed(ALICE, 2)).isEqualTo(Publication.OLDER);
    assertThat(test.pushed(ALICE, 3)).isEqualTo(Publication.ACCEPTED);
    assertThat(test.standing(ALICE).generation()).isEqualTo(3);
  }

  @Test
  void aPrincipalThatCameBackAfterARevocationCanBecomeUnknown() {
    map.revoked(ALICE, 1, 0, map.readEpoch());
    test.resolved(ALICE, 2);

    assertThat(map.unknown(ALICE, 100, map.readEpoch())).isEqualTo(Publication.ACCEPTED);
    assertThat(test.known(ALICE).standing()).isNull();
    assertThat(test.known(ALICE).isRevoked()).isFalse();
    assertThat(map.expired(100 + TestMap.UNKNOWN_TTL)).containsExactly(ALICE);
  }

  @Test
  void aRevokedPrincipalThatTheSourceForgotStaysRevoked() {
    map.revoked(ALICE, 3, 0, map.readEpoch());

    assertThat(map.unknown(ALICE, 100, map.readEpoch())).isEqualTo(Publication.ACCEPTED);
    assertThat(test.known(ALICE).isRevoked()).isTrue();
    assertThat(map.expired(100 + TestMap.UNKNOWN_TTL - 1)).isEmpty();
    assertThat(map.expired(100 + TestMap.UNKNOWN_TTL)).containsExactly(ALICE);
    assertThat(test.resolved(ALICE, 3)).isEqualTo(Publication.REVOKED);
  }

  @Test
  void aRevocationThatIsReadAgainIsBelievedForAnotherWhile() {
    map.revoked(ALICE, 3, 0, map.readEpoch());
    assertThat(map.expired(TestMap.REVOKED_TTL)).containsExactly(ALICE);
    assertThat(map.negativePrincipals()).isZero();

    assertThat(map.revoked(ALICE, 3, 100, map.readEpoch())).isEqualTo(Publication.CONFIRMED);
    assertThat(map.negativePrincipals()).isEqualTo(1);
    assertThat(map.refusedPublications()).isZero();
    assertThat(test.known(ALICE).isRevoked()).isTrue();
    assertThat(map.expired(100 + TestMap.REVOKED_TTL - 1)).isEmpty();
    assertThat(map.expired(100 + TestMap.REVOKED_TTL)).containsExactly(ALICE);
  }

  @Test
  void aPushForWhatWasNotResolvedHereIsAHint() {
    assertThat(test.pushed(ALICE, 3)).isEqualTo(Publication.UNRESOLVED);
    assertThat(test.find(ALICE)).isNull();

    test.resolved(ALICE, 3);
    map.evict(ALICE);
    assertThat(test.pushed(ALICE, 4)).isEqualTo(Publication.UNRESOLVED);
    assertThat(test.known(ALICE).standing()).isNull();
    assertThat(map.refusedPublications()).isZero();
  }

  @Test
  void evictionKeepsTheWatermark() {
    test.resolved(ALICE, 3);
    map.evict(ALICE);
    map.evict(BOB);

    assertThat(test.known(ALICE).standing()).isNull();
    assertThat(map.activePrincipals()).isZero();
    assertThat(map.forgottenPrincipals()).isEqualTo(1);
    assertThat(test.resolved(ALICE, 2)).isEqualTo(Publication.OLDER);
    assertThat(test.resolved(ALICE, 3)).isEqualTo(Publication.ACCEPTED);
    assertThat(map.forgottenPrincipals()).isZero();
  }

  @Test
  void evictionKeepsTheTombstone() {
    map.revoked(ALICE, 3, 0, map.readEpoch());
    map.evict(ALICE);

    assertThat(map.negativePrincipals()).isZero();
    assertThat(test.known(ALICE).isRevoked()).isTrue();
    assertThat(test.resolved(ALICE, 3)).isEqualTo(Publication.REVOKED);
    assertThat(map.expired(Long.MAX_VALUE)).isEmpty();
  }

  @Test
  void historyIsBoundedAndAReadThatBeganBeforeItsEndIsTooOld() {
    final long before = map.readEpoch();
    for (final var principal : List.of(ALICE, BOB, CAROL)) {
      test.resolved(principal, 3);
      map.evict(principal);
    }
    assertThat(map.forgottenPrincipals()).isEqualTo(2);
    assertThat(test.find(ALICE)).isNull();

    assertThat(map.resolved(snapshot(ALICE, 2), 1_000, before)).isEqualTo(Publication.READ_TOO_OLD);
    assertThat(map.unknown(ALICE, 0, before)).isEqualTo(Publication.READ_TOO_OLD);
    assertThat(test.find(ALICE)).isNull();
    assertThat(map.refusedPublications()).isEqualTo(2);
    assertThat(map.resolved(snapshot(BOB, 3), 1_000, before)).isEqualTo(Publication.ACCEPTED);
    assertThat(map.resolved(snapshot(ALICE, 2), 1_000, map.readEpoch()))
        .isEqualTo(Publication.ACCEPTED);
  }

  @Test
  void whoIsEvictedAgainIsForgottenLast() {
    for (final var principal : List.of(ALICE, BOB)) {
      test.resolved(principal, 3);
      map.evict(principal);
    }
    map.evict(ALICE);
    test.resolved(CAROL, 3);
    map.evict(CAROL);

    assertThat(test.find(BOB)).isNull();
    assertThat(test.find(ALICE)).isNotNull();
  }

  /**
   * Found by the model of generations: what was given up must not come back through a side door.
   */
  @Test
  void afterHistoryWasGivenUpNothingOlderComesInBesideIt() {
    final long before = map.readEpoch();
    for (final var principal : List.of(ALICE, BOB, CAROL)) {
      test.resolved(principal, 3);
      map.evict(principal);
    }
    assertThat(test.find(ALICE)).isNull();

    assertThat(map.revoked(ALICE, 2, 0, before)).isEqualTo(Publication.READ_TOO_OLD);
    assertThat(map.unknown(ALICE, 0, map.readEpoch())).isEqualTo(Publication.ACCEPTED);
    assertThat(map.resolved(snapshot(ALICE, 2), 1_000, before)).isEqualTo(Publication.READ_TOO_OLD);
    assertThat(map.revoked(ALICE, 2, 0, before)).isEqualTo(Publication.READ_TOO_OLD);
    assertThat(test.pushed(ALICE, 2)).isEqualTo(Publication.UNRESOLVED);
    assertThat(test.resolved(ALICE, 3)).isEqualTo(Publication.ACCEPTED);
  }

  @Test
  void historyOfWhoStillRunsIsNotGivenUp() {
    test.resolved(ALICE, 3);
    final int token = test.known(ALICE).gauge().tryEnter(0);
    for (final var principal : List.of(ALICE, BOB, CAROL)) {
      test.resolved(principal, 3);
      map.evict(principal);
    }
    assertThat(test.find(BOB)).isNull();
    assertThat(test.known(ALICE).gauge().running()).isEqualTo(1);

    test.known(ALICE).gauge().leave(token);
    test.resolved(BOB, 3);
    map.evict(BOB);
    assertThat(test.find(ALICE)).isNull();
  }

  @Test
  void aLateUnknownDoesNotDisplaceWhatWasLearntSince() {
    final long began = map.readEpoch();
    test.resolved(ALICE, 3);

    assertThat(map.unknown(ALICE, 0, began)).isEqualTo(Publication.READ_TOO_OLD);
    assertThat(test.standing(ALICE).generation()).isEqualTo(3);

    final long again = map.readEpoch();
    assertThat(test.pushed(ALICE, 3)).isEqualTo(Publication.CONFIRMED);
    assertThat(map.unknown(ALICE, 0, again)).isEqualTo(Publication.READ_TOO_OLD);
    final long third = map.readEpoch();
    map.revoked(ALICE, 3, 0, map.readEpoch());
    assertThat(map.unknown(ALICE, 0, third)).isEqualTo(Publication.READ_TOO_OLD);
    assertThat(map.unknown(ALICE, 0, map.readEpoch())).isEqualTo(Publication.ACCEPTED);
  }

  @Test
  void whatIsRefusedIsKeptWithBothGenerations() {
    assertThat(map.lastRefusal()).isNull();
    test.resolved(ALICE, 3);

    test.pushed(ALICE, 2);
    assertThat(map.lastRefusal())
        .isEqualTo(new SnapshotMap.Refusal(Publication.OLDER, ALICE, 3, 2));
    map.revoked(ALICE, 2, 0, map.readEpoch());
    assertThat(map.lastRefusal())
        .isEqualTo(new SnapshotMap.Refusal(Publication.OLDER, ALICE, 3, 2));
    map.revoked(ALICE, 4, 0, map.readEpoch());
    test.pushed(ALICE, 4);
    assertThat(map.lastRefusal())
        .isEqualTo(new SnapshotMap.Refusal(Publication.REVOKED, ALICE, 4, 4));
    map.publish(TestMap.plan(2, 10));
    map.publish(TestMap.plan(1, 10));
    assertThat(map.lastRefusal())
        .isEqualTo(new SnapshotMap.Refusal(Publication.OLDER, Id128.ZERO, 2, 1));
    assertThat(map.refusedPublications()).isEqualTo(4);
  }

  @Test
  void aRevocationHasAGeneration() {
    assertThatThrownBy(() -> map.revoked(ALICE, 0, 0, map.readEpoch()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("generation 0");
    assertThat(test.find(ALICE)).isNull();
  }

  @Test
  void unknownAndRevokedAreBelievedForTheirOwnTimes() {
    map.unknown(ALICE, 100, map.readEpoch());
    map.revoked(BOB, 1, 100, map.readEpoch());

    assertThat(map.negativePrincipals()).isEqualTo(2);
    assertThat(map.expired(100 + TestMap.UNKNOWN_TTL - 1)).isEmpty();
    assertThat(map.expired(100 + TestMap.UNKNOWN_TTL)).containsExactly(ALICE);
    assertThat(map.expired(100 + TestMap.UNKNOWN_TTL)).isEmpty();
    assertThat(map.expired(100 + TestMap.REVOKED_TTL - 1)).isEmpty();
    assertThat(map.expired(100 + TestMap.REVOKED_TTL)).containsExactly(BOB);
    assertThat(map.negativePrincipals()).isZero();
    assertThat(test.known(BOB).isRevoked()).isTrue();
    assertThat(test.known(ALICE).standing()).isNull();
  }

  @Test
  void theNegativeThatEndsEarliestGoesFirst() {
    map.revoked(ALICE, 1, 0, map.readEpoch());
    map.unknown(BOB, 10, map.readEpoch());
    map.unknown(CAROL, 9, map.readEpoch());

    assertThat(map.negativePrincipals()).isEqualTo(2);
    assertThat(map.forgottenPrincipals()).isEqualTo(1);
    assertThat(map.expired(Long.MAX_VALUE)).containsExactly(BOB, ALICE);
  }

  @Test
  void aNewAnswerMovesTheEndOfANegative() {
    map.unknown(ALICE, 0, map.readEpoch());
    map.unknown(ALICE, 3, map.readEpoch());

    assertThat(map.negativePrincipals()).isEqualTo(1);
    assertThat(map.expired(TestMap.UNKNOWN_TTL)).isEmpty();
    assertThat(map.expired(3 + TestMap.UNKNOWN_TTL)).containsExactly(ALICE);
  }

  @Test
  void aPushCanEndANegativeOfWhichAGenerationIsKnown() {
    map.unknown(BOB, 0, map.readEpoch());
    assertThat(test.pushed(BOB, 1)).as("a hint").isEqualTo(Publication.UNRESOLVED);
    map.evict(BOB);
    map.revoked(ALICE, 1, 0, map.readEpoch());

    assertThat(test.pushed(ALICE, 2)).isEqualTo(Publication.ACCEPTED);
    assertThat(map.negativePrincipals()).isZero();
    assertThat(map.expired(Long.MAX_VALUE)).isEmpty();
  }

  @Test
  void afterLostPushesEverybodyIsReadAgainAndASweepSkipsNegatives() {
    test.resolved(ALICE, 1);
    map.unknown(BOB, 0, map.readEpoch());
    test.resolved(CAROL, 1);
    map.evict(CAROL);

    assertThat(map.all()).containsExactlyInAnyOrder(ALICE, BOB);
    assertThat(map.stale(999)).isEmpty();
    assertThat(map.stale(1_000)).containsExactly(ALICE);
  }

  @Test
  void occupancySurvivesReplacementRevocationAndEviction() {
    test.resolved(ALICE, 1);
    final ConcurrencyGauge gauge = test.known(ALICE).gauge();
    gauge.tryEnter(0);

    map.pushed(snapshot(ALICE, 2, 1, SnapshotLeg.of(HOME)), 1_000);
    assertThat(test.known(ALICE).gauge()).isSameAs(gauge);
    assertThat(gauge.tryEnter(0)).isEqualTo(ConcurrencyGauge.REFUSED);
    map.revoked(ALICE, 3, 0, map.readEpoch());
    map.evict(ALICE);
    assertThat(map.resolved(snapshot(ALICE, 4, 1, SnapshotLeg.of(HOME)), 1_000, map.readEpoch()))
        .isEqualTo(Publication.ACCEPTED);
    assertThat(test.known(ALICE).gauge()).isSameAs(gauge);
    assertThat(gauge.tryEnter(0)).isEqualTo(ConcurrencyGauge.REFUSED);
  }

  @Test
  void aNewerGenerationOfAPlanReachesWhoIsOnIt() {
    test.resolved(ALICE, 1);
    final Standing standing = test.standing(ALICE);

    assertThat(map.publish(TestMap.plan(1, 99))).isEqualTo(Publication.CONFIRMED);
    assertThat(map.publish(TestMap.plan(2, 99))).isEqualTo(Publication.ACCEPTED);
    assertThat(standing.plan().current().plan().generation()).isEqualTo(2);
    assertThat(map.publish(TestMap.plan(1, 10))).isEqualTo(Publication.OLDER);
    assertThat(map.refusedPublications()).isEqualTo(1);
  }

  @Test
  void limitsThatRememberNothingAreRefused() {
    assertThat(SnapshotMapLimits.DEFAULT.maxNegatives()).isEqualTo(65_536);
    assertThat(new SnapshotMapLimits(1, 1, 1, 0).maxForgotten()).as("the least").isZero();
    assertThatThrownBy(() -> new SnapshotMapLimits(0, 1, 1, 0)).hasMessageContaining("not 0 ns");
    assertThatThrownBy(() -> new SnapshotMapLimits(1, -7, 1, 0)).hasMessageContaining("-7 ns");
    assertThatThrownBy(() -> new SnapshotMapLimits(1, 1, 0, 3)).hasMessageContaining("0 and 3");
    assertThatThrownBy(() -> new SnapshotMapLimits(1, 1, 1, -1)).hasMessageContaining("-1");
  }
}
