package io.tollgrid.formal.tlc;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Runs TLC, each time in a new process with directories of its own: TLC keeps static state, and two
 * runs would unpack the standard modules over each other.
 *
 * <p>Thread-safe. Processes that still run when this one ends are ended with it.
 */
final class TlcRunner {
  private static final Pattern PROPERTIES =
      Pattern.compile("(?m)^PROPERT(?:Y|IES)\\s+((?:[a-z_A-Z]\\w*\\s*)+?)(?=^[A-Z_]+\\b|\\z)");

  private final Path specifications;
  private final Duration limit;
  private final Set<Process> children = ConcurrentHashMap.newKeySet();

  /**
   * A runner over the specifications of a directory.
   *
   * @param limit after which a run is given up
   */
  TlcRunner(Path specifications, Duration limit) {
    this.specifications = specifications;
    this.limit = limit;
    Runtime.getRuntime()
        .addShutdownHook(new Thread(() -> children.forEach(Process::destroyForcibly)));
  }

  /** Checks one configuration of a module with so many threads. */
  TlcOutcome run(String module, Path config, int workers) throws IOException, InterruptedException {
    final Path scratch = Files.createTempDirectory("tollgrid-tlc-");
    try {
      return run(module, config, workers, scratch);
    } finally {
      delete(scratch);
    }
  }

  private TlcOutcome run(String module, Path config, int workers, Path scratch)
      throws IOException, InterruptedException {
    final Path log = scratch.resolve("log");
    final Path temporary = Files.createDirectory(scratch.resolve("tmp"));
    final Process process =
        new ProcessBuilder(command(module, config, workers, scratch.resolve("states"), temporary))
            .directory(specifications.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    children.add(process);
    try {
      if (!process.waitFor(limit.toSeconds(), TimeUnit.SECONDS)) {
        return new TlcOutcome.Broken(0, "not done after " + limit, Files.readString(log));
      }
      return TlcOutcome.read(process.exitValue(), Files.readString(log), properties(config));
    } finally {
      process.destroyForcibly().waitFor();
      children.remove(process);
    }
  }

  private static List<String> command(
      String module, Path config, int workers, Path states, Path temporary) {
    final List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-XX:+UseParallelGC");
    command.add("-Xmx2g");
    command.add("-Djava.io.tmpdir=" + temporary);
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add("tlc2.TLC");
    command.addAll(List.of("-workers", Integer.toString(workers)));
    command.addAll(List.of("-metadir", states.toString()));
    command.addAll(List.of("-config", config.getFileName().toString()));
    command.add(module);
    return command;
  }

  private static List<String> properties(Path config) throws IOException {
    final Matcher matcher = PROPERTIES.matcher(Files.readString(config));
    return matcher.find() ? List.of(matcher.group(1).strip().split("\\s+")) : List.of();
  }

  private static void delete(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (final Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
