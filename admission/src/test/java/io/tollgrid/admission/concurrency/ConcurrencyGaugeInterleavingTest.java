package io.tollgrid.admission.concurrency;

import io.tollgrid.admission.testing.Interleavings;
import org.jetbrains.lincheck.Lincheck;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Witnesses R30 under every interleaving: ceilings are exact, also when they come and go. */
@Tag("slow")
class ConcurrencyGaugeInterleavingTest {
  private static final int INVOCATIONS = 1_000;

  @Test
  void oneWordIsLinearizable() {
    models(3).check(OneWordOps.class);
  }

  @Test
  void oneWordIsLinearizableUnderStress() {
    stress(3).check(OneWordOps.class);
  }

  @Test
  void theHandOffFromStripesIsLinearizable() {
    models(2).actorsBefore(0).check(HandOffOps.class);
  }

  @Test
  void theHandOffFromStripesIsLinearizableUnderStress() {
    stress(2).actorsBefore(0).check(HandOffOps.class);
  }

  /**
   * One runs below a ceiling of two, and leaves after the ceiling became one: one of two enters.
   */
  @Test
  void aChangeOfTheCeilingIsOneMoment() {
    Lincheck.runConcurrentTest(INVOCATIONS, () -> oneOfTwoEnters(new ConcurrencyGauge()));
  }

  private static void oneOfTwoEnters(final ConcurrencyGauge gauge) {
    gauge.limit(2);
    final int token = gauge.tryEnter(0);
    final int[] tokens = new int[2];
    final Thread first =
        new Thread(
            () -> {
              gauge.limit(1);
              gauge.leave(token);
              tokens[0] = gauge.tryEnter(0);
            });
    final Thread second = new Thread(() -> tokens[1] = gauge.tryEnter(1));
    first.start();
    second.start();
    try {
      first.join();
      second.join();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    final boolean oneEntered =
        (tokens[0] == ConcurrencyGauge.REFUSED) != (tokens[1] == ConcurrencyGauge.REFUSED);
    if (!oneEntered) {
      throw new AssertionError("one of two enters, not " + tokens[0] + " and " + tokens[1]);
    }
  }

  private static ModelCheckingOptions models(final int actors) {
    return Interleavings.models(actors, 1, 1).iterations(10).invocationsPerIteration(100);
  }

  private static StressOptions stress(final int actors) {
    return Interleavings.stress(actors, 1, 1).iterations(3).invocationsPerIteration(100);
  }

  /** A gauge of one word; one request runs and has a ceiling that is not reached. */
  @Param(name = "ceiling", gen = IntGen.class, conf = "0:2")
  public static class OneWordOps {
    private final ConcurrencyGauge gauge = new ConcurrencyGauge();

    /** One runs. */
    public OneWordOps() {
      gauge.limit(2);
      gauge.tryEnter(0);
    }

    /** Enters. */
    @Operation
    public boolean enter() {
      return gauge.tryEnter(0) != ConcurrencyGauge.REFUSED;
    }

    /** The one that ran first leaves. */
    @Operation(runOnce = true)
    public void leave() {
      gauge.leave(0);
    }

    /** Sets a ceiling, or lifts it. */
    @Operation
    public void limit(@Param(name = "ceiling") final int ceiling) {
      gauge.limit(ceiling);
    }

    /** Reads. */
    @Operation
    public long running() {
      return gauge.running();
    }
  }

  /**
   * A gauge of two stripes that has no ceiling yet.
   *
   * <p>Two operations to a thread: with three, one thread can set the ceiling, be refused for an
   * entrant on its way from the stripes to the one word, and enter before that one does. That is
   * the moment too long that {@link ConcurrencyGauge} speaks of. And none before them: whoever
   * enters before leaves no room for one too many, and a ceiling set before leaves no stripes.
   */
  @Param(name = "stripe", gen = IntGen.class, conf = "0:1")
  public static class HandOffOps {
    private final ConcurrencyGauge gauge = new ConcurrencyGauge(2);

    /** Enters. */
    @Operation
    public boolean enter(@Param(name = "stripe") final int stripe) {
      return gauge.tryEnter(stripe) != ConcurrencyGauge.REFUSED;
    }

    /** Sets the ceiling. */
    @Operation
    public void limit() {
      gauge.limit(1);
    }
  }
}
