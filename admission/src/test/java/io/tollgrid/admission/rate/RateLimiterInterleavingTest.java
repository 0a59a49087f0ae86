package io.tollgrid.admission.rate;

import io.tollgrid.admission.testing.Interleavings;
import io.tollgrid.ledger.RateLimits;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Witnesses R29 and R9 under every interleaving: no take, charge or re-split is lost or doubled.
 */
@Tag("slow")
class RateLimiterInterleavingTest {
  private static final long NOW = 1_000_000_000_000L;

  @Test
  void takingAndAdjustingIsLinearizable() {
    models().check(AdjustOps.class);
  }

  @Test
  void takingAndAdjustingIsLinearizableUnderStress() {
    stress().check(AdjustOps.class);
  }

  @Test
  void takingAndChargingDuringAReSplitIsLinearizable() {
    models().check(SplitOps.class);
  }

  @Test
  void takingAndChargingDuringAReSplitIsLinearizableUnderStress() {
    stress().check(SplitOps.class);
  }

  private static ModelCheckingOptions models() {
    return Interleavings.models(3, 1, 2).invocationsPerIteration(100);
  }

  private static StressOptions stress() {
    return Interleavings.stress(3, 1, 2).iterations(3).invocationsPerIteration(100);
  }

  /** One shard: takes, charges and refunds of units. */
  @Param(name = "units", gen = IntGen.class, conf = "1:2")
  public static class AdjustOps {
    private final RateLimiter limiter = new RateLimiter();

    /** Three units at once. */
    public AdjustOps() {
      limiter.publish(new RateLimits(0, 0, 1, 3), 1, 1);
    }

    /** Takes. */
    @Operation
    public String take(@Param(name = "units") final int units) {
      return String.valueOf(limiter.take(units, 0, NOW));
    }

    /** Settles for more than was taken. */
    @Operation
    public long charge(@Param(name = "units") final int units) {
      return limiter.charge(units, 0, NOW);
    }

    /** Settles for less than was taken. */
    @Operation
    public void giveBack() {
      limiter.refund(1, 0);
    }

    /** Reads when one unit is to be had. */
    @Operation
    public long earliest() {
      return limiter.earliestNanos(1, NOW);
    }
  }

  /** One, two or four shards: nothing that is taken or charged gets lost between them. */
  @Param(name = "stripe", gen = IntGen.class, conf = "0:1")
  public static class SplitOps {
    private static final int MOST_SHARDS = 4;

    private final RateLimiter limiter = new RateLimiter();
    private int shards = 1;

    /** Four units at once. */
    public SplitOps() {
      limiter.publish(new RateLimits(0, 0, 1, 4), shards, 1);
    }

    /** Takes a unit. */
    @Operation
    public String take(@Param(name = "stripe") final int stripe) {
      return String.valueOf(limiter.take(1, stripe, NOW));
    }

    /** Looks. */
    @Operation
    public String peek(@Param(name = "stripe") final int stripe) {
      return String.valueOf(limiter.peek(1, stripe, NOW));
    }

    /** Settles for a unit more than was taken. */
    @Operation
    public long charge(@Param(name = "stripe") final int stripe) {
      return limiter.charge(1, stripe, NOW);
    }

    /** Splits on, or joins what was split. */
    @Operation(nonParallelGroup = "publisher")
    public void split() {
      shards = shards == MOST_SHARDS ? 1 : 2 * shards;
      limiter.publish(new RateLimits(0, 0, 1, 4), shards, 1);
    }
  }
}
