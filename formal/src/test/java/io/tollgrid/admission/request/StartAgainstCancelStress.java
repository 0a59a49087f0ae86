package io.tollgrid.admission.request;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IIII_Result;

/**
 * Start against cancel on one word (R6): whether the worker won, whether the canceller did, what
 * the loser saw of what the winner had written before, and whether a stop request stands.
 */
@JCStressTest
@Outcome(id = "1, 0, 7, 1", expect = Expect.ACCEPTABLE, desc = "started, told to stop")
@Outcome(id = "0, 1, 9, 0", expect = Expect.ACCEPTABLE, desc = "cancelled")
@Outcome(expect = Expect.FORBIDDEN, desc = "both or none won, or the loser saw an old slot")
@State
public class StartAgainstCancelStress {
  private static final int BY_WORKER = 7;
  private static final int BY_CANCELLER = 9;

  private final UsageSlot slot = new UsageSlot(0, 0);
  private final long use = slot.open();

  /** Starts, changing parts for a moment, as a start with care does. */
  @Actor
  public void worker(IIII_Result result) {
    slot.occurredAt(BY_WORKER);
    if (slot.tryStart(use, PhaseWord.busy(use))) {
      slot.leave();
      result.r1 = 1;
    } else {
      result.r3 = (int) slot.items();
    }
  }

  /** Cancels, or else asks to stop, as a handle does. */
  @Actor
  public void canceller(IIII_Result result) {
    slot.items(BY_CANCELLER);
    if (slot.tryRelease(use)) {
      result.r2 = 1;
    } else {
      slot.requestStop(use);
      result.r3 = (int) slot.occurredAtNanos();
    }
  }

  /** What stands in the end. */
  @Arbiter
  public void stands(IIII_Result result) {
    result.r4 = PhaseWord.isStopRequested(slot.word()) ? 1 : 0;
  }
}
