package io.tollgrid.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Witnesses R12 and R19 (reclaim is bounded, oldest due first, at exact nanoseconds) and R57 (its
 * cutoff is never ahead of ledger time).
 */
class ReclaimTest {
  private final OneAccount account = OneAccount.with(1_000);

  private Outcome.Reclaimed reclaim(long cutoffNanos) {
    return (Outcome.Reclaimed) account.applied(new LedgerCommand.Reclaim(cutoffNanos));
  }

  @Test
  void aLeaseIsDueAtExpiryPlusGraceAndNotOneNanosecondEarlier() {
    final Lease lease = account.lease(100);
    final long due = lease.expiresAtNanos() + Duration.ofSeconds(15).toNanos();

    account.at(due - 1);
    assertThat(account.refused(new LedgerCommand.Reclaim(due - 1))).isEqualTo(Refusal.NOTHING_DUE);
    account.at(due);
    assertThat(reclaim(due)).isEqualTo(new Outcome.Reclaimed(1, 100, false));
  }

  @Test
  void theCutoffBoundsWhatIsDueThoughLedgerTimeIsLater() {
    final Lease lease = account.lease(100);
    account.later(Duration.ofHours(1));

    assertThat(account.refused(new LedgerCommand.Reclaim(lease.reclaimableAtNanos() - 1)))
        .isEqualTo(Refusal.NOTHING_DUE);
    assertThat(reclaim(lease.reclaimableAtNanos()).leases()).isEqualTo(1);
  }

  @Test
  void aCutoffAheadOfLedgerTimeReclaimsNothingEarly() {
    account.lease(100);

    assertThat(account.refused(new LedgerCommand.Reclaim(Long.MAX_VALUE)))
        .isEqualTo(Refusal.NOTHING_DUE);
  }

  @Test
  void aBackwardClockDelaysNothingThatWasAlreadyDue() {
    final Lease lease = account.lease(100);
    account.at(lease.reclaimableAtNanos()).deposit(1);
    account.at(OneAccount.NOON);

    assertThat(reclaim(Long.MAX_VALUE).leases()).isEqualTo(1);
    assertThat(account.again(lease).endedAtNanos()).isEqualTo(lease.reclaimableAtNanos());
  }

  @Test
  void aBatchTakesTheOldestDueFirstAndSaysWhenMoreAreDue() {
    final OneAccount bounded =
        OneAccount.created(Limits.with(b -> b.maxReclaimed = 2), AccountTerms.STRICT);
    bounded.deposit(100);
    final Lease longest = renewed(bounded, bounded.lease(1), 300);
    final Lease shortest = bounded.lease(2);
    final Lease middle = renewed(bounded, bounded.lease(4), 120);
    bounded.later(Duration.ofHours(1));

    assertThat(bounded.applied(new LedgerCommand.Reclaim(bounded.now())))
        .isEqualTo(new Outcome.Reclaimed(2, 6, true));
    assertThat(bounded.again(shortest).state()).isEqualTo(LeaseState.LOSS);
    assertThat(bounded.again(middle).state()).isEqualTo(LeaseState.LOSS);
    assertThat(bounded.again(longest).state()).isEqualTo(LeaseState.ACTIVE);

    assertThat(bounded.applied(new LedgerCommand.Reclaim(bounded.now())))
        .isEqualTo(new Outcome.Reclaimed(1, 1, false));
    assertThat(bounded.refused(new LedgerCommand.Reclaim(bounded.now())))
        .isEqualTo(Refusal.NOTHING_DUE);
  }

  @Test
  void exactlyOneFullBatchIsNotSaturated() {
    final OneAccount bounded =
        OneAccount.created(Limits.with(b -> b.maxReclaimed = 2), AccountTerms.STRICT);
    bounded.deposit(100);
    bounded.lease(1);
    bounded.lease(2);
    bounded.later(Duration.ofHours(1));

    assertThat(bounded.applied(new LedgerCommand.Reclaim(bounded.now())))
        .isEqualTo(new Outcome.Reclaimed(2, 3, false));
  }

  @Test
  void leasesDueAtTheSameInstantGoInTheOrderOfTheirFences() {
    final OneAccount bounded =
        OneAccount.created(Limits.with(b -> b.maxReclaimed = 1), AccountTerms.STRICT);
    bounded.deposit(100);
    final List<Lease> leases = List.of(bounded.lease(1), bounded.lease(2), bounded.lease(4));
    bounded.later(Duration.ofHours(1));

    for (final Lease lease : leases) {
      bounded.applied(new LedgerCommand.Reclaim(bounded.now()));
      assertThat(bounded.again(lease).state()).isEqualTo(LeaseState.LOSS);
    }
  }

  @Test
  void aLeaseWithNothingLeftIsSettledWithoutLoss() {
    final Lease lease = account.lease(100);
    account.bill(lease, 100);
    account.later(Duration.ofHours(1));

    assertThat(reclaim(account.now())).isEqualTo(new Outcome.Reclaimed(1, 0, false));
    assertThat(account.again(lease).state()).isEqualTo(LeaseState.SETTLED);
  }

  @Test
  void leasesThatAreNotDueStay() {
    final Lease due = account.lease(10);
    account.later(Duration.ofSeconds(70));
    final Lease running = account.lease(20);
    account.later(Duration.ofSeconds(5));

    assertThat(reclaim(account.now())).isEqualTo(new Outcome.Reclaimed(1, 10, false));
    assertThat(account.again(due).state()).isEqualTo(LeaseState.LOSS);
    assertThat(account.again(running).state()).isEqualTo(LeaseState.ACTIVE);
  }

  private static Lease renewed(OneAccount account, Lease lease, long seconds) {
    account.applied(
        new LedgerCommand.Renew(
            lease.id(), lease.fence(), 1, Duration.ofSeconds(seconds).toNanos()));
    return account.again(lease);
  }
}
