package io.tollgrid.verification.bench.admission;

import io.tollgrid.admission.account.AccountState;
import io.tollgrid.ledger.Id128;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * P3: threads that serve one account, without rates and ceilings. Each has a request object, a lane
 * of the usage queue and drains that lane itself.
 */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class HotAccountBenchmark {
  private static final int THREADS = 2;
  private static final int SLOTS = 1 << 10;

  /** Idle principals after each that is used: two that are hot are rarely neighbours in memory. */
  private static final int OTHERS = 32;

  /** The account, and the principals that use it. */
  @State(Scope.Benchmark)
  public static class Account {
    /** Into how many words its lease is split. */
    @Param("2")
    public int shards = THREADS;

    /** How many principals use it; threads take turns. */
    @Param("2")
    public int principals = THREADS;

    private final AtomicInteger threads = new AtomicInteger();

    @SuppressWarnings("NullAway.Init")
    private KernelFixture kernel;

    /** Opens it. */
    @Setup
    public void open() {
      kernel = new KernelFixture(Limits.NONE, THREADS, SLOTS, shards);
      final AccountState account = kernel.account(new Id128(1, 1));
      for (int i = 0; i < principals; i++) {
        kernel.principal(principal(i), account);
        for (int other = 0; other < OTHERS; other++) {
          kernel.principal(new Id128(i + 1, other), account);
        }
      }
    }

    private Id128 nextPrincipal() {
      return principal(threads.getAndIncrement() % principals);
    }

    private static Id128 principal(int number) {
      return new Id128(0x9E3779B97F4A7C15L, number);
    }
  }

  /** One of the threads. */
  @State(Scope.Thread)
  public static class Caller {
    @SuppressWarnings("NullAway.Init")
    private Worker worker;

    @SuppressWarnings("NullAway.Init")
    private Id128 principal;

    /** Gets it a request object. */
    @Setup
    public void open(Account account) {
      worker = account.kernel.newWorker();
      principal = account.nextPrincipal();
    }
  }

  /** The cycle. */
  @Benchmark
  public void cycle(Caller caller) {
    caller.worker.cycle(caller.principal);
    caller.worker.drainInTurn();
  }
}
