package io.tollgrid.node.postgres;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.postgresql.ds.PGSimpleDataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A PostgreSQL server found running on a data directory.
 *
 * <p>One that outlived the Tollgrid process that started it is stopped and never adopted: it may
 * run with other settings than the next start would give it, and nobody supervises it.
 */
final class RunningServer {
  private static final Logger LOG = LoggerFactory.getLogger(RunningServer.class);
  private static final Duration STOP = Duration.ofMinutes(1);
  private static final int PORT_LINE = 3;
  private static final String NOTE = "postmaster.pid";
  private static final String END_SESSIONS =
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
          + " WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'";

  private final Path files;
  private final ProcessHandle process;
  private final List<String> pidFile;

  private RunningServer(Path files, ProcessHandle process, List<String> pidFile) {
    this.files = files;
    this.process = process;
    this.pidFile = pidFile;
  }

  /** Whether no server on {@code files} was stopped in order since the last one was started. */
  static boolean wasLeft(Path files) {
    return Files.exists(files.resolve(NOTE));
  }

  /**
   * The server running on {@code files}, if one is. The caller owns the directory.
   *
   * <p>A process number that was given to some other program since is no server; the note that
   * names it is removed, because PostgreSQL would refuse to start beside it.
   */
  static Optional<RunningServer> on(Path files) {
    final Path note = files.resolve(NOTE);
    try {
      if (!Files.exists(note)) {
        return Optional.empty();
      }
      final List<String> lines = Files.readAllLines(note);
      final Optional<ProcessHandle> process =
          lines.isEmpty()
              ? Optional.empty()
              : ProcessHandle.of(Long.parseLong(lines.get(0).strip()));
      if (process.isEmpty() || !process.get().isAlive()) {
        return Optional.empty();
      }
      if (!isServerOn(process.get(), files)) {
        LOG.info("{} names process {}, which is no PostgreSQL; removed", note, lines.get(0));
        Files.delete(note);
        return Optional.empty();
      }
      return Optional.of(new RunningServer(files, process.get(), lines));
    } catch (IOException | NumberFormatException e) {
      throw new DataDirectoryException("cannot read " + note + ": " + e.getMessage(), e);
    }
  }

  /** Unknown counts as yes: then the server is asked, and at worst PostgreSQL refuses to start. */
  private static boolean isServerOn(ProcessHandle process, Path files) {
    final Optional<String[]> arguments = process.info().arguments();
    return arguments.isEmpty() || Arrays.asList(arguments.get()).contains(files.toString());
  }

  /** Ends its sessions and stops it, within a minute. */
  void stop(String user, String password) {
    LOG.warn(
        "stopping PostgreSQL process {}, which outlived the Tollgrid process that started it",
        process.pid());
    endSessions(user, password);
    process.destroy();
    awaitExit();
  }

  /** Waits until its process has ended, at most a minute. */
  void awaitExit() {
    try {
      process.onExit().get(STOP.toSeconds(), TimeUnit.SECONDS);
    } catch (TimeoutException | ExecutionException e) {
      throw new DataDirectoryException(
          files
              + " is in use by PostgreSQL process "
              + process.pid()
              + ", which does not stop; stop it and start again",
          e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new DataDirectoryException("interrupted while PostgreSQL stops", e);
    }
  }

  /** The port it listens on, once it has said so. */
  Optional<Integer> port() {
    return pidFile.size() <= PORT_LINE
        ? Optional.empty()
        : Optional.of(Integer.valueOf(pidFile.get(PORT_LINE).strip()));
  }

  /** Best effort: a server that still recovers has no sessions and refuses ours. */
  private void endSessions(String user, String password) {
    final Optional<Integer> port = port();
    if (port.isEmpty()) {
      return;
    }
    final PGSimpleDataSource source = new PGSimpleDataSource();
    source.setServerNames(new String[] {"127.0.0.1"});
    source.setPortNumbers(new int[] {port.get()});
    source.setDatabaseName("postgres");
    source.setUser(user);
    source.setPassword(password);
    source.setConnectTimeout(5);
    source.setSocketTimeout(10);
    try (Connection connection = source.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(END_SESSIONS);
    } catch (SQLException e) {
      LOG.info("the orphaned PostgreSQL was not asked to end its sessions: {}", e.getMessage());
    }
  }
}
