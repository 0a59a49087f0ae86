package io.tollgrid.admission.account;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tollgrid.admission.denial.Denial;
import io.tollgrid.admission.lease.LeaseDoorbell;
import io.tollgrid.ledger.AccountPolicy;
import io.tollgrid.ledger.AccountStatus;
import io.tollgrid.ledger.AccountTerms;
import io.tollgrid.ledger.CapacityClass;
import io.tollgrid.ledger.EnforcementMode;
import io.tollgrid.ledger.Evidence;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.RateLimits;
import org.junit.jupiter.api.Test;

/**
 * Witnesses R26 (unknown is refused), R37 (generations) and R15 (changed funding drops evidence).
 */
class AccountStateTest {
  private static final Id128 ID = new Id128(0, 1);

  private final AccountRegistry registry = new AccountRegistry();

  @Test
  void anAccountThatWasNeverOpenedIsUnknown() {
    assertThat(registry.find(ID)).isNull();
  }

  @Test
  void anAccountIsOpenedOnceAndStays() {
    final LeaseDoorbell owner = () -> {};
    final AccountState state = registry.findOrOpen(ID, null, opened -> owner);

    assertThat(state.owner()).isSameAs(owner);
    assertThat(registry.find(ID)).isSameAs(state);
    assertThat(registry.all()).containsExactly(state);
    assertThat(registry.findOrOpen(ID, null, opened -> () -> {})).isSameAs(state);
    final AccountPolicy newer = policy(9, AccountStatus.CLOSED, AccountTerms.STRICT);
    assertThatThrownBy(() -> registry.open(ID, newer, () -> {}))
        .isInstanceOf(IllegalStateException.class);
    assertThat(state.policy()).isNotEqualTo(newer);
  }

  @Test
  void withoutAPolicyItIsActiveAndStrictAndTakesTheFirstOnePublished() {
    final AccountState state = registry.findOrOpen(ID, null, opened -> () -> {});

    assertThat(state.closedTo(0)).isNull();
    assertThat(AccountState.isElastic(state.policy())).isFalse();
    assertThat(state.publish(policy(1, AccountStatus.ACTIVE, AccountTerms.elastic(10)))).isTrue();
    assertThat(AccountState.overageCapUnits(state.policy())).isEqualTo(10);
    assertThat(state.publish(policy(1, AccountStatus.CLOSED, AccountTerms.STRICT))).isFalse();
  }

  @Test
  void onlyANewerGenerationReplacesAPolicy() {
    final AccountPolicy first = policy(3, AccountStatus.ACTIVE, AccountTerms.STRICT);
    final AccountState state = registry.open(ID, first, () -> {});

    assertThat(state.publish(policy(3, AccountStatus.CLOSED, AccountTerms.STRICT))).isFalse();
    assertThat(state.publish(policy(2, AccountStatus.CLOSED, AccountTerms.STRICT))).isFalse();
    assertThat(state.policy()).isEqualTo(first);
    assertThat(state.publish(policy(4, AccountStatus.SUSPENDED, AccountTerms.STRICT))).isTrue();
    assertThat(state.closedTo(0)).isEqualTo(Denial.ACCOUNT_SUSPENDED);
    assertThat(state.publish(policy(5, AccountStatus.CLOSED, AccountTerms.STRICT))).isTrue();
    assertThat(state.closedTo(0)).isEqualTo(Denial.ACCOUNT_CLOSED);
  }

  @Test
  void aChangedModeDropsEvidenceAndARefusedPolicyDoesNot() {
    final AccountState state =
        registry.open(ID, policy(3, AccountStatus.ACTIVE, AccountTerms.STRICT), () -> {});
    state.leases().evidence(new Evidence(0, Long.MAX_VALUE, 1), 0, state.leases().fundingEpoch());

    state.publish(policy(2, AccountStatus.ACTIVE, AccountTerms.elastic(1)));
    state.publish(policy(4, AccountStatus.ACTIVE, AccountTerms.STRICT));
    assertThat(state.leases().evidence()).isNotNull();

    state.publish(policy(5, AccountStatus.ACTIVE, AccountTerms.elastic(1)));
    assertThat(state.leases().evidence()).isNull();
    state.leases().evidence(new Evidence(0, Long.MAX_VALUE, 2), 0, state.leases().fundingEpoch());
    assertThat(state.leases().evidence()).isNotNull();
    state.publish(policy(6, AccountStatus.SUSPENDED, AccountTerms.elastic(1)));
    assertThat(state.leases().evidence()).as("another status").isNull();
  }

  @Test
  void whatTheLedgerSaidHoldsUntilItsTimeOrANewerPolicy() {
    final AccountState state =
        registry.open(ID, policy(1, AccountStatus.ACTIVE, AccountTerms.STRICT), () -> {});
    state.hold(Denial.ACCOUNT_SUSPENDED, 100);

    assertThat(state.closedTo(99)).isEqualTo(Denial.ACCOUNT_SUSPENDED);
    assertThat(state.closedTo(100)).isNull();
    state.publish(policy(2, AccountStatus.ACTIVE, AccountTerms.STRICT));
    assertThat(state.closedTo(99)).isNull();

    state.hold(Denial.UNKNOWN_PRINCIPAL, 100);
    state.liftHold();
    assertThat(state.closedTo(99)).isNull();
  }

  @Test
  void overageSurvivesEveryPolicy() {
    final AccountState state =
        registry.open(ID, policy(1, AccountStatus.ACTIVE, AccountTerms.elastic(10)), () -> {});
    state.overage().tryDebit(10, 10);

    state.publish(policy(2, AccountStatus.ACTIVE, AccountTerms.elastic(15)));
    assertThat(state.overageUsedUnits()).isEqualTo(10);
    assertThat(AccountState.overageCapUnits(state.policy())).isEqualTo(15);
    state.publish(policy(3, AccountStatus.ACTIVE, AccountTerms.STRICT));
    assertThat(AccountState.overageCapUnits(state.policy())).isZero();
    assertThat(state.overageUsedUnits()).as("while it is strict").isEqualTo(10);
    state.publish(policy(4, AccountStatus.ACTIVE, AccountTerms.elastic(15)));
    assertThat(state.overageUsedUnits()).as("and elastic again").isEqualTo(10);
  }

  @Test
  void anAccountThatWasNeverElasticHasNoOverage() {
    final AccountState state =
        registry.open(ID, policy(1, AccountStatus.ACTIVE, AccountTerms.STRICT), () -> {});

    assertThat(state.overageUsedUnits()).isZero();
    assertThatThrownBy(state::overage).isInstanceOf(IllegalStateException.class);
  }

  private static AccountPolicy policy(
      final long generation, final AccountStatus status, final AccountTerms terms) {
    return new AccountPolicy(generation, status, CapacityClass.BEST_EFFORT, terms, true);
  }

  @Test
  void aPolicyWhoseRatesCannotBeCountedChangesNothing() {
    final AccountState state = registry.findOrOpen(ID, null, opened -> () -> {});
    final AccountPolicy before = state.policy();
    final AccountTerms uncountable =
        new AccountTerms(EnforcementMode.STRICT, 0, new RateLimits(0, 0, 1, Long.MAX_VALUE), 7);

    assertThatThrownBy(
            () ->
                state.publish(
                    new AccountPolicy(
                        5, AccountStatus.SUSPENDED, CapacityClass.ASSURED, uncountable, false)))
        .isInstanceOf(IllegalArgumentException.class);

    assertThat(state.policy()).isSameAs(before);
    assertThat(state.gauge().ceiling()).isZero();
    assertThat(state.closedTo(0)).isNull();
  }
}
