package io.tollgrid.verification.bench.admission;

import com.google.common.util.concurrent.RateLimiter;
import io.github.bucket4j.Bucket;
import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/**
 * What others ask for one decision of one local limit, each as its documentation makes it and with
 * a rate that is never reached.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class PeerBenchmark {
  private static final int PER_SECOND = 1_000_000_000;

  private final Bucket bucket =
      Bucket.builder()
          .addLimit(
              limit -> limit.capacity(PER_SECOND).refillGreedy(PER_SECOND, Duration.ofSeconds(1)))
          .build();

  private final RateLimiter guava = RateLimiter.create(PER_SECOND);

  private final io.github.resilience4j.ratelimiter.RateLimiter resilience4j =
      io.github.resilience4j.ratelimiter.RateLimiter.of(
          "peer",
          RateLimiterConfig.custom()
              .limitForPeriod(PER_SECOND)
              .limitRefreshPeriod(Duration.ofSeconds(1))
              .timeoutDuration(Duration.ZERO)
              .build());

  /** Bucket4j's local bucket. */
  @Benchmark
  public boolean bucket4j() {
    return bucket.tryConsume(1);
  }

  /** Guava's rate limiter. */
  @Benchmark
  public boolean guava() {
    return guava.tryAcquire();
  }

  /** Resilience4j's atomic rate limiter. */
  @Benchmark
  public boolean resilience4j() {
    return resilience4j.acquirePermission();
  }
}
