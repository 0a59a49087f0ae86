package io.tollgrid.formal.stress;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jcstress.annotations.Expect;

/** One process of stress tests: {@link StressMain}, perhaps with a class replaced. */
final class StressRun {
  /** A state of a test, and how often it was seen. */
  record Seen(String test, Expect expect, long times, String state) {}

  private static final int ROUND_MILLIS = 300;
  private static final int LONGEST_RUN_MINUTES = 4;

  /** The optimizer shuffles what it may, so that code which has an order by luck loses it. */
  private static final List<String> OPTIONS =
      List.of(
          "-Xmx512m",
          "-XX:+UseParallelGC",
          "-XX:-RestrictContended",
          "-XX:+IgnoreUnrecognizedVMOptions",
          "-XX:+UnlockDiagnosticVMOptions",
          "-XX:+StressLCM",
          "-XX:+StressGCM",
          "-XX:+StressIGVN",
          "-XX:+StressCCP");

  private StressRun() {}

  /**
   * What tests see in so many rounds each; a test that fails runs no further.
   *
   * @param replaced a directory whose classes take the place of those shipped; may be empty
   * @param log where the process writes
   */
  static List<Seen> of(List<Class<?>> tests, int rounds, Path replaced, Path log)
      throws IOException, InterruptedException {
    final List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(OPTIONS);
    command.add("-cp");
    command.add(replaced + File.pathSeparator + System.getProperty("java.class.path"));
    command.add(StressMain.class.getName());
    command.add(Integer.toString(ROUND_MILLIS));
    command.add(Integer.toString(rounds));
    tests.forEach(test -> command.add(test.getName()));
    final Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    try {
      final boolean ended = process.waitFor(LONGEST_RUN_MINUTES, TimeUnit.MINUTES);
      if (!ended || process.exitValue() != 0) {
        throw new IllegalStateException("no result of stress tests:\n" + Files.readString(log));
      }
    } finally {
      process.destroyForcibly().waitFor();
    }
    return Files.readAllLines(log, StandardCharsets.UTF_8).stream()
        .map(line -> line.split(StressMain.COLUMN, -1))
        .filter(columns -> columns.length == Seen.class.getRecordComponents().length)
        .map(
            columns ->
                new Seen(
                    columns[0], Expect.valueOf(columns[1]), Long.parseLong(columns[2]), columns[3]))
        .toList();
  }
}
