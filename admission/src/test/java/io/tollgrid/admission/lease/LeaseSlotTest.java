package io.tollgrid.admission.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.tollgrid.admission.denial.Denial;
import io.tollgrid.ledger.Evidence;
import io.tollgrid.ledger.Id128;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Witnesses R2 (demand is recorded, displaced units are not debited), R15 (evidence), R34 (bells
 * ring once) and R35 (a displaced lease is handed back).
 */
class LeaseSlotTest {
  private static final long NEVER = Long.MAX_VALUE;

  private final AtomicLong rings = new AtomicLong();
  private final LeaseSlot slot = new LeaseSlot(rings::incrementAndGet);

  // Leases

  @Test
  void anEmptySlotFundsNothing() {
    assertThat(slot.tryDebit(1, 0, 0)).isNull();
    assertThat(slot.refuse(1, 0, false, 0)).isEqualTo(Denial.NO_LEASE);
  }

  @Test
  void aReplacedLeaseIsHandedBackClosed() {
    final HeldLease first = lease(100);
    final HeldLease second = lease(50);
    slot.replace(first);

    assertThat(slot.replace(second)).isSameAs(first);
    assertThat(first.isClosed()).isTrue();
    assertThat(first.freeUnits()).isEqualTo(100);
    assertThat(slot.tryDebit(10, 0, 0)).isSameAs(second);
  }

  @Test
  void puttingTheSameLeaseBackDisplacesNothingAndKeepsEvidence() {
    final HeldLease lease = lease(100);
    slot.replace(lease);
    slot.evidence(new Evidence(100, NEVER, 1), 0, slot.fundingEpoch());

    assertThat(slot.replace(lease)).isNull();
    assertThat(lease.isClosed()).isFalse();
    assertThat(slot.evidence()).isNotNull();
  }

  @Test
  void takingEmptiesTheSlot() {
    final HeldLease lease = lease(100);
    slot.replace(lease);

    assertThat(slot.take()).isSameAs(lease);
    assertThat(lease.isClosed()).isTrue();
    assertThat(slot.current()).isNull();
    assertThat(slot.take()).isNull();
  }

  @Test
  void aLapsedLeaseIsNamedAsTheReason() {
    slot.replace(lease(100));

    assertThat(slot.tryDebit(1, 0, 2_000)).isNull();
    assertThat(slot.refuse(1, 0, false, 2_000)).isEqualTo(Denial.LEASE_EXPIRED);
  }

  @Test
  void aLeaseWithTooLittleIsNamedAsTheReason() {
    slot.replace(lease(100));

    assertThat(slot.tryDebit(101, 0, 0)).isNull();
    assertThat(slot.refuse(101, 0, false, 0)).isEqualTo(Denial.INSUFFICIENT_LEASE);
  }

  // Demand and bells

  @Test
  void theLargestRefusedQuoteIsKeptUntilItIsTaken() {
    slot.refuse(10, 0, false, 0);
    slot.refuse(30, 0, false, 0);
    slot.refuse(20, 0, false, 0);

    assertThat(slot.demandUnits()).isEqualTo(30);
    assertThat(slot.takeDemand()).isEqualTo(30);
    assertThat(slot.takeDemand()).isZero();
    assertThat(rings).hasValue(1);
  }

  @Test
  void aBellRingsAgainOnlyAfterItWasRearmed() {
    slot.refuse(10, 0, false, 0);
    slot.refuse(10, 0, false, 0);
    assertThat(rings).hasValue(1);
    assertThat(slot.bells()).isEqualTo(LeaseSlot.REFUSED);

    slot.rearm(LeaseSlot.REFUSED);
    assertThat(slot.bells()).isZero();
    slot.refuse(10, 0, false, 0);
    assertThat(rings).hasValue(2);
  }

  @Test
  void lowWaterRingsOncePerLeaseEvenWhenRearmed() {
    slot.replace(lease(100));
    slot.tryDebit(75, 0, 0);
    assertThat(rings).hasValue(0);
    slot.tryDebit(1, 0, 0);
    assertThat(slot.bells()).isEqualTo(LeaseSlot.LOW_WATER);
    slot.rearm(LeaseSlot.LOW_WATER);
    slot.tryDebit(1, 0, 0);

    assertThat(rings).hasValue(1);
    slot.replace(lease(8));
    slot.tryDebit(7, 0, 0);
    assertThat(rings).hasValue(2);
  }

  @Test
  void aCreditRingsWhenOnlyTheOwnerCanUseItOrIsWaitingForIt() {
    final HeldLease lease = lease(100);
    slot.replace(lease);
    slot.tryDebit(30, 0, 0);
    slot.credit(lease, 10, 0);
    assertThat(rings).as("open and nobody waits").hasValue(0);

    slot.watchCredits(true);
    slot.credit(lease, 10, 0);
    assertThat(slot.bells()).isEqualTo(LeaseSlot.CREDITED);
    slot.rearm(LeaseSlot.CREDITED);
    slot.watchCredits(false);

    slot.take();
    slot.credit(lease, 10, 0);
    assertThat(rings).as("closed").hasValue(2);
  }

  @Test
  void theLargestQuoteIsRemembered() {
    slot.quoted(5);
    slot.quoted(9);
    slot.quoted(7);

    assertThat(slot.largestQuoteUnits()).isEqualTo(9);
  }

  // Evidence

  @Test
  void aQuoteBeyondEvidenceIsRefusedForGoodAndIsNoDemand() {
    slot.evidence(new Evidence(50, NEVER, 1), 0, slot.fundingEpoch());

    assertThat(slot.refuse(51, 0, false, 0)).isEqualTo(Denial.BALANCE_INSUFFICIENT);
    assertThat(slot.demandUnits()).isZero();
    assertThat(slot.takeHopelessDemand()).isEqualTo(51);
    assertThat(slot.bells()).isEqualTo(LeaseSlot.HOPELESS);
  }

  @Test
  void aQuoteWithinEvidenceProvesNothing() {
    slot.evidence(new Evidence(50, NEVER, 1), 0, slot.fundingEpoch());

    assertThat(slot.refuse(50, 0, false, 0)).isEqualTo(Denial.NO_LEASE);
    assertThat(slot.demandUnits()).isEqualTo(50);
  }

  @Test
  void whatTheRequestItselfHoldsCannotFundIt() {
    slot.evidence(new Evidence(50, NEVER, 1), 0, slot.fundingEpoch());

    assertThat(slot.refuse(20, 30, false, 0).isFinal()).isFalse();
    assertThat(slot.refuse(21, 30, false, 0)).isEqualTo(Denial.BALANCE_INSUFFICIENT);
  }

  @Test
  void nothingRemainingIsExhaustion() {
    slot.evidence(new Evidence(0, NEVER, 1), 0, slot.fundingEpoch());

    assertThat(slot.refuse(1, 0, false, 0)).isEqualTo(Denial.BALANCE_EXHAUSTED);
    assertThat(slot.refuse(0, 0, false, 0)).as("a zero quote").isEqualTo(Denial.NO_LEASE);
  }

  @Test
  void evidenceEndsWithItsPeriod() {
    slot.evidence(new Evidence(0, 500, 1), 0, slot.fundingEpoch());

    assertThat(slot.refuse(1, 0, false, 499)).isEqualTo(Denial.BALANCE_EXHAUSTED);
    assertThat(slot.refuse(1, 0, false, 500)).isEqualTo(Denial.NO_LEASE);
  }

  @Test
  void changedFundingDropsEvidenceAndWhatWasAskedBeforeIt() {
    final long epoch = slot.fundingEpoch();
    slot.evidence(new Evidence(0, NEVER, 1), 0, epoch);
    slot.fundingChanged();
    assertThat(slot.evidence()).isNull();

    slot.evidence(new Evidence(0, NEVER, 2), 0, epoch);
    assertThat(slot.evidence()).as("a late answer").isNull();
  }

  @Test
  void aGrantReplacesEvidenceWithItsOwn() {
    final long epoch = slot.fundingEpoch();
    slot.evidence(new Evidence(5, NEVER, 9), 0, epoch);
    slot.evidence(new Evidence(80, NEVER, 10), 60, epoch);
    assertThat(slot.evidence()).isEqualTo(new Evidence(80, NEVER, 10));

    slot.evidence(new Evidence(0, NEVER, 11), 0, epoch);
    assertThat(slot.evidence()).as("asked before the grant").isEqualTo(new Evidence(80, NEVER, 10));
  }

  @Test
  void evidenceSmallerThanItsOwnGrantIsDiscarded() {
    slot.evidence(new Evidence(59, NEVER, 1), 60, slot.fundingEpoch());

    assertThat(slot.evidence()).isNull();
  }

  @Test
  void aGrantWithoutEvidenceLeavesNone() {
    slot.evidence(new Evidence(5, NEVER, 9), 0, slot.fundingEpoch());
    slot.evidence(null, 60, slot.fundingEpoch());

    assertThat(slot.evidence()).isNull();
  }

  @Test
  void olderEvidenceDoesNotReplaceNewer() {
    slot.evidence(new Evidence(5, NEVER, 9), 0, slot.fundingEpoch());
    slot.evidence(new Evidence(50, NEVER, 8), 0, slot.fundingEpoch());

    assertThat(slot.evidence()).isEqualTo(new Evidence(5, NEVER, 9));
  }

  // Both sides at once

  @Test
  @Timeout(30)
  @Tag("stress")
  void noUnitIsLostOrDoubledWhileLeasesAreReplacedUnderRequests() throws InterruptedException {
    final List<HeldLease> leases = new ArrayList<>();
    final List<HeldLease> displaced = new ArrayList<>();
    final AtomicLong settled = new AtomicLong();
    final AtomicLong running = new AtomicLong(2);
    final Thread[] workers = new Thread[2];
    for (int i = 0; i < workers.length; i++) {
      workers[i] =
          new Thread(
              () -> {
                final ThreadLocalRandom random = ThreadLocalRandom.current();
                for (int n = 0; n < 100_000; n++) {
                  final long units = random.nextLong(5);
                  final HeldLease lease = slot.tryDebit(units, 0, 0);
                  if (lease != null) {
                    final long kept = random.nextLong(units + 1);
                    slot.credit(lease, units - kept, 0);
                    settled.addAndGet(kept);
                  }
                }
                running.decrementAndGet();
              });
      workers[i].start();
    }
    long drained = 0;
    while (running.get() > 0 || leases.isEmpty()) {
      final HeldLease next = lease(1_000);
      leases.add(next);
      final HeldLease before = slot.replace(next);
      if (before != null) {
        displaced.add(before);
        drained += before.drain();
        assertThat(before.tryDebit(0, 0)).isEqualTo(LeaseUnits.REFUSED);
      }
      Thread.onSpinWait();
    }
    for (final Thread worker : workers) {
      worker.join();
    }
    displaced.add(slot.take());
    for (final HeldLease lease : displaced) {
      drained += lease.drain();
    }

    assertThat(drained + settled.get()).isEqualTo(1_000L * leases.size());
  }

  private static HeldLease lease(final long units) {
    return new HeldLease(new Id128(1, 1), 1, units, 2_000, 0, units / 4);
  }
}
