package io.tollgrid.ledger;

import static io.tollgrid.ledger.OneAccount.on;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/**
 * Witnesses R12: what a crashed holder held is provisional loss; a straggler converts loss into
 * billed, never beyond it; loss leaves the entry in time and is then decided on its row.
 */
class StragglerTest {
  private final OneAccount account = OneAccount.with(1_000);

  @Test
  void reclaimCreditsNothing() {
    final Lease lease = account.lease(100);
    account.bill(lease, 30);
    account.give(lease, 20);
    account.reclaimed(lease);

    assertThat(account.books().topUp()).isEqualTo(920);
    assertThat(account.books().lossResident()).isEqualTo(50);
    assertThat(account.again(lease).state()).isEqualTo(LeaseState.LOSS);
  }

  @Nested
  class OfAResidentLoss {
    private final Lease lease = account.lease(100);

    @Test
    void aStragglerTurnsLossIntoBilledAndTheRestStays() {
      account.reclaimed(lease);

      assertThat(account.bill(lease, 60)).isEqualTo(UsageVerdict.STRAGGLER);
      assertThat(account.books().lossResident()).isEqualTo(40);
      assertThat(account.books().billed()).isEqualTo(60);
      assertThat(account.again(lease).state()).isEqualTo(LeaseState.LOSS);
      assertThat(account.ledger().losses()).containsExactly(account.again(lease));
    }

    @Test
    void theLastUnitOfLossSettlesTheLease() {
      account.reclaimed(lease);

      assertThat(account.bill(lease, 100)).isEqualTo(UsageVerdict.STRAGGLER);
      assertThat(account.again(lease).state()).isEqualTo(LeaseState.SETTLED);
      assertThat(account.ledger().losses()).isEmpty();
      assertThat(account.ledger().settled()).containsExactly(account.again(lease));
    }

    @Test
    void aClaimBeyondTheLossChangesNothing() {
      account.reclaimed(lease);

      assertThat(account.bill(lease, 101)).isEqualTo(UsageVerdict.BEYOND_LOSS);
      assertThat(account.books().lossResident()).isEqualTo(100);
    }

    @Test
    void twoStragglersOfOneBatchShareTheLoss() {
      account.reclaimed(lease);

      assertThat(
              account.record(
                  account.event(on(lease), 70),
                  account.event(on(lease), 31),
                  account.event(on(lease), 30)))
          .containsExactly(
              UsageVerdict.STRAGGLER, UsageVerdict.BEYOND_LOSS, UsageVerdict.STRAGGLER);
      assertThat(account.again(lease).state()).isEqualTo(LeaseState.SETTLED);
    }

    @Test
    void whatAReleaseLeftUnreportedIsClaimedByItsUsage() {
      account.release(lease, 70);

      assertThat(account.bill(lease, 30)).isEqualTo(UsageVerdict.STRAGGLER);
      assertThat(account.books().lossResident()).isZero();
    }

    @Test
    void aZeroUnitStragglerIsRecordedAndMovesNothing() {
      account.reclaimed(lease);

      assertThat(account.bill(lease, 0)).isEqualTo(UsageVerdict.STRAGGLER);
      assertThat(account.last().effects().updated()).isEmpty();
      assertThat(account.books().lossResident()).isEqualTo(100);
    }
  }

  @Nested
  class OfAnArchivedLoss {
    private final Lease lease = account.lease(100);

    private Lease archived() {
      account.reclaimed(lease);
      account.later(Duration.ofDays(3));
      account.deposit(1);
      return account.again(lease);
    }

    @Test
    void lossLeavesTheEntryAtTheHorizonExactly() {
      account.reclaimed(lease);
      final long ended = account.again(lease).endedAtNanos();

      account.at(ended + Duration.ofDays(3).toNanos() - 1).deposit(1);
      assertThat(account.again(lease).state()).isEqualTo(LeaseState.LOSS);
      account.at(ended + Duration.ofDays(3).toNanos()).deposit(1);
      assertThat(account.again(lease).state()).isEqualTo(LeaseState.ARCHIVED);
      assertThat(account.books().lossResident()).isZero();
      assertThat(account.books().lossArchived()).isEqualTo(100);
      assertThat(account.ledger().losses()).isEmpty();
    }

    @Test
    void aCheckDoesNoHousekeeping() {
      account.reclaimed(lease);
      account.later(Duration.ofHours(100));
      account.refused(new LedgerCommand.Cross());

      assertThat(account.again(lease).state()).isEqualTo(LeaseState.LOSS);
    }

    @Test
    void aRowReadBeforeAnotherStragglerClaimedTheLossIsOutdated() {
      final Lease stale = archived();
      final LedgerRequest request =
          account
              .request(new LedgerCommand.RecordUsage(List.of(account.event(on(lease), 60))))
              .withRows(
                  Map.of(
                      new RowKey.LeaseKey(lease.id()), Optional.of(new StoredRow.LeaseRow(stale))));
      account.bill(lease, 100);

      final Decision decision =
          Ledger.apply(account.ledger(), request, account.now(), LedgerLimits.DEFAULTS);
      assertThat(decision.outcome()).isEqualTo(new Outcome.Outdated());
    }

    @Test
    void aStragglerIsDecidedOnTheRow() {
      archived();

      assertThat(account.bill(lease, 60)).isEqualTo(UsageVerdict.STRAGGLER);
      assertThat(account.again(lease).state()).isEqualTo(LeaseState.ARCHIVED);
      assertThat(account.books().lossArchived()).isEqualTo(40);
      assertThat(account.books().billed()).isEqualTo(60);
      assertThat(account.last().effects().present()).containsKey(new RowKey.LeaseKey(lease.id()));

      assertThat(account.bill(lease, 41)).isEqualTo(UsageVerdict.BEYOND_LOSS);
      assertThat(account.bill(lease, 40)).isEqualTo(UsageVerdict.STRAGGLER);
      assertThat(account.again(lease).state()).isEqualTo(LeaseState.SETTLED);
      assertThat(account.bill(lease, 1)).isEqualTo(UsageVerdict.BEYOND_LOSS);
    }

    @Test
    void severalStragglersOfOneBatchShareTheRow() {
      archived();

      assertThat(
              account.record(
                  account.event(on(lease), 70),
                  account.event(on(lease), 31),
                  account.event(on(lease), 30)))
          .containsExactly(
              UsageVerdict.STRAGGLER, UsageVerdict.BEYOND_LOSS, UsageVerdict.STRAGGLER);
      assertThat(account.last().effects().updated()).hasSize(1);
      assertThat(account.again(lease).billed()).isEqualTo(100);
    }

    @Test
    void onlySoManyLossesStayAndTheOldestLeaveFirst() {
      final OneAccount bounded =
          OneAccount.created(Limits.with(b -> b.lossKept = 2), AccountTerms.STRICT);
      bounded.deposit(10);
      final Lease first = bounded.lease(1);
      final Lease second = bounded.lease(1);
      final Lease third = bounded.lease(1);
      // The one granted last is lost first.
      bounded.release(third, 0);
      bounded.later(Duration.ofNanos(1)).release(first, 0);
      assertThat(bounded.ledger().losses()).extracting(Lease::fence).containsExactly(1L, 3L);

      bounded.later(Duration.ofNanos(1)).release(second, 0);
      assertThat(bounded.again(third).state()).isEqualTo(LeaseState.ARCHIVED);
      assertThat(bounded.ledger().losses()).extracting(Lease::fence).containsExactly(1L, 2L);
      assertThat(bounded.books().lossArchived()).isEqualTo(1);
    }

    @Test
    void aLeaseThatIsLostAndArchivedAtOnceIsWrittenAsArchived() {
      final OneAccount none =
          OneAccount.created(Limits.with(b -> b.lossKept = 0), AccountTerms.STRICT);
      none.deposit(10);
      final Lease old = none.lease(10);
      none.release(old, 4);

      assertThat(none.again(old).state()).isEqualTo(LeaseState.ARCHIVED);
      assertThat(none.books().lossArchived()).isEqualTo(6);
      assertThat(none.books().lossResident()).isZero();
    }

    @Test
    void itsReleaseIsAnsweredFromTheRow() {
      final LedgerCommand release = new LedgerCommand.Release(lease.id(), lease.fence(), 1, 30);
      final Outcome receipt = account.run(release);
      account.later(Duration.ofDays(3)).deposit(1);

      assertThat(account.again(lease).state()).isEqualTo(LeaseState.ARCHIVED);
      assertThat(account.run(release)).isEqualTo(receipt);
      assertThat(account.refused(new LedgerCommand.Return(lease.id(), lease.fence(), 2, 1)))
          .isEqualTo(Refusal.LEASE_ENDED);
    }
  }
}
