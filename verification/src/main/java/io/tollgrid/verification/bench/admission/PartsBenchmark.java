package io.tollgrid.verification.bench.admission;

import io.tollgrid.ledger.Id128;
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
 * The cycle of P1 without its consumer, and without its limits: what is left out is what it costs.
 * The measured thread drains its usage itself.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class PartsBenchmark {
  private static final Id128 PRINCIPAL = new Id128(0x9E3779B97F4A7C15L, 0xBF58476D1CE4E5B9L);
  private static final int SLOTS = 1 << 10;

  /** What limits the request. */
  @Param("BOTH")
  public Limits limits = Limits.BOTH;

  @SuppressWarnings("NullAway.Init")
  private Worker worker;

  /** Opens a kernel. */
  @Setup
  public void open() {
    final KernelFixture kernel = new KernelFixture(limits, 1, SLOTS, 1);
    kernel.principal(PRINCIPAL, kernel.account(PRINCIPAL));
    worker = kernel.newWorker();
  }

  /** The cycle. */
  @Benchmark
  public void cycle() {
    worker.cycle(PRINCIPAL);
    worker.drainInTurn();
  }
}
