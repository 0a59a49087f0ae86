package io.tollgrid.verification.faults.run;

import io.tollgrid.mapstore.database.PostgresAddress;
import io.tollgrid.node.postgres.EmbeddedDatabase;
import io.tollgrid.verification.faults.process.Signals;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.stream.Stream;

/**
 * The PostgreSQL server of a run, durable as in production, which also remembers when each
 * transaction committed. It can be made to stop answering, and be killed. Used by one thread;
 * another one may close it.
 */
public final class PostgresServer implements AutoCloseable {
  private static final String PATIENCE_SECONDS = "60";

  private final Path directory;
  private EmbeddedDatabase database;
  private boolean closed;
  private final List<Long> frozen = new ArrayList<>();

  private PostgresServer(Path directory, EmbeddedDatabase database) {
    this.directory = directory;
    this.database = database;
  }

  /** Starts a server on an empty directory. */
  static PostgresServer start(Path directory) throws SQLException {
    try (EmbeddedDatabase first = EmbeddedDatabase.start(directory, 0)) {
      try (Connection connection = connect(first.address());
          Statement statement = connection.createStatement()) {
        statement.execute("ALTER SYSTEM SET track_commit_timestamp = on");
      }
    }
    return new PostgresServer(directory, EmbeddedDatabase.start(directory, 0));
  }

  /** How to reach it. */
  public PostgresAddress address() {
    return database.address();
  }

  /** Its URL for a member, whose sessions then bear the member's name. */
  String urlFor(String member) {
    return database.address().jdbcUrl() + "?ApplicationName=" + member;
  }

  /** A connection without auto-commit. */
  public Connection connect() throws SQLException {
    final Connection connection = connect(address());
    connection.setAutoCommit(false);
    return connection;
  }

  private static Connection connect(PostgresAddress address) throws SQLException {
    final Properties properties = new Properties();
    properties.setProperty("user", address.user());
    properties.setProperty("password", address.password());
    properties.setProperty("connectTimeout", PATIENCE_SECONDS);
    properties.setProperty("socketTimeout", PATIENCE_SECONDS);
    return DriverManager.getConnection(address.jdbcUrl(), properties);
  }

  /** Stops the server and all of its sessions in their tracks. */
  public void freeze() {
    final ProcessHandle postmaster = ProcessHandle.of(postmaster()).orElseThrow();
    // The postmaster first, so that it starts no more.
    frozen.add(postmaster.pid());
    Signals.stop(postmaster.pid());
    postmaster
        .descendants()
        .forEach(
            session -> {
              frozen.add(session.pid());
              Signals.stop(session.pid());
            });
  }

  /** Lets it go on. */
  public void thaw() {
    frozen.stream()
        .filter(pid -> ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false))
        .forEach(Signals::proceed);
    frozen.clear();
  }

  /** Kills the server and all of its sessions, and starts it again on the same address. */
  public synchronized void crash() {
    final ProcessHandle postmaster = ProcessHandle.of(postmaster()).orElseThrow();
    final List<ProcessHandle> sessions = postmaster.descendants().toList();
    Signals.kill(postmaster.pid());
    sessions.forEach(ProcessHandle::destroyForcibly);
    sessions.forEach(session -> session.onExit().join());
    restart();
  }

  /** Stops the server in order and starts it again on the same address. */
  public synchronized void restart() {
    if (closed) {
      throw new IllegalStateException("the run is over");
    }
    final String url = address().jdbcUrl();
    final int port = URI.create(url.substring("jdbc:".length())).getPort();
    database.close();
    database = EmbeddedDatabase.start(directory, port);
  }

  private long postmaster() {
    try (Stream<Path> files = Files.walk(directory, 2)) {
      final Path note =
          files
              .filter(file -> file.endsWith("postmaster.pid"))
              .findFirst()
              .orElseThrow(() -> new IllegalStateException("no server runs on " + directory));
      return Long.parseLong(Files.readAllLines(note).get(0).strip());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    thaw();
    database.close();
  }
}
