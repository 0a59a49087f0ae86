package io.tollgrid.admission.request;

import io.tollgrid.admission.testing.Interleavings;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Witnesses R6 under every interleaving: of moves that exclude each other one wins, and a handle of
 * an earlier use moves nothing.
 */
@Tag("slow")
class UsageSlotPhaseInterleavingTest {
  @Test
  void movesOfOneUseAreLinearizable() {
    models().check(OneUseOps.class);
  }

  @Test
  void movesOfOneUseAreLinearizableUnderStress() {
    stress().check(OneUseOps.class);
  }

  @Test
  void lateHandlesAreLinearizable() {
    models().check(LateHandleOps.class);
  }

  @Test
  void lateHandlesAreLinearizableUnderStress() {
    stress().check(LateHandleOps.class);
  }

  private static ModelCheckingOptions models() {
    return Interleavings.models(3, 1, 1);
  }

  private static StressOptions stress() {
    return Interleavings.stress(3, 1, 1);
  }

  /** What may race on a request. */
  public static class OneUseOps {
    private final UsageSlot slot = new UsageSlot(0, 0);
    private final long use = slot.open();

    /** The worker's own: whether it is changing the parts. */
    private boolean entered;

    /** The worker starts. */
    @Operation
    public boolean start() {
      return slot.tryStart(use, use);
    }

    /** Someone cancels. */
    @Operation
    public boolean release() {
      return slot.tryRelease(use);
    }

    /** The worker, or the sweep, settles. */
    @Operation
    public boolean settle() {
      return slot.trySettle(use);
    }

    /** The worker begins to change the parts. */
    @Operation(nonParallelGroup = "worker")
    public boolean enter() {
      final boolean now = slot.tryEnter(use);
      entered |= now;
      return now;
    }

    /** The worker has changed them. */
    @Operation(nonParallelGroup = "worker")
    public void leave() {
      if (entered) {
        entered = false;
        slot.leave();
      }
    }

    /** Someone wants it to stop. */
    @Operation
    public int stop() {
      return PhaseWord.phase(slot.requestStop(use));
    }

    /** Someone looks. */
    @Operation
    public String look() {
      final long word = slot.word();
      return PhaseWord.phase(word)
          + (PhaseWord.isBusy(word) ? " busy" : "")
          + (PhaseWord.isStopRequested(word) ? " stop" : "");
    }
  }

  /** A worker uses a slot over and over; others keep the handle of the first use. */
  public static class LateHandleOps {
    private final UsageSlot slot = new UsageSlot(0, 0);
    private final long first = slot.open();

    /** The worker's own. */
    private long use = first;

    /** The worker starts its request, or ends what it started. */
    @Operation(nonParallelGroup = "worker")
    public boolean work() {
      return slot.tryStart(use, use) || slot.trySettle(use);
    }

    /** The worker uses the slot again, if its request is over. */
    @Operation(nonParallelGroup = "worker")
    public boolean again() {
      final int phase = PhaseWord.phase(slot.word());
      if (phase == PhaseWord.PENDING || phase == PhaseWord.STARTED) {
        return false;
      }
      use = slot.open();
      return true;
    }

    /** Whether the worker was asked to stop. */
    @Operation(nonParallelGroup = "worker")
    public boolean mustStop() {
      return PhaseWord.sameUse(slot.word(), use) && PhaseWord.isStopRequested(slot.word());
    }

    /** Someone cancels the first use. */
    @Operation
    public boolean release() {
      return slot.tryRelease(first);
    }

    /** Someone wants the first use to stop; whether it was in time. */
    @Operation
    public boolean stop() {
      return PhaseWord.sameUse(slot.requestStop(first), first);
    }
  }
}
