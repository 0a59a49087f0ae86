package io.tollgrid.verification.bench.admission;

import io.tollgrid.ledger.Id128;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * P8: the cycle over many accounts, one principal each, both rates and both ceilings, on one thread
 * that drains its usage itself.
 *
 * <p>Ids come in the order in which they are drawn, each an object beside the one before it, as if
 * they had just been read from a socket: finding them costs the same for a thousand accounts as for
 * a million.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class PopulationBenchmark {
  private static final long SEED = 8;
  private static final int SLOTS = 1 << 10;

  /** How many accounts there are. */
  @Param("1000")
  public int accounts = 1_000;

  /** Which one is next. */
  @Param("UNIFORM")
  public Draws draws = Draws.UNIFORM;

  @SuppressWarnings("NullAway.Init")
  private Worker worker;

  private Id128[] next = new Id128[0];
  private int at;

  /** Opens the accounts and draws. */
  @Setup
  public void open() {
    final KernelFixture kernel = new KernelFixture(Limits.BOTH, 1, SLOTS, 1);
    final long[] high = new long[accounts];
    final long[] low = new long[accounts];
    final SplittableRandom random = new SplittableRandom(SEED);
    for (int i = 0; i < accounts; i++) {
      high[i] = random.nextLong();
      low[i] = random.nextLong();
      kernel.principal(new Id128(high[i], low[i]), kernel.account(new Id128(low[i], high[i])));
    }
    final int[] drawn = draws.of(accounts);
    next = new Id128[drawn.length];
    for (int i = 0; i < drawn.length; i++) {
      next[i] = new Id128(high[drawn[i]], low[drawn[i]]);
    }
    worker = kernel.newWorker();
  }

  /** The cycle. */
  @Benchmark
  public void cycle() {
    worker.cycle(next[at]);
    at = (at + 1) & (next.length - 1);
    worker.drainInTurn();
  }
}
