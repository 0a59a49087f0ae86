package io.tollgrid.verification.bench.admission;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Runs benchmark methods, each time in a fresh JVM that is warmed up with nothing else. */
final class Forks {
  private static final String ALLOCATED_PER_OPERATION = "gc.alloc.rate.norm";

  /** JMH lets one run at a time on a machine; whoever shares this one has been told. */
  private static final String IGNORE_LOCK = "jmh.ignoreLock";

  private final boolean apart;
  private final int iterations;
  private final TimeValue iteration;

  /**
   * Forks that measure for {@code window}, in so many parts, after a warm-up of the same length.
   *
   * @param apart whether each has a process of its own, without which its numbers mean nothing
   */
  Forks(Duration window, int iterations, boolean apart) {
    this.apart = apart;
    this.iterations = iterations;
    this.iteration = TimeValue.nanoseconds(window.dividedBy(iterations).toNanos());
    System.setProperty(IGNORE_LOCK, "true");
  }

  /** One fork of one method on one thread. */
  Sample run(Class<?> benchmark, String method, Map<String, Object> parameters, int megabytes) {
    return run(benchmark, method, parameters, megabytes, 1);
  }

  /** One fork of one method. */
  Sample run(
      Class<?> benchmark,
      String method,
      Map<String, Object> parameters,
      int megabytes,
      int threads) {
    final ChainedOptionsBuilder options =
        new OptionsBuilder()
            .include("^" + Pattern.quote(benchmark.getName() + "." + method) + "$")
            .forks(apart ? 1 : 0)
            .threads(threads)
            .warmupIterations(iterations)
            .warmupTime(iteration)
            .measurementIterations(iterations)
            .measurementTime(iteration)
            .addProfiler(GCProfiler.class)
            .jvmArgs("-Xms" + megabytes + "m", "-Xmx" + megabytes + "m")
            .shouldDoGC(apart)
            .shouldFailOnError(true);
    parameters.forEach((name, value) -> options.param(name, value.toString()));
    return sample(run(options));
  }

  private static RunResult run(ChainedOptionsBuilder options) {
    final ByteArrayOutputStream said = new ByteArrayOutputStream();
    try (PrintStream out = new PrintStream(said, true, StandardCharsets.UTF_8)) {
      final Collection<RunResult> results =
          new Runner(
                  options.build(),
                  OutputFormatFactory.createFormatInstance(out, VerboseMode.NORMAL))
              .run();
      if (results.size() == 1) {
        return results.iterator().next();
      }
      throw failed(said, null);
    } catch (RunnerException e) {
      throw failed(said, e);
    }
  }

  private static IllegalStateException failed(
      ByteArrayOutputStream said, @Nullable RunnerException cause) {
    return new IllegalStateException(
        "a benchmark did not run to its end, so there is no figure; JMH said:\n"
            + said.toString(StandardCharsets.UTF_8),
        cause);
  }

  @SuppressWarnings("rawtypes") // JMH's own signature has it raw.
  private static Sample sample(RunResult result) {
    double allocated = 0;
    for (final var measured : result.getSecondaryResults().entrySet()) {
      if (measured.getKey().endsWith(ALLOCATED_PER_OPERATION)) {
        allocated = measured.getValue().getScore();
      }
    }
    return new Sample(result.getPrimaryResult().getScore(), allocated);
  }
}
