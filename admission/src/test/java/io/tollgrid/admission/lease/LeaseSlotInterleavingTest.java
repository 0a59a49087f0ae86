package io.tollgrid.admission.lease;

import io.tollgrid.admission.denial.Denial;
import io.tollgrid.admission.testing.Interleavings;
import io.tollgrid.ledger.Evidence;
import io.tollgrid.ledger.Id128;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.jetbrains.lincheck.datastructures.Validate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Witnesses R2 (no unit is debited from a drained lease, no demand is lost), R15 (evidence does not
 * outlive a change of funding) and R34 (a replacement refuses no one) under every interleaving.
 */
@Tag("slow")
class LeaseSlotInterleavingTest {
  @Test
  void debitingWhileLeasesAreReplacedIsLinearizable() {
    models().check(LeaseOps.class);
  }

  @Test
  void debitingWhileLeasesAreReplacedIsLinearizableUnderStress() {
    stress().check(LeaseOps.class);
  }

  @Test
  void noDemandIsLost() {
    models().actorsPerThread(2).actorsAfter(0).check(DemandOps.class);
  }

  @Test
  void noDemandIsLostUnderStress() {
    stress().actorsPerThread(2).actorsAfter(0).check(DemandOps.class);
  }

  @Test
  void whatIsKnownOfFundingIsLinearizable() {
    models().iterations(12).check(EvidenceOps.class);
  }

  @Test
  void whatIsKnownOfFundingIsLinearizableUnderStress() {
    stress().check(EvidenceOps.class);
  }

  private static ModelCheckingOptions models() {
    return Interleavings.models(3, 0, 1);
  }

  private static StressOptions stress() {
    return Interleavings.stress(3, 0, 1);
  }

  private static HeldLease lease(final long fence, final long units) {
    return new HeldLease(new Id128(0, fence), fence, units, Long.MAX_VALUE, 0, 0);
  }

  /** A lease of three units, of which a request holds one, and leases to replace it by. */
  public static class LeaseOps {
    private final LeaseSlot slot = new LeaseSlot(() -> {});
    private final HeldLease first = lease(1, 3);
    private long fences = 1;
    private @Nullable HeldLease displaced;

    /** One unit is held. */
    public LeaseOps() {
      slot.replace(first);
      slot.tryDebit(1, 0, 0);
    }

    /** Takes one unit; from which lease. */
    @Operation
    public long debit() {
      final HeldLease from = slot.tryDebit(1, 0, 0);
      return from == null ? 0 : from.fence();
    }

    /** The unit that was held first comes back, wherever its lease is. */
    @Operation(runOnce = true)
    public void credit() {
      slot.credit(first, 1, 0);
    }

    /** Replaces the lease. */
    @Operation(nonParallelGroup = "owner")
    public void replace() {
      fences++;
      displaced = slot.replace(lease(fences, 2));
    }

    /** Takes the lease out. */
    @Operation(nonParallelGroup = "owner")
    public void take() {
      displaced = slot.take();
    }

    /** Takes what is left on the lease that was displaced last. */
    @Operation(nonParallelGroup = "owner")
    public long drain() {
      return displaced == null ? -1 : displaced.drain();
    }
  }

  /**
   * Quotes are refused while the owner takes the demand. Nothing comes after it: a later quote
   * would ring for an earlier one.
   */
  @Param(name = "units", gen = IntGen.class, conf = "1:3")
  public static class DemandOps {
    private final LeaseSlot slot = new LeaseSlot(() -> {});

    /** Refuses a quote. */
    @Operation
    public Denial refuse(@Param(name = "units") final int units) {
      return slot.refuse(units, 0, false, 0);
    }

    /** The owner looks after what the bell announced. */
    @Operation(nonParallelGroup = "owner")
    public long takeDemand() {
      slot.rearm(LeaseSlot.REFUSED);
      return slot.takeDemand();
    }

    /** Nobody looks after a demand that no bell announces. */
    @Validate
    public void whatIsAskedForIsAnnounced() {
      if (slot.demandUnits() > 0 && (slot.bells() & LeaseSlot.REFUSED) == 0) {
        throw new IllegalStateException("a demand of " + slot.demandUnits() + " and no bell");
      }
    }
  }

  /**
   * Evidence comes and goes under requests.
   *
   * <p>Demand is not read here: a quote is judged first and becomes demand after it, so it can do
   * so when evidence has come that rules it out. The owner then asks once in vain.
   */
  @Param(name = "remaining", gen = IntGen.class, conf = "0:1")
  public static class EvidenceOps {
    private final LeaseSlot slot = new LeaseSlot(() -> {});

    // The owner's own.
    private long askedInEpoch;
    private long version;

    /** The owner asks. */
    @Operation(nonParallelGroup = "owner")
    public void ask() {
      askedInEpoch = slot.fundingEpoch();
    }

    /** The ledger refuses, and says what remains. */
    @Operation(nonParallelGroup = "owner")
    public void refused(@Param(name = "remaining") final int remaining) {
      version++;
      slot.evidence(new Evidence(remaining, Long.MAX_VALUE, version), 0, askedInEpoch);
    }

    /** The ledger grants a unit, and this is all that remains. */
    @Operation(nonParallelGroup = "owner")
    public void granted() {
      version++;
      slot.evidence(new Evidence(1, Long.MAX_VALUE, version), 1, askedInEpoch);
    }

    /** A deposit came. */
    @Operation
    public void fundingChanged() {
      slot.fundingChanged();
    }

    /** Refuses a quote of two units, and says why. */
    @Operation
    public Denial refuse() {
      return slot.refuse(2, 0, false, 0);
    }
  }
}
