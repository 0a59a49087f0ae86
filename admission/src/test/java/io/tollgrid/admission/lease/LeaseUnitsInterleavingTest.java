package io.tollgrid.admission.lease;

import io.tollgrid.admission.testing.Interleavings;
import java.util.concurrent.atomic.AtomicLong;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Witnesses R1 (no unit is debited twice), R2 (none is stranded, in one word or in shards) and R36
 * (a double return is a fault) under every interleaving.
 */
@Tag("slow")
class LeaseUnitsInterleavingTest {
  @Test
  void oneWordIsLinearizable() {
    models().check(OneWordOps.class);
  }

  @Test
  void oneWordIsLinearizableUnderStress() {
    stress().check(OneWordOps.class);
  }

  @Test
  void fragmentsAreCollectedLinearizably() {
    models().check(FragmentOps.class);
  }

  @Test
  void fragmentsAreCollectedLinearizablyUnderStress() {
    stress().check(FragmentOps.class);
  }

  @Test
  void closingAndDrainingShardsIsLinearizable() {
    models().check(ClosingOps.class);
  }

  @Test
  void closingAndDrainingShardsIsLinearizableUnderStress() {
    stress().check(ClosingOps.class);
  }

  @Test
  void everyUnitOfAShardedLeaseIsInOnePlace() {
    models().check(BooksOps.class);
  }

  @Test
  void everyUnitOfAShardedLeaseIsInOnePlaceUnderStress() {
    stress().check(BooksOps.class);
  }

  private static ModelCheckingOptions models() {
    return Interleavings.models(3, 0, 1).iterations(5);
  }

  private static StressOptions stress() {
    return Interleavings.stress(3, 0, 1);
  }

  /** Takes units; asks again as long as another is collecting, which proves nothing. */
  private static long debit(final LeaseUnits units, final long wanted, final int stripe) {
    long left = units.tryDebit(wanted, stripe);
    while (left == LeaseUnits.CONTENDED) {
      Thread.onSpinWait();
      left = units.tryDebit(wanted, stripe);
    }
    return left;
  }

  /** One word; requests hold two units of three. */
  public static class OneWordOps {
    private final LeaseUnits units = new LeaseUnits(3);

    /** Two units are held by requests. */
    public OneWordOps() {
      units.tryDebit(2);
    }

    /** Takes one unit. */
    @Operation
    public long debit() {
      return units.tryDebit(1);
    }

    /** Returns one unit; at times one that was never taken. */
    @Operation
    public boolean credit() {
      return units.credit(1);
    }

    /** Takes what is free. */
    @Operation
    public long drain() {
      return units.drain();
    }

    /** Refuses further debits. */
    @Operation
    public void close() {
      units.close();
    }
  }

  /** Two shards of two units each, and debits that no single shard may be able to serve. */
  @Param(name = "wanted", gen = IntGen.class, conf = "1:3")
  @Param(name = "stripe", gen = IntGen.class, conf = "0:1")
  public static class FragmentOps {
    private final LeaseUnits units = new LeaseUnits(4, 2);

    /** Takes units. What a shard has left is not compared: it depends on who took from which. */
    @Operation
    public boolean debit(
        @Param(name = "wanted") final int wanted, @Param(name = "stripe") final int stripe) {
      return LeaseUnitsInterleavingTest.debit(units, wanted, stripe) >= 0;
    }
  }

  /**
   * Two shards of a unit each, closed and drained one after the other.
   *
   * <p>Single units: a debit of more can be refused half way through a close or a drain, and a
   * smaller one be served by the other shard after it.
   */
  @Param(name = "stripe", gen = IntGen.class, conf = "0:1")
  public static class ClosingOps {
    private final LeaseUnits units = new LeaseUnits(2, 2);

    /** Takes one unit. */
    @Operation
    public boolean debit(@Param(name = "stripe") final int stripe) {
      return LeaseUnitsInterleavingTest.debit(units, 1, stripe) >= 0;
    }

    /** Takes what is free. */
    @Operation(nonParallelGroup = "owner")
    public long drain() {
      return units.drain();
    }

    /** Refuses further debits. */
    @Operation(nonParallelGroup = "owner")
    public void close() {
      units.close();
    }
  }

  /**
   * Two shards, and all that can happen to them at once. A debit that looks at one shard after the
   * other can miss a unit that comes back behind it and see another go before it; so no answers are
   * compared here, but the books.
   */
  @Param(name = "wanted", gen = IntGen.class, conf = "1:3")
  @Param(name = "stripe", gen = IntGen.class, conf = "0:1")
  public static class BooksOps {
    private static final int GRANTED = 4;

    private final LeaseUnits units = new LeaseUnits(GRANTED, 2);
    private final AtomicLong held = new AtomicLong();
    private final AtomicLong drained = new AtomicLong();
    private volatile boolean closed;

    /** Takes units, or is told that another is collecting. */
    @Operation
    public void debit(
        @Param(name = "wanted") final int wanted, @Param(name = "stripe") final int stripe) {
      final boolean refuses = closed;
      if (units.tryDebit(wanted, stripe) >= 0) {
        held.addAndGet(wanted);
        if (refuses) {
          throw new IllegalStateException("debited after it was closed");
        }
      }
    }

    /** Returns what is held. */
    @Operation
    public void credit(@Param(name = "stripe") final int stripe) {
      final var unused = units.credit(held.getAndSet(0), stripe);
    }

    /** Takes what is free. */
    @Operation
    public void drain() {
      drained.addAndGet(units.drain());
    }

    /** Refuses further debits. */
    @Operation
    public void close() {
      units.close();
      closed = true;
    }

    /** Counts. */
    @Validate
    public void everyUnitIsInOnePlace() {
      final long free = units.freeUnitsOpaque();
      if (free + held.get() + drained.get() != GRANTED) {
        throw new IllegalStateException(
            free + " free + " + held + " held + " + drained + " drained are not " + GRANTED);
      }
    }
  }
}
