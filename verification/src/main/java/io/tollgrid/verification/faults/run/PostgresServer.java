package io.tollgrid.verification.faults.run;

import io.tollgrid.mapstore.database.PostgresAddress;
import io.tollgrid.node.postgres.EmbeddedDatabase;
import io.tollgrid.verification.faults.host.Host;
import io.tollgrid.verification.faults.process.Signals;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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
  private final Host host;
  private EmbeddedDatabase database;
  private boolean closed;
  private final List<Long> frozen = new ArrayList<>();

  private PostgresServer(Path directory, Host host, EmbeddedDatabase database) {
    this.directory = directory;
    this.host = host;
    this.database = database;
  }

  /**
   * Starts a server on an empty directory.
   *
   * @param host this machine, as members reach it
   */
  static PostgresServer start(Path directory, Host host) throws SQLException {
    try (EmbeddedDatabase first = EmbeddedDatabase.start(directory, 0)) {
      try (Connection connection = connect(first.address());
          Statement statement = connection.createStatement()) {
        statement.execute("ALTER SYSTEM SET track_commit_timestamp = on");
        admitHosts(statement);
      }
    }
    return new PostgresServer(
        directory, host, EmbeddedDatabase.start(directory, 0, host.address()));
  }

  /** Whoever has the password may come from any host that can reach the server. */
  private static void admitHosts(Statement statement) throws SQLException {
    try (ResultSet row = statement.executeQuery("SHOW hba_file")) {
      if (!row.next()) {
        throw new SQLException("the server does not say whom it admits");
      }
      Files.writeString(
          Path.of(row.getString(1)),
          "host all all 0.0.0.0/0 scram-sha-256\n",
          StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** How to reach it. */
  public PostgresAddress address() {
    return database.address();
  }

  /** Its URL for a member, whose sessions then bear the member's name. */
  String urlFor(String member) {
    return database.address().jdbcUrl().replace(Host.LOCAL.address(), host.address())
        + "?ApplicationName="
        + member;
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
    final ProcessHandle postmaster = postmaster();
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
    final ProcessHandle postmaster = postmaster();
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
    database = EmbeddedDatabase.start(directory, port, host.address());
  }

  /** Whether it still runs, frozen or not: one that cannot write its log ends by itself. */
  public boolean isAlive() {
    return findPostmaster().map(ProcessHandle::isAlive).orElse(false);
  }

  private ProcessHandle postmaster() {
    return findPostmaster()
        .orElseThrow(() -> new IllegalStateException("no server runs on " + directory));
  }

  private Optional<ProcessHandle> findPostmaster() {
    try (Stream<Path> files = Files.walk(directory, 2)) {
      final Optional<Path> note = files.filter(file -> file.endsWith("postmaster.pid")).findFirst();
      return note.isEmpty()
          ? Optional.empty()
          : ProcessHandle.of(Long.parseLong(Files.readAllLines(note.get()).get(0).strip()));
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
