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
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Gives each run a directory of its own, and takes it away again if nothing is to be looked at. */
public final class RunDirectories {
  /** What is done in one. */
  @FunctionalInterface
  public interface Work {
    /** Does it. */
    RunResult in(Path directory) throws SQLException;
  }

  private final boolean keep;
  private final Progress progress;

  /**
   * Directories below the temporary one.
   *
   * @param keep whether they stay even if the run was good
   */
  public RunDirectories(boolean keep, Progress progress) {
    this.keep = keep;
    this.progress = progress;
  }

  /** Does some work in a directory of its own. */
  public RunResult work(String name, Work work) {
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
      if (!keep && result.good()) {
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
          public FileVisitResult postVisitDirectory(Path visited, @Nullable IOException failure)
              throws IOException {
            Files.delete(visited);
            return FileVisitResult.CONTINUE;
          }
        });
  }
}
