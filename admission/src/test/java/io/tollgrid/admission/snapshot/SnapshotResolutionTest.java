package io.tollgrid.admission.snapshot;

import static io.tollgrid.admission.snapshot.TestMap.ALICE;
import static io.tollgrid.admission.snapshot.TestMap.BOB;
import static io.tollgrid.admission.snapshot.TestMap.HOME;
import static io.tollgrid.admission.snapshot.TestMap.PARENT;
import static io.tollgrid.admission.snapshot.TestMap.leg;
import static io.tollgrid.admission.snapshot.TestMap.snapshot;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tollgrid.admission.account.AccountState;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.RateLimits;
import io.tollgrid.ledger.policy.Plan;
import io.tollgrid.ledger.policy.PrincipalSnapshot;
import io.tollgrid.ledger.policy.SnapshotLeg;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Witnesses R8 (one leg per account), R42 (what is unsafe is refused), R30 (a principal's ceiling
 * above its account's), R29 (a limiter is split only as far as the largest quote allows).
 */
class SnapshotResolutionTest {
  private static final Id128 LIMITED = new Id128(0, 300);

  private final TestMap test = new TestMap();
  private final SnapshotMap map = test.map;

  @Test
  void anAccountThatIsNamedTwiceIsOneLeg() {
    resolve(
        snapshot(
            ALICE, 1, 0, leg(HOME, "tokens"), leg(PARENT, "tokens", "calls"), leg(HOME, "calls")));

    final Standing standing = test.standing(ALICE);
    final long tokens = test.catalogue.meterSet(List.of("tokens"));
    final long calls = test.catalogue.meterSet(List.of("calls"));
    assertThat(standing.legs()).isEqualTo(2);
    assertThat(standing.home().id()).isEqualTo(HOME);
    assertThat(standing.account(0)).isSameAs(standing.home());
    assertThat(standing.account(1).id()).isEqualTo(PARENT);
    assertThat(standing.meterSet(0)).isEqualTo(tokens | calls);
    assertThat(standing.meterSet(1)).isEqualTo(tokens | calls);
    assertThat(standing.fundedMeters()).isEqualTo(tokens | calls);
  }

  @Test
  void aLegWithoutMetersFundsEveryOne() {
    resolve(snapshot(ALICE, 1, 0, leg(HOME, "tokens"), leg(HOME)));
    resolve(snapshot(BOB, 1, 0, leg(HOME, "tokens"), leg(PARENT, "calls")));

    assertThat(test.standing(ALICE).meterSet(0)).isEqualTo(-1);
    assertThat(test.standing(BOB).fundedMeters())
        .isEqualTo(test.catalogue.meterSet(List.of("tokens", "calls")));
  }

  @Test
  void aSnapshotHasOneToEightAccountsAndNumbersThatMeanSomething() {
    final SnapshotLeg[] legs = new SnapshotLeg[PrincipalSnapshot.MAX_LEGS + 1];
    for (int i = 0; i < legs.length; i++) {
      legs[i] = SnapshotLeg.of(new Id128(9, i));
    }
    assertThatThrownBy(() -> snapshot(ALICE, 1, 0, legs)).hasMessageContaining("9 accounts");
    assertThatThrownBy(() -> snapshot(ALICE, 1, 0)).hasMessageContaining("0 accounts");
    assertThatThrownBy(() -> snapshot(ALICE, 0)).hasMessageContaining("generation 0");
    assertThatThrownBy(() -> snapshot(ALICE, 1, -4, leg(HOME)))
        .hasMessageContaining("ceiling of -4")
        .hasMessageContaining(ALICE.toHex());
    legs[8] = legs[0];
    assertThat(snapshot(ALICE, 1, 0, legs).legs()).hasSize(9);
    assertThat(PrincipalSnapshot.of(ALICE, "free", HOME).legs())
        .containsExactly(SnapshotLeg.of(HOME));
  }

  @Test
  void aPlanOrAnAccountThatIsNotHereIsNamed() {
    assertRefused(
        new PrincipalSnapshot(ALICE, 7, "gold", List.of(leg(HOME)), 0), "generation 7", "gold");
    assertRefused(snapshot(ALICE, 7, 0, leg(HOME), leg(BOB)), BOB.toHex(), ALICE.toHex());
  }

  @Test
  void aPlanWhoseWorstOperationExceedsTheBurstIsRefused() {
    test.open(LIMITED, new RateLimits(0, 0, 1, 9), 0, 1);
    assertRefused(snapshot(ALICE, 1, 0, leg(LIMITED)), "10 units", LIMITED.toHex());
    assertRefused(snapshot(ALICE, 1, 0, leg(HOME), leg(LIMITED)), "10 units", LIMITED.toHex());

    assertThat(resolve(snapshot(ALICE, 1, 0, leg(HOME), leg(LIMITED, "calls"))))
        .isEqualTo(Publication.ACCEPTED);
    final Id128 justEnough = new Id128(0, 301);
    test.open(justEnough, new RateLimits(0, 0, 1, 10), 0, 1);
    assertThat(resolve(snapshot(BOB, 1, 0, leg(justEnough)))).isEqualTo(Publication.ACCEPTED);
  }

  @Test
  void aDearerPlanJoinsTheShardsOfALimiterAndIsNotRefusedForThem() {
    final AccountState account = test.open(LIMITED, new RateLimits(0, 0, 1, 40), 0, 4);
    resolve(snapshot(ALICE, 1, 0, leg(LIMITED)));
    assertThat(account.rates().shards()).isEqualTo(4);

    map.publish(
        new Plan(
            "dear",
            1,
            TestMap.plan(1, 30).revision(),
            TestMap.plan(1, 30).routes(),
            TestMap.plan(1, 30).work(),
            TestMap.plan(1, 30).operations()));
    assertThat(resolve(new PrincipalSnapshot(BOB, 1, "dear", List.of(leg(LIMITED)), 0)))
        .isEqualTo(Publication.ACCEPTED);
    assertThat(account.rates().shards()).isEqualTo(1);
    assertThat(account.rates().peek(30, 0, 1_000)).isNull();
  }

  @Test
  void aNewerGenerationOfAPlanThatIsDearerJoinsThemToo() {
    final AccountState account = test.open(LIMITED, new RateLimits(0, 0, 1, 40), 0, 4);
    resolve(snapshot(ALICE, 1, 0, leg(LIMITED)));

    map.publish(TestMap.plan(2, 20));
    assertThat(account.rates().shards()).isEqualTo(2);
    assertThat(account.rates().peek(20, 0, 1_000)).isNull();
  }

  @Test
  void aCeilingAboveThatOfTheAccountIsRefused() {
    test.open(LIMITED, RateLimits.NONE, 5, 1);

    assertRefused(snapshot(ALICE, 1, 6, leg(LIMITED)), "6", "the 5", LIMITED.toHex());
    assertThat(resolve(snapshot(ALICE, 1, 5, leg(LIMITED)))).isEqualTo(Publication.ACCEPTED);
    assertThat(test.known(ALICE).gauge().ceiling()).isEqualTo(5);
    assertThat(resolve(snapshot(ALICE, 2, 0, leg(LIMITED)))).isEqualTo(Publication.ACCEPTED);
    assertThat(resolve(snapshot(BOB, 1, 6, leg(HOME)))).isEqualTo(Publication.ACCEPTED);
  }

  @Test
  void aRefusedSnapshotLeavesTheOldOneInForceAndItsGenerationFree() {
    resolve(snapshot(ALICE, 1));
    final Standing standing = test.standing(ALICE);

    assertRefused(new PrincipalSnapshot(ALICE, 2, "gold", List.of(leg(PARENT)), 3), "gold");
    assertThat(test.standing(ALICE)).isSameAs(standing);
    assertThat(test.known(ALICE).gauge().ceiling()).isZero();
    assertThat(resolve(snapshot(ALICE, 2))).isEqualTo(Publication.ACCEPTED);
    assertRefused(new PrincipalSnapshot(BOB, 2, "gold", List.of(leg(PARENT)), 3), "gold");
    assertThat(test.find(BOB)).isNull();
  }

  private Publication resolve(final PrincipalSnapshot snapshot) {
    return map.resolved(snapshot, 1_000, map.readEpoch());
  }

  private void assertRefused(final PrincipalSnapshot snapshot, final String... words) {
    assertThatThrownBy(() -> resolve(snapshot))
        .isInstanceOf(RefusedSnapshotException.class)
        .hasMessageContainingAll(words);
  }
}
