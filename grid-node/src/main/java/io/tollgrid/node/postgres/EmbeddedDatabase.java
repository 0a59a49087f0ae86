package io.tollgrid.node.postgres;

import io.tollgrid.mapstore.database.PostgresAddress;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import javax.sql.DataSource;

/**
 * A PostgreSQL server with a persistent data directory, started and stopped by this process.
 *
 * <p>It listens on loopback only, asks for a password, and runs with {@code fsync}, {@code
 * synchronous_commit} and {@code full_page_writes} on: stated at start and asked back before
 * anybody may use it. The library that unpacks and starts it was made for tests and turns the first
 * two off, so neither is left to a default.
 *
 * <p>Thread-safe. {@link #close} stops the server, however it was left.
 */
public final class EmbeddedDatabase implements AutoCloseable {
  /** The role that owns everything in an embedded server. */
  public static final String USER = "postgres";

  private static final String DATABASE = "tollgrid";
  private static final String LOOPBACK = "127.0.0.1";
  private static final Duration START = Duration.ofMinutes(2);

  /**
   * For one that was killed: it recovers before it answers, and if it were given up meanwhile the
   * next start would begin anew, on a busy machine for ever.
   */
  private static final Duration RECOVERY = Duration.ofMinutes(30);

  private static final Map<String, String> SETTINGS =
      Map.of(
          "fsync", "on",
          "synchronous_commit", "on",
          "full_page_writes", "on",
          "unix_socket_directories", "''",
          "max_connections", "128",
          // Taken as it is filled, which a small system never does.
          "shared_buffers", "512MB",
          "cluster_name", "tollgrid");

  /** The settings without which a commit is no promise. */
  private static final List<String> DURABLE =
      List.of("fsync", "synchronous_commit", "full_page_writes");

  private final DataDirectory directory;
  private final EmbeddedPostgres server;
  private final PostgresAddress address;

  private EmbeddedDatabase(
      DataDirectory directory, EmbeddedPostgres server, PostgresAddress address) {
    this.directory = directory;
    this.server = server;
    this.address = address;
  }

  /**
   * Starts a server on a directory, creating the directory and the database the first time.
   *
   * @param dataDir the directory this process will own
   * @param port its loopback port; 0 takes a free one
   * @throws DataDirectoryException if the directory is in use, belongs to another major version or
   *     the server does not start
   */
  public static EmbeddedDatabase start(Path dataDir, int port) {
    return start(dataDir, port, LOOPBACK);
  }

  /**
   * As {@link #start(Path, int)}, for a harness whose processes live on hosts of their own: the
   * server can be reached at one more address of this machine.
   */
  public static EmbeddedDatabase start(Path dataDir, int port, String alsoAt) {
    final DataDirectory directory = DataDirectory.take(dataDir.toAbsolutePath().normalize());
    boolean started = false;
    try {
      directory.checkFiles(major());
      final String password = directory.password();
      final Duration patience = RunningServer.wasLeft(directory.postgres()) ? RECOVERY : START;
      RunningServer.on(directory.postgres()).ifPresent(orphan -> orphan.stop(USER, password));
      final EmbeddedDatabase database = launch(directory, port, password, patience, alsoAt);
      started = true;
      return database;
    } finally {
      if (!started) {
        directory.close();
      }
    }
  }

  /**
   * How to reach the server that another process owns and runs on a directory.
   *
   * @return empty if nobody owns the directory: what runs there, if anything, is an orphan
   */
  public static Optional<PostgresAddress> runningOn(Path dataDir) {
    final Path root = dataDir.toAbsolutePath().normalize();
    if (!DataDirectory.isTaken(root)) {
      return Optional.empty();
    }
    return RunningServer.on(root.resolve(DataDirectory.POSTGRES))
        .flatMap(RunningServer::port)
        .map(port -> new PostgresAddress(url(port), USER, DataDirectory.passwordIn(root)));
  }

  private static String url(int port) {
    return "jdbc:postgresql://" + LOOPBACK + ":" + port + "/" + DATABASE;
  }

  private static EmbeddedDatabase launch(
      DataDirectory directory, int port, String password, Duration patience, String alsoAt) {
    final EmbeddedPostgres server = server(directory, port, password, patience, alsoAt);
    boolean good = false;
    try {
      directory.markReady();
      final String url = url(server.getPort());
      prepare(server.getDatabase(USER, "postgres"));
      good = true;
      return new EmbeddedDatabase(directory, server, new PostgresAddress(url, USER, password));
    } catch (SQLException e) {
      throw new DataDirectoryException(
          "the embedded PostgreSQL on "
              + directory.postgres()
              + " cannot be used: "
              + e.getMessage(),
          e);
    } finally {
      if (!good) {
        stop(server, directory);
      }
    }
  }

  private static EmbeddedPostgres server(
      DataDirectory directory, int port, String password, Duration patience, String alsoAt) {
    final long logBytes = directory.logBytes();
    try {
      // Unpacked once per user, where no other user can put a program of his own.
      final Path cache = Path.of(System.getProperty("user.home"), ".cache", "tollgrid");
      OwnerOnly.directory(cache);
      final ProcessBuilder.Redirect log =
          ProcessBuilder.Redirect.appendTo(directory.log().toFile());
      final EmbeddedPostgres.Builder builder =
          EmbeddedPostgres.builder()
              .setDataDirectory(directory.postgres())
              .setCleanDataDirectory(false)
              .setRegisterShutdownHook(false)
              .setOverrideWorkingDirectory(cache.resolve("postgres").toFile())
              .setPGStartupWait(patience)
              .setPort(port)
              .setOutputRedirector(log)
              .setErrorRedirector(log)
              .setConnectConfig("password", password)
              // Options of initdb, of which the library passes on only what it takes for locales.
              .setLocaleConfig("locale", "C")
              .setLocaleConfig("auth", "scram-sha-256")
              .setLocaleConfig("pwfile", directory.passwordFile().toString());
      SETTINGS.forEach(builder::setServerConfig);
      builder.setServerConfig(
          "listen_addresses", alsoAt.equals(LOOPBACK) ? LOOPBACK : LOOPBACK + "," + alsoAt);
      return builder.start();
    } catch (IOException | RuntimeException e) {
      throw new DataDirectoryException(
          "PostgreSQL does not start on "
              + directory.postgres()
              + ": "
              + directory.complaintSince(logBytes).orElseGet(e::toString),
          e);
    }
  }

  private static void prepare(DataSource source) throws SQLException {
    try (Connection connection = source.getConnection();
        Statement statement = connection.createStatement()) {
      for (final String setting : DURABLE) {
        final String value = single(statement, "SHOW " + setting);
        if (!"on".equals(value)) {
          throw new SQLException(setting + " is " + value + ", and a commit would be no promise");
        }
      }
      if ("0"
          .equals(
              single(
                  statement,
                  "SELECT count(*) FROM pg_database WHERE datname = '" + DATABASE + "'"))) {
        statement.execute("CREATE DATABASE " + DATABASE);
      }
    }
  }

  private static String single(Statement statement, String query) throws SQLException {
    try (ResultSet rows = statement.executeQuery(query)) {
      if (!rows.next()) {
        throw new SQLException("no answer to " + query);
      }
      return rows.getString(1);
    }
  }

  /** How to reach the database. */
  public PostgresAddress address() {
    return address;
  }

  /** Stops the server and gives the directory up. Idempotent. */
  @Override
  public void close() {
    stop(server, directory);
    directory.close();
  }

  /** The library waits five seconds and then only logs; a big checkpoint takes longer. */
  private static void stop(EmbeddedPostgres server, DataDirectory directory) {
    final Optional<RunningServer> running = RunningServer.on(directory.postgres());
    try {
      server.close();
    } catch (IOException e) {
      throw new DataDirectoryException(
          "the embedded PostgreSQL did not stop: " + e.getMessage(), e);
    }
    running.ifPresent(RunningServer::awaitExit);
  }

  private static String major() {
    final Properties build = new Properties();
    try (InputStream resource = EmbeddedDatabase.class.getResourceAsStream("binaries.properties")) {
      build.load(resource);
    } catch (IOException e) {
      throw new IllegalStateException("binaries.properties cannot be read", e);
    }
    final String version = build.getProperty("version", "");
    return version.substring(0, version.indexOf('.')).toLowerCase(Locale.ROOT);
  }
}
