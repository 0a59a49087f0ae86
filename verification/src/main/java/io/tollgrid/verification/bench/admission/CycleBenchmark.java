package io.tollgrid.verification.bench.admission;

import io.tollgrid.ledger.Id128;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** P1: the whole admission cycle on one thread, one principal, one account. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class CycleBenchmark {
  /** Who empties the usage queue. */
  public enum Consumer {
    /** A thread that waits a moment for a batch to fill, as a writer does. */
    LINGERING,
    /** A thread that looks again at once and sleeps never. */
    EAGER
  }

  private static final Id128 PRINCIPAL = new Id128(0x9E3779B97F4A7C15L, 0xBF58476D1CE4E5B9L);
  private static final int SLOTS = 1 << 14;
  private static final long LINGER_NANOS = TimeUnit.MICROSECONDS.toNanos(50);

  /** What limits the request. */
  @Param("BOTH")
  public Limits limits = Limits.BOTH;

  /** Who empties the usage queue. */
  @Param("LINGERING")
  public Consumer consumer = Consumer.LINGERING;

  @SuppressWarnings("NullAway.Init")
  private Worker worker;

  private @Nullable UsageConsumer thread;

  /** Opens a kernel and starts the consumer. */
  @Setup
  public void open() {
    final KernelFixture kernel = new KernelFixture(limits, 1, SLOTS, 1);
    kernel.principal(PRINCIPAL, kernel.account(PRINCIPAL));
    worker = kernel.newWorker();
    thread = new UsageConsumer(kernel.usage(), consumer == Consumer.LINGERING ? LINGER_NANOS : 0);
  }

  /** Ends the consumer, and looks whether it was handed anything. */
  @TearDown
  public void close() {
    final UsageConsumer running = thread;
    if (running != null) {
      running.close();
      if (running.units() == 0) {
        throw new IllegalStateException("the consumer was handed no usage");
      }
    }
  }

  /** The cycle; its usage goes to the consumer's thread. */
  @Benchmark
  public void cycle() {
    worker.cycle(PRINCIPAL);
  }
}
