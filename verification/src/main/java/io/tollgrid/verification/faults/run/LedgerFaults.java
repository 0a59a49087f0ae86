package io.tollgrid.verification.faults.run;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The fault harness of the ledger: every run and lane that was asked for, one after the other, each
 * with a server, a cluster and accounts of its own.
 */
public final class LedgerFaults {
  /**
   * What to run.
   *
   * @param client runs with load in Hazelcast clients
   * @param embedded runs with load inside the members
   * @param sizes members of the clusters
   * @param seed what everything is drawn from
   * @param duration of one schedule of faults
   * @param quick one short run that shows every kind of fault at least once, and no lanes
   * @param lanes whether to run the lanes: losses that a schedule cannot mix with others
   * @param keep whether to leave logs, histories and data behind
   */
  public record Options(
      boolean client,
      boolean embedded,
      List<Integer> sizes,
      long seed,
      Duration duration,
      boolean quick,
      boolean lanes,
      boolean keep) {
    /** Copies the list. */
    public Options {
      sizes = List.copyOf(sizes);
    }

    /** One short run of three members, loaded through clients. */
    public static Options quick(long seed, boolean keep) {
      return new Options(true, false, List.of(3), seed, QUICK_SCHEDULE, true, false, keep);
    }
  }

  /** Long enough for every kind of fault once, whatever the seed. */
  private static final Duration QUICK_SCHEDULE = Duration.ofSeconds(45);

  private final Options options;
  private final Progress progress;

  /** A harness that says on {@code progress} what it does. */
  public LedgerFaults(Options options, Progress progress) {
    this.options = options;
    this.progress = progress;
  }

  /** Runs everything. */
  public List<RunResult> run() {
    final List<RunResult> results = new ArrayList<>();
    for (final int size : options.sizes()) {
      if (options.client()) {
        results.add(chaos(Rig.Mode.CLIENT, size));
      }
      if (options.embedded()) {
        results.add(chaos(Rig.Mode.EMBEDDED, size));
      }
    }
    if (options.lanes() && !options.quick()) {
      results.add(inDirectory("cold-start", new ColdStartLane(options.seed(), progress)::run));
      results.add(inDirectory("cp-loss", new CpLossLane(options.seed(), progress)::run));
      results.add(
          inDirectory("postgres-away", new PostgresAwayLane(options.seed(), progress)::run));
    }
    return results;
  }

  private RunResult chaos(Rig.Mode mode, int size) {
    final ChaosRun run =
        new ChaosRun(
            mode,
            size,
            options.seed(),
            options.duration(),
            options.quick() ? Thresholds.quick() : Thresholds.full(),
            progress);
    return inDirectory(run.name(), run::run);
  }

  private interface Work {
    RunResult in(Path directory) throws SQLException;
  }

  private RunResult inDirectory(String name, Work work) {
    try {
      final Path directory = Files.createTempDirectory("tollgrid-faults-" + name + "-");
      progress.say(name + ": logs and histories in " + directory);
      final RunResult result = resultOf(name, work, directory);
      progress.say(
          name
              + ": "
              + result.violations().size()
              + " violations, not shown "
              + result.shortfalls()
              + ", "
              + result.counts());
      if (!options.keep() && result.good()) {
        remove(directory);
      }
      return result;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A run that breaks has shown nothing, and must not keep the others from being run. */
  private RunResult resultOf(String name, Work work, Path directory) {
    try {
      return work.in(directory);
    } catch (SQLException | RuntimeException e) {
      final StringWriter trace = new StringWriter();
      e.printStackTrace(new PrintWriter(trace));
      progress.say(name + " broke: " + trace);
      return new RunResult(name, Map.of(), List.of(), List.of("it broke: " + e), Map.of());
    }
  }

  private static void remove(Path directory) throws IOException {
    Files.walkFileTree(
        directory,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.delete(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(
              Path visited, @org.jspecify.annotations.Nullable IOException failure)
              throws IOException {
            Files.delete(visited);
            return FileVisitResult.CONTINUE;
          }
        });
  }
}
