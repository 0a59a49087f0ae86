package io.tollgrid.admission.request;

import io.tollgrid.admission.lease.OverageAllowance;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IL_Result;

/**
 * A start that commits overage against a debit that finds none left (R4, R33): whether the request
 * had started when the debit began, and what the debit was told.
 */
@JCStressTest
@Outcome(id = "0, TEMPORARILY_EXHAUSTED", expect = Expect.ACCEPTABLE, desc = "not begun yet")
@Outcome(id = "., COMMIT_IN_PROGRESS", expect = Expect.ACCEPTABLE, desc = "promises nothing")
@Outcome(id = "., EXHAUSTED", expect = Expect.ACCEPTABLE, desc = "committed")
@Outcome(expect = Expect.FORBIDDEN, desc = "what is committed was called refundable, or given out")
@State
public class OveragePublicationStress {
  private static final long CAP_UNITS = 5;

  private final UsageSlot slot = new UsageSlot(0, 0);
  private final long use = slot.open();
  private final OverageAllowance overage = new OverageAllowance();

  /** A request that holds all of the overage, and has not started. */
  public OveragePublicationStress() {
    overage.tryDebit(CAP_UNITS, CAP_UNITS);
  }

  /** Commits it, as a start does. */
  @Actor
  public void start() {
    overage.beginCommit();
    final boolean won = slot.tryStart(use, use);
    overage.endCommit(won ? CAP_UNITS : 0);
  }

  /** Wants some more. */
  @Actor
  public void debit(IL_Result result) {
    result.r1 = PhaseWord.phase(slot.word()) == PhaseWord.STARTED ? 1 : 0;
    result.r2 = overage.tryDebit(1, CAP_UNITS);
  }
}
