package io.tollgrid.verification.bench.admission;

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
 * What memory alone makes of P8: one word of each drawn account raised, accounts a pair of cache
 * lines apart, and the next draw known only when the word is (as a lookup's next step is).
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class WalkBenchmark {
  private static final int WORDS_PER_ACCOUNT = 16;

  /** How many accounts there are. */
  @Param("1000")
  public int accounts = 1_000;

  /** Which one is next. */
  @Param("UNIFORM")
  public Draws draws = Draws.UNIFORM;

  private int[] next = new int[0];
  private long[] words = new long[0];
  private long at;

  /** Lays the accounts out and draws. */
  @Setup
  public void open() {
    next = draws.of(accounts);
    words = new long[accounts * WORDS_PER_ACCOUNT];
  }

  /** One step. */
  @Benchmark
  public long walk() {
    final int word = next[(int) at & (next.length - 1)] * WORDS_PER_ACCOUNT;
    final long seen = words[word];
    words[word] = seen + 2;
    // Even, so that its lowest bit adds nothing but the wait for it.
    at += 1 + (seen & 1);
    return seen;
  }
}
