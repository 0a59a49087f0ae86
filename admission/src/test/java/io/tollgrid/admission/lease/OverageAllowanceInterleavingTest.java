package io.tollgrid.admission.lease;

import io.tollgrid.admission.testing.Interleavings;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Witnesses R1 (the cap holds) and R33 (a refusal never promises what a commit has taken) under
 * every interleaving.
 */
@Tag("slow")
class OverageAllowanceInterleavingTest {
  @Test
  void takingAndGivingBackIsLinearizable() {
    models().check(BoundOps.class);
  }

  @Test
  void takingAndGivingBackIsLinearizableUnderStress() {
    stress().check(BoundOps.class);
  }

  @Test
  void whatARefusalPromisesIsLinearizable() {
    models().actorsBefore(0).iterations(12).check(PromiseOps.class);
  }

  @Test
  void whatARefusalPromisesIsLinearizableUnderStress() {
    stress().check(PromiseOps.class);
  }

  private static ModelCheckingOptions models() {
    return Interleavings.models(3, 1, 1);
  }

  private static StressOptions stress() {
    return Interleavings.stress(3, 1, 1);
  }

  /**
   * A cap of four; one unit is pending and two are committed. Whether a debit is taken is compared,
   * and not why it is refused: that is decided a moment later, when units may have come back.
   */
  @Param(name = "units", gen = IntGen.class, conf = "1:2")
  public static class BoundOps {
    private static final long CAP = 4;

    private final OverageAllowance overage = new OverageAllowance();

    /** Three are used. */
    public BoundOps() {
      overage.tryDebit(3, CAP);
      overage.beginCommit();
      overage.endCommit(2);
    }

    /** Takes units. */
    @Operation
    public boolean debit(@Param(name = "units") final int units) {
      return overage.tryDebit(units, CAP) == OverageAllowance.Debit.TAKEN;
    }

    /** The pending request is cancelled. */
    @Operation(runOnce = true)
    public void refund() {
      overage.refund(1);
    }

    /** A started request settles a unit below what it took. */
    @Operation(runOnce = true)
    public void settle() {
      overage.refundCommitted(1);
    }

    /** Reads. */
    @Operation
    public long used() {
      return overage.usedUnits();
    }
  }

  /** A cap of three; two units are pending, about to be committed, and nothing comes back. */
  @Param(name = "units", gen = IntGen.class, conf = "1:3")
  public static class PromiseOps {
    private static final long CAP = 3;

    private final OverageAllowance overage = new OverageAllowance();

    // The starter's own.
    private long pending = 2;
    private boolean committing = true;

    /** Two are used. */
    public PromiseOps() {
      overage.tryDebit(pending, CAP);
      overage.beginCommit();
    }

    /** Takes units, or is told whether it may ever. */
    @Operation
    public OverageAllowance.Debit debit(@Param(name = "units") final int units) {
      return overage.tryDebit(units, CAP);
    }

    /** A request is about to start. */
    @Operation(nonParallelGroup = "starter")
    public void begin() {
      if (!committing) {
        committing = true;
        overage.beginCommit();
      }
    }

    /** It has started. */
    @Operation(nonParallelGroup = "starter")
    public void commit() {
      end(pending);
    }

    /** It was cancelled first. */
    @Operation(nonParallelGroup = "starter")
    public void lose() {
      end(0);
    }

    private void end(final long committed) {
      if (committing) {
        committing = false;
        pending -= committed;
        overage.endCommit(committed);
      }
    }
  }
}
