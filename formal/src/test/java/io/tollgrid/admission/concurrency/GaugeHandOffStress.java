package io.tollgrid.admission.concurrency;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/**
 * The first ceiling of a gauge against an entrant of a stripe (R30): who of the two got in, and how
 * many the gauge says are in.
 */
@JCStressTest
@Outcome(id = "1, 0, 1", expect = Expect.ACCEPTABLE, desc = "the publisher's own request is in")
@Outcome(id = "0, 1, 1", expect = Expect.ACCEPTABLE, desc = "the other one is in")
@Outcome(expect = Expect.FORBIDDEN, desc = "more than the ceiling, or refused below it")
@State
public class GaugeHandOffStress {
  private static final int STRIPES = 2;

  private final ConcurrencyGauge gauge = new ConcurrencyGauge(STRIPES);

  /** Sets a ceiling of one, and enters. */
  @Actor
  public void publisher(III_Result result) {
    gauge.limit(1);
    result.r1 = gauge.tryEnter(0) == ConcurrencyGauge.REFUSED ? 0 : 1;
  }

  /** Enters a stripe, while there are any. */
  @Actor
  public void entrant(III_Result result) {
    result.r2 = gauge.tryEnter(1) == ConcurrencyGauge.REFUSED ? 0 : 1;
  }

  /** How many are in. */
  @Arbiter
  public void inside(III_Result result) {
    result.r3 = (int) gauge.running();
  }
}
